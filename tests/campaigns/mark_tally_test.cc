// What a campaign knows of the marks that its runs have reached.
#include "campaigns/mark_tally.h"

#include <algorithm>
#include <string>

#include "campaigns/campaign.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using Catch::Contains;

namespace {

// Marks of this file's own: what else is linked here has none that are asked for by name.
void come_by() {
  PHOTON_MARK("test.tally.common", common);
  PHOTON_MARK("test.tally.rare", rare);
  PHOTON_MARK("test.tally.very_rare", very_rare);
  // No run is needed to see that this one is left out.
  PHOTON_MARK("test.tally.excused", excused);
}

std::size_t number_of(std::string_view name) {
  const auto marks = all_marks();
  return static_cast<std::size_t>(std::ranges::find(marks, name, &MarkPlace::name) - marks.begin());
}

MarkHits hits_of(const std::vector<std::pair<std::string, std::uint64_t>>& named) {
  MarkHits hits;
  for (const auto& [name, count] : named) hits.emplace_back(number_of(name), count);
  return hits;
}

std::vector<std::string> unreached(const MarkTally& tally, MarkRarity rarest) {
  std::vector<std::string> names;
  for (const std::size_t mark : tally.unreached(rarest)) {
    const std::string name(all_marks()[mark].name);
    if (name.starts_with("test.tally.")) names.push_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("DESIGN-6 what was never reached is told, up to the rarity that is required") {
  MarkTally tally;
  CHECK(unreached(tally, MarkRarity::common) == Names{"test.tally.common"});
  CHECK(unreached(tally, MarkRarity::very_rare) ==
        Names{"test.tally.common", "test.tally.rare", "test.tally.very_rare"});
  CHECK(tally.add(hits_of({{"test.tally.common", 3}, {"test.tally.rare", 1}})));
  CHECK(tally.add(hits_of({{"test.tally.common", 4}})));
  CHECK(unreached(tally, MarkRarity::rare).empty());
  CHECK(unreached(tally, MarkRarity::very_rare) == Names{"test.tally.very_rare"});
  CHECK_THAT(tally.unreached_names(MarkRarity::very_rare), Contains("test.tally.very_rare"));
  CHECK_THAT(tally.unreached_names(MarkRarity::common), !Contains("test.tally"));
  CHECK(tally.hits(number_of("test.tally.common")) == 7);
  CHECK(tally.runs(number_of("test.tally.common")) == 2);
  CHECK(tally.runs(number_of("test.tally.rare")) == 1);
  CHECK(tally.reached(MarkRarity::common) == 1);
  CHECK(tally.reached(MarkRarity::excused) == 0);
  CHECK_FALSE(tally.add({{number_of("test.tally.rare"), 1}, {all_marks().size(), 1}}));
  CHECK(tally.runs(number_of("test.tally.rare")) == 1);
  if (tally.reached(MarkRarity::excused) > 0) come_by();  // a use, so that they are linked
}

TEST_CASE("campaign: the report has every mark, with its place, hits and runs") {
  CampaignSum sum({"a"});
  CampaignRun run;
  run.marks = hits_of({{"test.tally.rare", 5}});
  CHECK(sum.add(run));
  run.seed = 1;
  CHECK(sum.add(run));
  CHECK_THAT(sum.json({}),
             Contains(R"("test.tally.rare":{"rarity":"rare","place":"tests/campaigns/mark)") &&
                 Contains(R"("hits":10,"runs":2})") &&
                 Contains(R"("test.tally.excused":{"rarity":"excused")"));
  CHECK_THAT(sum.text({}), Contains("marks of the code\n") && Contains("reached, of ") &&
                               !Contains("test.tally.very_rare"));
  CampaignFrame verbose;
  verbose.names_marks = true;
  CHECK_THAT(sum.text(verbose), Contains("\n    never ") && Contains("test.tally.very_rare"));
  run.marks = {{all_marks().size(), 1}};
  CHECK_FALSE(sum.add(run));
  CHECK(sum.runs() == 2);
  CHECK_THAT(line_of(all_marks()[number_of("test.tally.rare")]),
             Contains("test.tally.rare ") && Contains(" rare ") &&
                 Contains("tests/campaigns/mark_tally_test.cc:"));
}

}  // namespace photon::analysis::testing
