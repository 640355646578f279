// Documents name files that exist: text in backticks that looks like a path is one.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

constexpr std::string_view kSuffixes[] = {".h", ".cc", ".md", ".sh", ".toml", ".awk", ".cmake"};

// A pattern, a placeholder or a command is no path, and neither is a suffix alone. What a build or
// a run creates does not exist yet.
bool looks_like_path(std::string_view word) {
  if (word.starts_with("build/") || word.starts_with("out/")) return false;
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  if (word.find_first_not_of(kLetters) != std::string_view::npos) return false;
  if (word.find("...") != std::string_view::npos) return false;
  if (word.ends_with('/')) return true;
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes), [&](std::string_view suffix) {
    return word.size() > suffix.size() && word.ends_with(suffix);
  });
}

bool is_file_or_folder(const std::string& path, const std::set<std::string>& exists) {
  if (!path.ends_with('/')) return exists.contains(path);
  const auto inside = exists.lower_bound(path);
  return inside != exists.end() && inside->starts_with(path);
}

// From the root, from the document's folder, or, a name alone, anywhere below that folder.
bool is_found(const std::filesystem::path& folder, std::string_view word,
              const std::set<std::string>& exists) {
  const auto normal = [](const std::filesystem::path& path) {
    return path.lexically_normal().generic_string();
  };
  if (is_file_or_folder(normal(word), exists)) return true;
  if (is_file_or_folder(normal(folder / word), exists)) return true;
  if (word.find('/') != std::string_view::npos) return false;
  const std::string below = folder.empty() ? "" : folder.generic_string() + "/";
  const std::string name = "/" + std::string(word);
  return std::any_of(exists.begin(), exists.end(), [&](const std::string& path) {
    return path.starts_with(below) && path.ends_with(name);
  });
}

}  // namespace

void check_named_paths(const std::string& path, std::string_view text,
                       const std::set<std::string>& exists, Findings& findings) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    for (auto open = line.find('`'); open != std::string::npos;) {
      const auto close = line.find('`', open + 1);
      if (close == std::string::npos) break;
      const std::string word = line.substr(open + 1, close - open - 1);
      open = line.find('`', close + 1);
      if (!looks_like_path(word) || is_found(folder, word, exists)) continue;
      findings.push_back({path, number, "named-path",
                          "there is no `" + word +
                              "`: write its path from the root or from this document's folder"});
    }
  }
}

}  // namespace photonsim::lint
