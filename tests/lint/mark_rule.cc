// PHOTON_MARK(name, rarity): the name a literal, of one form, used once; an excuse has its reason.
#include <map>
#include <regex>
#include <string>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

// What is left of a comment that says anything.
constexpr std::size_t kReasonLengthMin = 20;

bool has_reason(const SourceFile& file, std::size_t index) {
  const std::string above = index > 0 ? file.comments[index - 1] : std::string();
  return (above + file.comments[index]).size() >= kReasonLengthMin;
}

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
  static const std::regex kForm(R"re(PHOTON_MARK\("([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)", )re"
                                R"re((common|rare|very_rare|excused)\);)re");
  for (const Token& token : file.tokens) {
    if (token.text != "PHOTON_MARK") continue;
    const auto find = [&](const std::string& message) {
      findings.push_back({file.path, token.line, "mark", message});
    };
    const auto index = static_cast<std::size_t>(token.line - 1);
    std::smatch parts;
    if (!std::regex_search(file.lines[index], parts, kForm)) {
      find(
          "a mark is written PHOTON_MARK(\"place.path\", rarity); on one line: the name a literal "
          "of lower-case words, the rarity common, rare, very_rare or excused");
      continue;
    }
    const std::string name = parts[1];
    const bool core = file.path.starts_with("core_impl/");
    if (core && !name.starts_with(folder_of(file.path) + ".")) {
      find("'" + name + "' does not begin with its folder: " + folder_of(file.path) + ".");
    }
    const std::string here = file.path + ":" + std::to_string(token.line);
    const auto [place, is_new] = places.emplace(name, here);
    if (!is_new) find("'" + name + "' is the name of another mark: " + place->second);
    if (parts[2] == "excused" && !has_reason(file, index)) {
      find("'" + name +
           "' is excused without a reason: say beside or above it why no run reaches it");
    }
  }
}

}  // namespace photonsim::lint
