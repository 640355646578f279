// A C++ source file as the rules see it: raw lines, comments by line, and tokens of the code alone.
//
// Invariant: tokens hold no character of a comment, and a string or character literal is one token
// whose text is `""` or `''`, so a rule that bans a name ignores prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace photonsim::lint {

struct Token {
  std::string text;  // identifier, number, `::`, `->`, or one character
  int line = 0;      // 1-based
};

struct Include {
  std::string path;
  bool quoted = false;  // "path" as opposed to <path>
  int line = 0;
};

struct SourceFile {
  std::string path;                   // from the root of the repository, with '/'
  std::vector<std::string> lines;     // as written
  std::vector<std::string> comments;  // text of the comments of each line, empty if none
  std::vector<Include> includes;
  std::vector<Token> tokens;  // preprocessor directives left out
  bool has_pragma_once = false;

  bool is_header() const { return path.ends_with(".h"); }
};

// Splits `text` at line ends; a final line end opens no further line.
std::vector<std::string> split_lines(std::string_view text);

SourceFile parse_source(std::string path, std::string_view text);

bool is_identifier(std::string_view token);

// Index just past the bracket that closes the one at `open`, or tokens.size().
std::size_t skip_balanced(const std::vector<Token>& tokens, std::size_t open);

// The same for the `<` at `open` of template arguments, read as nested angles.
std::size_t skip_angles(const std::vector<Token>& tokens, std::size_t open);

}  // namespace photonsim::lint
