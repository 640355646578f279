#include "tests/scenarios/language/support.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tests/support/catch.h"

namespace photonsim::scenarios::testing {

const std::vector<std::string>& shipped() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(kLibrary)) {
      if (entry.path().extension() == ".toml") found.push_back(entry.path().stem().string());
    }
    std::ranges::sort(found);
    return found;
  }();
  return names;
}

std::filesystem::path shipped_path(std::string_view name) {
  return std::filesystem::path{kLibrary} / fmt::format("{}.toml", name);
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  REQUIRE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Config must_load(std::string_view text, const std::vector<std::string>& set) {
  const LoadResult result = load_text(text, "scenarios/test.toml", set);
  if (!result.ok()) {
    FAIL(format(result.diagnostics()));
  }
  return result.config();
}

std::vector<Diagnostic> must_fail(std::string_view text, const std::vector<std::string>& set) {
  const LoadResult result = load_text(text, "scenarios/test.toml", set);
  REQUIRE_FALSE(result.ok());
  REQUIRE_FALSE(result.diagnostics().empty());
  return result.diagnostics();
}

bool has(const std::vector<Diagnostic>& diagnostics, const Expected& expected) {
  const bool found =
      std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
        return diagnostic.message.find(expected.message) != std::string::npos &&
               diagnostic.hint.find(expected.hint) != std::string::npos &&
               (expected.line == 0 || diagnostic.line == expected.line) &&
               (expected.column == 0 || diagnostic.column == expected.column);
      });
  if (!found) {
    UNSCOPED_INFO("expected \"" << expected.message << "\" at " << expected.line << ":"
                                << expected.column << ", found\n"
                                << format(diagnostics));
  }
  return found;
}

void refused(const std::vector<std::string>& set, std::string_view message, std::string_view hint) {
  CAPTURE(set);
  CHECK(has(must_fail("", set), {message, 0, 0, hint}));
}

std::string fault(std::string_view table, std::string_view body) {
  return "faults." + std::string{table} + "=[{" + std::string{body} + "}]";
}

}  // namespace photonsim::scenarios::testing
