// What a campaign knows of the coverage marks that its runs have reached.
#include "campaigns/mark_tally.h"

#include <algorithm>
#include <set>
#include <string>

#include "campaigns/campaign.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {

using namespace photon;
using namespace photon::analysis;

using Catch::Contains;

namespace {

// Marks of the program, the first of each rarity in the order of names.
std::string_view first_of(MarkRarity rarity) {
  const auto marks = all_marks();
  const auto found =
      std::ranges::find(marks, rarity, [](const MarkPlace& mark) { return rarity_of(mark.name); });
  REQUIRE(found != marks.end());
  return found->name;
}

struct Marks {
  std::string common{first_of(MarkRarity::common)};
  std::string rare{first_of(MarkRarity::rare)};
  std::string very_rare{first_of(MarkRarity::very_rare)};
  std::string exempt{first_of(MarkRarity::exempt)};

  bool holds(std::string_view name) const {
    return name == common || name == rare || name == very_rare || name == exempt;
  }
};

std::size_t number_of(std::string_view name) {
  const auto marks = all_marks();
  return static_cast<std::size_t>(std::ranges::find(marks, name, &MarkPlace::name) - marks.begin());
}

using Names = std::set<std::string>;

Names unreached(const MarkTally& tally, MarkRarity rarest) {
  const Marks marks;
  Names names;
  for (const std::size_t mark : tally.unreached(rarest)) {
    const std::string name(all_marks()[mark].name);
    if (marks.holds(name)) names.insert(name);
  }
  return names;
}

}  // namespace

TEST_CASE("marks have the rarity of their row; one without a row is rare") {
  CHECK(rarity_of("cell_log.conflict.a_part_was_written") == MarkRarity::exempt);
  CHECK(exemption_of("cell_log.conflict.a_part_was_written") ==
        "no simulated cell tears an append of a live writer");
  CHECK(exemption_of(Marks().common).empty());
  CHECK(rarity_of("test.of_no_row") == MarkRarity::rare);
  CHECK(exemption_of("test.of_no_row").empty());
  CHECK(rarity_of("") == MarkRarity::rare);
  CHECK(rarity_of("zzz.last") == MarkRarity::rare);
  CHECK(name_of(MarkRarity::very_rare) == "very_rare");
  CHECK(name_of(MarkRarity::exempt) == "exempt");
}

TEST_CASE("DESIGN-6 unreached marks are named, up to the rarity that is required") {
  const Marks marks;
  MarkTally tally;
  const std::size_t all_common = tally.unreached(MarkRarity::common).size();
  CHECK(unreached(tally, MarkRarity::common) == Names{marks.common});
  CHECK(unreached(tally, MarkRarity::very_rare) ==
        Names{marks.common, marks.rare, marks.very_rare});
  CHECK(tally.add({{marks.common, 3}, {marks.rare, 1}}));
  CHECK(tally.add({{marks.common, 4}}));
  CHECK(tally.unreached(MarkRarity::common).size() == all_common - 1);
  CHECK(unreached(tally, MarkRarity::rare).empty());
  CHECK(unreached(tally, MarkRarity::very_rare) == Names{marks.very_rare});
  CHECK_THAT(tally.unreached_names(MarkRarity::very_rare), Contains(marks.very_rare));
  CHECK_THAT(tally.unreached_names(MarkRarity::common),
             !Contains(marks.very_rare) && !Contains(marks.rare));
  CHECK(tally.hits(number_of(marks.common)) == 7);
  CHECK(tally.runs(number_of(marks.common)) == 2);
  CHECK(tally.runs(number_of(marks.rare)) == 1);
  CHECK(tally.reached(MarkRarity::common) == 1);
  CHECK(tally.reached(MarkRarity::exempt) == 0);
  CHECK_FALSE(tally.add({{marks.rare, 1}, {"test.of_no_row", 1}}));
  CHECK(tally.runs(number_of(marks.rare)) == 1);
}

TEST_CASE("campaign: the report has every mark, with its place, hits and runs") {
  CampaignSum sum({"a"});
  RunRecord run;
  const Marks marks;
  run.marks = {{marks.rare, 5}};
  CHECK(sum.add(run));
  run.seed = 1;
  CHECK(sum.add(run));
  CHECK_THAT(sum.json({}),
             Contains('"' + marks.rare + R"(":{"rarity":"rare","place":"core_impl/)") &&
                 Contains(R"("hits":10,"runs":2})") &&
                 Contains('"' + marks.exempt + R"(":{"rarity":"exempt")"));
  CHECK_THAT(sum.text({}), Contains("marks of the code\n") && Contains("reached, of ") &&
                               !Contains(marks.very_rare));
  CampaignFrame verbose;
  verbose.names_marks = true;
  CHECK_THAT(sum.text(verbose), Contains("\n    never ") && Contains(marks.very_rare));
  run.marks = {{"test.of_no_row", 1}};
  CHECK_FALSE(sum.add(run));
  CHECK(sum.runs() == 2);
  CHECK_THAT(line_of(all_marks()[number_of(marks.rare)]),
             Contains(marks.rare + " ") && Contains(" rare ") && Contains(" core_impl/"));
}

}  // namespace photonsim::campaigns
