// PHOTON_MARK(name) and PHOTON_LIMIT(name, value, limit): the name a literal, of one form, used
// once. Each mark has a row in the table of rarities, each row a mark, and an exempt one its
// reason.
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

// Shorter text is no reason.
constexpr std::size_t kReasonLengthMin = 20;

// "registry_client" of core_impl/photon/registry_client/registry_client.cc.
std::string folder_of(const std::string& path) {
  const auto end = path.rfind('/');
  if (end == std::string::npos || end == 0) return {};
  const auto begin = path.rfind('/', end - 1);
  return path.substr(begin == std::string::npos ? 0 : begin + 1, end - begin - 1);
}

}  // namespace

void check_marks(const SourceFile& file, std::map<std::string, std::string>& places,
                 Findings& findings) {
  static const std::regex kMark(R"re(PHOTON_MARK\("([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)"\);)re");
  static const std::regex kLimit(R"re(PHOTON_LIMIT\("([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)", )re");
  for (const Token& token : file.tokens) {
    const bool limit = token.text == "PHOTON_LIMIT";
    if (token.text != "PHOTON_MARK" && !limit) continue;
    const auto find = [&](const std::string& message) {
      findings.push_back({file.path, token.line, "mark", message});
    };
    const auto index = static_cast<std::size_t>(token.line - 1);
    std::smatch parts;
    if (!std::regex_search(file.lines[index], parts, limit ? kLimit : kMark)) {
      find(
          "a mark is written PHOTON_MARK(\"place.path\"); on one line, or PHOTON_LIMIT(\"place."
          "path\", value, limit); the name a literal of lower-case words");
      continue;
    }
    const std::string name = parts[1];
    const bool core = file.path.starts_with("core_impl/");
    if (core && !name.starts_with(folder_of(file.path) + ".")) {
      find("'" + name + "' does not begin with its folder: " + folder_of(file.path) + ".");
    }
    const std::string here = file.path + ":" + std::to_string(token.line);
    for (const char* const side : {".above", ".at", ".below"}) {
      const std::string mark = limit ? name + side : name;
      const auto [place, is_new] = places.emplace(mark, here);
      if (!is_new) find("'" + mark + "' is the name of another mark: " + place->second);
      if (!limit) break;
    }
  }
}

void check_mark_rows(const std::string& path, std::string_view text,
                     const std::map<std::string, std::string>& places, Findings& findings) {
  static const std::regex kRow(R"re(MARK\("([^"]+)", (common|rare|very_rare|exempt), "(.*)"\))re");
  std::set<std::string> rows;
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    const auto find = [&](const std::string& message) {
      findings.push_back({path, number, "mark", message});
    };
    std::smatch parts;
    if (!std::regex_match(line, parts, kRow)) {
      find(
          "a row is written MARK(\"place.path\", rarity, \"reason\"): the rarity common, rare, "
          "very_rare or exempt");
      continue;
    }
    const std::string name = parts[1];
    if (!rows.insert(name).second) find("'" + name + "' has a row already");
    if (!places.contains(name)) find("no mark has the name '" + name + "': remove the row");
    if (parts[2] == "exempt" && parts[3].str().size() < kReasonLengthMin) {
      find("'" + name + "' is exempt without a reason: say why no simulated run reaches it");
    }
  }
  for (const auto& [name, place] : places) {
    if (place.starts_with("tests/") || rows.contains(name)) continue;
    findings.push_back({path, 0, "mark",
                        "'" + name + "' (" + place + ") has no row: add MARK(\"" + name +
                            "\", very_rare, \"\") in the order of names"});
  }
}

}  // namespace photonsim::lint
