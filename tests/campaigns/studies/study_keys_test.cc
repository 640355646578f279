// The table of study keys: what it lists is read, and nothing else.
#include "campaigns/studies/study_keys.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "campaigns/studies/study.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns {
namespace {

// What must stand in the key's table so that its reader gets to the key.
std::string head_of(const StudyKey& key) {
  if (key.table.empty()) return {};
  if (key.table == "claim") return "[[claim]]\n";
  if (key.table == "claim.band") return "[[claim]]\n[claim.band]\n";
  if (key.table == "chart") return "[[chart]]\n";
  if (key.table == "chart.line" || key.table == "chart.bound") {
    return fmt::format("[[chart]]\n[[{}]]\n", key.table);
  }
  std::string head = fmt::format("[{}]\n", key.table);
  if (key.table == "rare" && key.name != "method") {
    head += fmt::format("method = \"{}\"\n", key.variant);
    if (key.variant == "splitting" && key.name != "levels") head += "levels = [1]\n";
  }
  if (key.table == "search" && key.name != "over") head += "over = {\"a.b\" = [1, 2]}\n";
  if (key.table == "sample" && key.name != "design") {
    head += fmt::format("design = \"{}\"\n",
                        key.variant == "lhs, sobol" || key.variant.empty() ? "lhs" : key.variant);
  }
  return head;
}

StudyResult read_with(const std::string& text) {
  const photon::testing::TemporaryFolder folder;
  return load_study(folder.write("study.toml", text));
}

}  // namespace

TEST_CASE("each study key is read: a value that no key can have is refused, or passed on") {
  REQUIRE(study_keys().size() > 40);
  for (const StudyKey& key : study_keys()) {
    const std::string name = full_name(key);
    CAPTURE(name);
    const std::string head = head_of(key);
    const StudyResult result = read_with(fmt::format("{}{} = true\n", head, key.name));
    const auto line = static_cast<std::uint32_t>(std::ranges::count(head, '\n') + 1);
    const bool refused =
        std::ranges::any_of(result.problems, [&](const auto& each) { return each.line == line; });
    const bool passed_on = std::ranges::any_of(result.study.common, [&](const Setting& each) {
      return each.key == name && each.value == "true";
    });
    CHECK((refused || passed_on));
    for (const auto& each : result.problems) {
      CHECK_THAT(each.message, !Catch::Contains("has no key"));
    }
  }
}

TEST_CASE("a key of another variant is none of this one") {
  const auto of_crash = keys_of("rare", "forced_crash");
  CHECK(std::ranges::count(of_crash, "strata") == 1);
  CHECK(std::ranges::count(of_crash, "method") == 1);
  CHECK(std::ranges::count(of_crash, "levels") == 0);
  CHECK(std::ranges::count(keys_of(""), "search") == 1);
  CHECK(std::ranges::count(keys_of(""), "points") == 0);
}

TEST_CASE("every study key is explained with its default; others are not") {
  for (const std::string& name : study_key_names()) {
    const auto text = explain_study_key(name);
    REQUIRE(text);
    CHECK(text->starts_with(name + ": key of study files"));
  }
  CHECK_THAT(explain_study_key("search.confirmations").value(), Catch::Contains("default: 10"));
  CHECK(!explain_study_key("search.confirmation"));
}

}  // namespace photonsim::campaigns
