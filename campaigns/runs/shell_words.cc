#include "campaigns/runs/shell_words.h"

namespace photonsim::campaigns {

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:@%,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  // Inside double quotes a single quote is plain; these characters are not.
  if (word.find('\'') != std::string_view::npos &&
      word.find_first_of("\"$`\\!") == std::string_view::npos) {
    return '"' + std::string(word) + '"';
  }
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

std::string sqlite_command(std::string_view file, std::string_view sql) {
  return "sqlite3 " + shell_word(file) + " " + shell_word(sql);
}

std::string error_text(const photon::analysis::FileError& error) {
  if (error.sql.empty()) return error.message();
  return error.message() + ": " + sqlite_command(error.file, error.sql);
}

}  // namespace photonsim::campaigns
