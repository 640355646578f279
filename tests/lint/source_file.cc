#include "tests/lint/source_file.h"

#include <cctype>
#include <utility>

namespace photonsim::lint {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks the text once, handing characters to the comments, the includes or the tokens.
class Parser {
 public:
  Parser(SourceFile& file, std::string_view text) : file_(file), text_(text) {}

  void parse() {
    while (at_ < text_.size()) step();
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance() {
    if (peek() == '\n') ++line_;
    ++at_;
  }

  void note_comment(char c) {
    const auto index = static_cast<std::size_t>(line_ - 1);
    if (c != '\n' && index < file_.comments.size()) file_.comments[index].push_back(c);
  }

  void emit(std::string text, int line) { file_.tokens.push_back({std::move(text), line}); }

  void step() {
    const char c = peek();
    if (c == '/' && peek(1) == '/') return line_comment();
    if (c == '/' && peek(1) == '*') return block_comment();
    if (c == '\n') fresh_line_ = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return advance();
    if (c == '#' && fresh_line_) return directive();
    fresh_line_ = false;
    if (c == '"') return string_literal();
    if (c == '\'') return quoted('\'');
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    if (is_word(c)) return word();
    punctuation();
  }

  void line_comment() {
    while (at_ < text_.size() && peek() != '\n') {
      note_comment(peek());
      advance();
    }
  }

  void block_comment() {
    while (at_ < text_.size()) {
      if (peek() == '*' && peek(1) == '/') {
        advance();
        return advance();
      }
      note_comment(peek());
      advance();
    }
  }

  // A directive is read to its end; only includes and `#pragma once` matter.
  void directive() {
    const int line = line_;
    std::string body;
    while (at_ < text_.size() && peek() != '\n') {
      if (peek() == '/' && peek(1) == '/') break;
      if (peek() == '/' && peek(1) == '*') {
        block_comment();
        continue;
      }
      if (peek() == '\\' && peek(1) == '\n') advance();
      body.push_back(peek());
      advance();
    }
    if (body.find("pragma once") != std::string::npos) file_.has_pragma_once = true;
    const auto open = body.find_first_of("\"<");
    if (!body.starts_with("#include") || open == std::string::npos) return;
    const auto close = body.find_first_of("\">", open + 1);
    if (close == std::string::npos) return;
    file_.includes.push_back({body.substr(open + 1, close - open - 1), body[open] == '"', line});
  }

  void quoted(char quote) {
    const int line = line_;
    advance();
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\') advance();
      advance();
    }
    advance();
    emit(std::string(2, quote), line);
  }

  void string_literal() {
    const bool raw = at_ > 0 && text_[at_ - 1] == 'R';
    if (!raw) return quoted('"');
    const int line = line_;
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return quoted('"');
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const auto close = text_.find(end, open);
    const auto stop = close == std::string_view::npos ? text_.size() : close + end.size();
    while (at_ < stop) advance();
    file_.tokens.pop_back();  // the prefix R
    emit("\"\"", line);
  }

  void number() {
    const int line = line_;
    std::string text;
    while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) {
      text.push_back(peek());
      advance();
    }
    emit(std::move(text), line);
  }

  void word() {
    const int line = line_;
    std::string text;
    while (is_word(peek())) {
      text.push_back(peek());
      advance();
    }
    emit(std::move(text), line);
  }

  void punctuation() {
    const int line = line_;
    const bool pair = (peek() == ':' && peek(1) == ':') || (peek() == '-' && peek(1) == '>');
    std::string text(text_.substr(at_, pair ? 2 : 1));
    for (std::size_t i = 0; i < text.size(); ++i) advance();
    emit(std::move(text), line);
  }

  SourceFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool fresh_line_ = true;
};

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

SourceFile parse_source(std::string path, std::string_view text) {
  SourceFile file;
  file.path = std::move(path);
  file.lines = split_lines(text);
  file.comments.resize(file.lines.size());
  Parser(file, text).parse();
  return file;
}

bool is_identifier(std::string_view token) {
  return !token.empty() && is_word(token[0]) &&
         std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

std::size_t skip_balanced(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (text == "(" || text == "{" || text == "[") ++depth;
    if ((text == ")" || text == "}" || text == "]") && --depth == 0) return i + 1;
  }
  return tokens.size();
}

std::size_t skip_angles(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (text == ";" || text == "{") return i;  // it was a comparison
    if (text == "<") ++depth;
    if (text == ">" && --depth == 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace photonsim::lint
