// Iteration over hash tables: allowed where the order cannot leak, and a comment says why.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

constexpr std::string_view kPermit = "order-free:";

bool is_unordered_type(std::string_view name) {
  return name.starts_with("unordered_flat_") || name.starts_with("unordered_node_") ||
         name == "unordered_map" || name == "unordered_set" || name == "FlatMap";
}

// The name that a declaration gives after its type ends at `i`: skips `&`, `*` and `const`.
std::string declared_name(const std::vector<Token>& tokens, std::size_t i) {
  while (i < tokens.size() &&
         (tokens[i].text == "&" || tokens[i].text == "*" || tokens[i].text == "const")) {
    ++i;
  }
  const bool named = i + 1 < tokens.size() && is_identifier(tokens[i].text);
  return named && tokens[i + 1].text != "(" ? tokens[i].text : std::string();
}

// Names of variables and members whose type is a hash table, or an alias of one.
void collect_names(const SourceFile& file, std::set<std::string>& aliases,
                   std::set<std::string>& names) {
  const auto& tokens = file.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    std::size_t after = 0;
    if (is_unordered_type(tokens[i].text) && tokens[i + 1].text == "<") {
      after = skip_angles(tokens, i + 1);
      const bool qualified = i >= 2 && tokens[i - 1].text == "::";
      const std::size_t start = qualified ? i - 2 : i;
      if (start >= 3 && tokens[start - 1].text == "=" && tokens[start - 3].text == "using") {
        aliases.insert(tokens[start - 2].text);
        continue;
      }
    } else if (aliases.contains(tokens[i].text)) {
      after = tokens[i + 1].text == "<" ? skip_angles(tokens, i + 1) : i + 1;
    } else {
      continue;
    }
    const std::string name = declared_name(tokens, after);
    if (!name.empty()) names.insert(name);
  }
}

// `// order-free: reason` on the line itself or in the two lines above it.
bool permitted(const SourceFile& file, int line) {
  for (int at = std::max(1, line - 2); at <= line; ++at) {
    const std::string& comment = file.comments[static_cast<std::size_t>(at - 1)];
    const auto found = comment.find(kPermit);
    if (found == std::string::npos) continue;
    const auto reason = comment.find_first_not_of(' ', found + kPermit.size());
    if (reason != std::string::npos) return true;
  }
  return false;
}

// The container of the range-for whose parenthesis opens at `open`; empty for other loops.
std::string range_container(const std::vector<Token>& tokens, std::size_t open) {
  const std::size_t close = skip_balanced(tokens, open) - 1;
  std::size_t colon = 0;
  int depth = 0;
  for (std::size_t i = open; i < close; ++i) {
    const std::string& text = tokens[i].text;
    if (text == "(" || text == "{" || text == "[") ++depth;
    if (text == ")" || text == "}" || text == "]") --depth;
    if (text == "?") return "";
    if (depth == 1 && text == ":") colon = i;
  }
  if (colon == 0) return "";
  // `table`, `state.table`, `this->table_`: the last name counts unless it is called.
  return is_identifier(tokens[close - 1].text) ? tokens[close - 1].text : std::string();
}

void report(const SourceFile& file, int line, const std::string& name, Findings& findings) {
  if (permitted(file, line)) return;
  findings.push_back(
      {file.path, line, "unordered-iteration",
       "'" + name +
           "' is a hash table, its order is unspecified: iterate over something sorted, "
           "or say why order cannot leak in a comment '// order-free: reason'"});
}

}  // namespace

void check_unordered_iteration(const SourceFile& file, const SourceFile* header,
                               Findings& findings) {
  std::set<std::string> aliases;
  std::set<std::string> names;
  if (header != nullptr) collect_names(*header, aliases, names);
  collect_names(file, aliases, names);
  if (names.empty()) return;
  const auto& tokens = file.tokens;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text == "for" && tokens[i + 1].text == "(") {
      const std::string name = range_container(tokens, i + 1);
      if (names.contains(name)) report(file, tokens[i].line, name, findings);
    }
    const bool member = tokens[i + 1].text == "." || tokens[i + 1].text == "->";
    const std::string& called = tokens[i + 2].text;
    if (member && (called == "begin" || called == "cbegin") && names.contains(tokens[i].text)) {
      report(file, tokens[i].line, tokens[i].text, findings);
    }
  }
}

}  // namespace photonsim::lint
