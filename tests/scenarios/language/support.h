// Helpers of the scenario tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/loader.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::scenarios::testing {

inline constexpr std::string_view kLibrary =
    "scenarios";  // tests run in the root of the repository

// Names of the scenarios that ship with the project.
[[nodiscard]] const std::vector<std::string>& shipped();

[[nodiscard]] std::filesystem::path shipped_path(std::string_view name);

[[nodiscard]] std::string read_text(const std::filesystem::path& path);

// The Config of a text that must be valid; fails the test with the diagnostics otherwise.
[[nodiscard]] Config must_load(std::string_view text, const std::vector<std::string>& set = {});

// The diagnostics of a text that must not be valid.
[[nodiscard]] std::vector<Diagnostic> must_fail(std::string_view text,
                                                const std::vector<std::string>& set = {});

// True if one of the diagnostics contains it, at that line and column (0 = anywhere).
struct Expected {
  std::string_view message{};  // a part of it
  std::uint32_t line{0};
  std::uint32_t column{0};
  std::string_view hint{};  // a part of it
};
[[nodiscard]] bool has(const std::vector<Diagnostic>& diagnostics, const Expected& expected);

// Fails the test unless these settings are refused with this message and hint.
void refused(const std::vector<std::string>& set, std::string_view message,
             std::string_view hint = {});

// The setting of a table of faults with one entry.
[[nodiscard]] std::string fault(std::string_view table, std::string_view body);

using photon::testing::TemporaryFolder;

}  // namespace photonsim::scenarios::testing
