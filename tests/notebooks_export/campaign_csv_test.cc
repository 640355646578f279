#include "notebooks_export/campaign_csv.h"

#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;

analysis::CampaignRun run_of_campaign(std::uint64_t seed) {
  analysis::CampaignRun run;
  run.seed = seed;
  run.counts = {seed, 7};
  run.replay = "again";
  run.fingerprint = "aa";
  run.cost = {5, 1500, 2'000'000};
  run.marks = {{1, 9}};
  return run;
}

TEST_CASE("each run of each campaign is one line; a cell is empty where a run has no such figure") {
  const photon::testing::TemporaryFolder folder;
  auto opened = analysis::CampaignStore::open(folder.file("r.sqlite"));
  REQUIRE(opened.has_value());
  analysis::CampaignStore store = std::move(opened).assume_value();
  const analysis::CampaignIdentity one{{"a,b.toml"},  {"[a]"}, 0, "v1", {"generated", "joined"},
                                       {"m.x", "m.y"}};
  analysis::CampaignIdentity other = one;
  other.counts = {"generated", "added"};
  auto first = run_of_campaign(1);
  first.groups = {{"tier", {{"over", 1}}}};
  auto bad = run_of_campaign(2);
  bad.exit_code = 3;
  bad.what = "it is \"bad\"";
  bad.counts = {};
  REQUIRE(store.append(one, std::vector{first, bad}).has_value());
  REQUIRE(store.append(other, std::vector{run_of_campaign(3)}).has_value());
  REQUIRE(export_campaigns_csv(store, folder.file("r.csv")).has_value());

  std::stringstream text;
  text << std::ifstream(folder.file("r.csv")).rdbuf();
  const bool one_is_first = one.key() < other.key();
  const std::string head =
      "campaign,scenario,seed,exit_code,verdict,what,replay,fingerprint,events,sim_seconds,"
      "cpu_seconds,generated,";
  const std::string of_first = ",\"a,b.toml\",1,0,ok,,again,aa,5,1.5,2,1,";
  const std::string of_bad = ",\"a,b.toml\",2,3,safety,\"it is \"\"bad\"\"\",again,aa,5,1.5,2,,,,,";
  const std::string of_other = ",\"a,b.toml\",3,0,ok,,again,aa,5,1.5,2,3,";
  if (one_is_first) {
    CHECK(text.str() == head + "joined,added,tier.over,marks.m.x,marks.m.y\n" + one.key() +
                            of_first + "7,,1,0,9\n" + one.key() + of_bad + "0,9\n" + other.key() +
                            of_other + ",7,,0,9\n");
  } else {
    CHECK(text.str() == head + "added,joined,tier.over,marks.m.x,marks.m.y\n" + other.key() +
                            of_other + "7,,,0,9\n" + one.key() + of_first + ",7,1,0,9\n" +
                            one.key() + of_bad + "0,9\n");
  }
}

}  // namespace
}  // namespace photonsim::notebooks
