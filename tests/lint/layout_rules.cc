// STYLE's limits: lengths of files, functions and lines; tabs; include guards; forgotten notes;
// files without contents.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

constexpr int kFileLinesMax = 500;
constexpr int kFunctionLinesMax = 70;
constexpr int kLineColumnsMax = 100;
constexpr int kScriptColumnsMax = 120;

// The ratchet: functions that may be longer, each with the length it must never exceed.
struct LongFunction {
  std::string_view file;
  std::string_view function;
  int lines_max;
  std::string_view reason;
};

constexpr std::array<LongFunction, 0> kLongFunctions = {};

int lines_allowed(std::string_view file, std::string_view function) {
  for (const LongFunction& known : kLongFunctions) {
    if (known.file == file && known.function == function) return known.lines_max;
  }
  return kFunctionLinesMax;
}

int columns(std::string_view line) {
  // Bytes that continue a UTF-8 character take no column.
  return static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void check_line(const std::string& path, int number, std::string_view line, int columns_max,
                Findings& findings) {
  if (line.find('\t') != std::string_view::npos) {
    findings.push_back({path, number, "tab", "a tab: indent with two blanks"});
  }
  if (columns(line) > columns_max) {
    findings.push_back({path, number, "line-length",
                        std::to_string(columns(line)) + " columns, at most " +
                            std::to_string(columns_max) + ": break the line"});
  }
}

// A test program that links an empty file passes, whatever the file once tested.
void check_contents(const SourceFile& file, Findings& findings) {
  const auto is_blank = [](const std::string& line) {
    return line.find_first_not_of(" \t\r") == std::string::npos;
  };
  if (std::ranges::all_of(file.lines, is_blank)) {
    findings.push_back({file.path, 1, "empty-file", "no code: restore it, or remove the file"});
    return;
  }
  const bool is_test = file.path.starts_with("tests/") && file.path.ends_with("_test.cc");
  const auto opens_case = [](const Token& token) { return token.text.ends_with("TEST_CASE"); };
  if (is_test && std::ranges::none_of(file.tokens, opens_case)) {
    findings.push_back({file.path, 1, "no-test-case", "a test file without a test case: add one"});
  }
}

// A note alone is forgotten; one with an issue in parentheses has an owner.
void check_notes(const SourceFile& file, Findings& findings) {
  constexpr std::string_view kNotes[] = {"TODO", "FIXME", "XXX"};
  for (std::size_t i = 0; i < file.comments.size(); ++i) {
    const std::string_view comment = file.comments[i];
    for (const std::string_view note : kNotes) {
      const auto found = comment.find(note);
      if (found == std::string_view::npos) continue;
      const auto after = found + note.size();
      const bool begins = found == 0 || !is_identifier(comment.substr(found - 1, 1));
      const bool ends = after >= comment.size() || !is_identifier(comment.substr(after, 1));
      if (!begins || !ends || (after < comment.size() && comment[after] == '(')) continue;
      findings.push_back({file.path, static_cast<int>(i) + 1, "bare-todo",
                          "a bare '" + std::string(note) +
                              "': do it now, or name the issue, as in " + std::string(note) +
                              "(issue 7): what"});
    }
  }
}

// Finds function bodies by their braces. It follows namespaces and types inward, takes the first
// brace after a parameter list as a body, and does not look inside bodies: lambdas count there.
class FunctionScanner {
 public:
  FunctionScanner(const SourceFile& file, Findings& findings)
      : file_(file), tokens_(file.tokens), findings_(findings) {}

  void scan() {
    while (at_ < tokens_.size()) {
      const std::string& text = tokens_[at_].text;
      if (text == ";" || text == "}") {
        begin_statement();
      } else if (text == "(" || text == "[") {
        if (text == "(" && !saw_assignment_) note_parameters();
        at_ = skip_balanced(tokens_, at_);
        continue;
      } else if (text == "{") {
        brace();
        continue;
      } else if (text == "template" && at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "<") {
        at_ = skip_angles(tokens_, at_ + 1);
        continue;
      } else {
        word(text);
      }
      ++at_;
    }
  }

 private:
  void begin_statement() {
    is_type_ = is_namespace_ = saw_parameters_ = saw_assignment_ = saw_initialisers_ = false;
    is_operator_ = false;
    name_.clear();
  }

  void word(const std::string& text) {
    if (text == "class" || text == "struct" || text == "union" || text == "enum") {
      is_type_ = true;
    } else if (text == "namespace" || text == "extern") {
      is_namespace_ = true;
    } else if (text == "operator") {
      is_operator_ = true;
    } else if (text == "=" && !is_operator_) {
      saw_assignment_ = true;
    } else if (text == ":" && saw_parameters_) {
      saw_initialisers_ = true;
    }
  }

  void note_parameters() {
    if (at_ > 0 && !saw_parameters_) name_ = tokens_[at_ - 1].text;
    saw_parameters_ = true;
  }

  // Decides what the brace at at_ opens.
  void brace() {
    const std::string before = at_ > 0 ? tokens_[at_ - 1].text : "";
    const bool opens_scope = is_namespace_ || (is_type_ && !saw_assignment_ && !is_function());
    if (opens_scope) {
      ++at_;
      return begin_statement();
    }
    const bool member_initialiser = saw_initialisers_ && (is_identifier(before) || before == ">");
    if (!saw_parameters_ || saw_assignment_ || member_initialiser) {
      at_ = skip_balanced(tokens_, at_);  // an initialiser in braces
      return;
    }
    const std::size_t end = skip_balanced(tokens_, at_);
    measure(tokens_[at_].line, tokens_[end - 1].line);
    // `try` blocks of functions do not occur here; what follows a body is a new statement.
    at_ = end;
    begin_statement();
  }

  // `struct Reply answer() {` is a function, `struct alignas(64) Node {` is a type.
  bool is_function() const { return saw_parameters_ && name_ != "alignas" && name_ != "]"; }

  void measure(int first, int last) {
    const int lines = last - first + 1;
    const int allowed = lines_allowed(file_.path, name_);
    if (lines <= allowed) return;
    findings_.push_back({file_.path, first, "function-length",
                         "'" + name_ + "' has " + std::to_string(lines) + " lines, at most " +
                             std::to_string(allowed) + ": name its steps and take them out"});
  }

  const SourceFile& file_;
  const std::vector<Token>& tokens_;
  Findings& findings_;
  std::size_t at_ = 0;
  bool is_type_ = false;
  bool is_namespace_ = false;
  bool is_operator_ = false;
  bool saw_parameters_ = false;
  bool saw_assignment_ = false;
  bool saw_initialisers_ = false;
  std::string name_;
};

}  // namespace

void check_layout(const SourceFile& file, Findings& findings) {
  const int lines = static_cast<int>(file.lines.size());
  if (lines > kFileLinesMax) {
    findings.push_back({file.path, lines, "file-length",
                        std::to_string(lines) + " lines, at most " + std::to_string(kFileLinesMax) +
                            ": give each concern its own file"});
  }
  for (int i = 0; i < lines; ++i) {
    check_line(file.path, i + 1, file.lines[static_cast<std::size_t>(i)], kLineColumnsMax,
               findings);
  }
  if (file.is_header() && !file.has_pragma_once) {
    findings.push_back({file.path, 1, "pragma-once", "a header without '#pragma once': add it"});
  }
  check_contents(file, findings);
  check_notes(file, findings);
  FunctionScanner(file, findings).scan();
}

void check_script_layout(const std::string& path, std::string_view text, Findings& findings) {
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    check_line(path, ++number, line, kScriptColumnsMax, findings);
  }
}

}  // namespace photonsim::lint
