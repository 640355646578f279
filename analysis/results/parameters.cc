#include "analysis/results/parameters.h"

#include <algorithm>
#include <array>
#include <map>

namespace photon::analysis {
namespace {

// Keys that decide nothing, or that have columns of their own.
constexpr std::array<std::string_view, 3> kOthers{"run.seed", "scenario.name",
                                                  "scenario.description"};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Without its quotes, if that is all of it.
std::string_view value_of(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
                      text.find_first_of("\"\\", 1) == text.size() - 1;
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::map<std::string, std::string> of_options(std::string_view text) {
  std::map<std::string, std::string> found;
  std::string name;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (word.starts_with("--")) {
      name = word.substr(2);
      found[name];
    } else {
      found[name] = word;
    }
  }
  return found;
}

std::map<std::string, std::string> of_scenario(std::string_view text) {
  std::map<std::string, std::string> found;
  std::map<std::string, std::size_t, std::less<>> repeated;
  std::string table;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("[[") && line.ends_with("]]")) {
      const std::string name(line.substr(2, line.size() - 4));
      table = name + "[" + std::to_string(repeated[name]++) + "].";
    } else if (line.starts_with('[') && line.ends_with(']')) {
      table = std::string(line.substr(1, line.size() - 2)) + ".";
    } else if (const std::size_t equals = line.find(" = ");
               equals != std::string_view::npos && !line.starts_with('#')) {
      const std::string name = table + std::string(line.substr(0, equals));
      if (std::ranges::find(kOthers, name) != kOthers.end()) continue;
      found[name] = value_of(trimmed(line.substr(equals + 3)));
    }
  }
  return found;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view text) {
  const bool options = trimmed(text).starts_with("--");
  const auto found = options ? of_options(text) : of_scenario(text);
  return {found.begin(), found.end()};
}

}  // namespace photon::analysis
