#include "notebooks_export/campaign_csv.h"

#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;

analysis::RunRecord run_of_campaign(std::uint64_t seed) {
  analysis::RunRecord run;
  run.seed = seed;
  run.metrics = {
      {"generated", analysis::Unit::count, analysis::Adding::sum, static_cast<double>(seed)}};
  run.replay = "again";
  run.fingerprint = "aa";
  run.events = 5;
  run.sim_milliseconds = 1500;
  run.cpu_microseconds = 2'000'000;
  run.marks = {{"m.y", 9}};
  return run;
}

TEST_CASE("each run of each campaign is one line; a cell is empty where a run has no such figure") {
  const photon::testing::TemporaryFolder folder;
  auto opened = analysis::CampaignStore::open(folder.file("r.sqlite"));
  REQUIRE(opened.has_value());
  analysis::CampaignStore store = std::move(opened).assume_value();
  const analysis::CampaignIdentity one{{"a,b.toml"}, {"[a]"}, 0, "v1"};
  auto first = run_of_campaign(1);
  first.fault_kinds = {{"clog", 1}};
  auto bad = run_of_campaign(2);
  bad.exit_code = 3;
  bad.what = "it is \"bad\"";
  bad.metrics = {};
  bad.marks = {};
  REQUIRE(store.append(one, std::vector{first, bad}).has_value());
  REQUIRE(export_campaigns_csv(store, folder.file("r.csv")).has_value());

  std::stringstream text;
  text << std::ifstream(folder.file("r.csv")).rdbuf();
  CHECK(text.str() ==
        "campaign,scenario,seed,exit_code,verdict,what,replay,fingerprint,events,sim_seconds,"
        "cpu_seconds,generated,fault_kinds.clog,marks.m.y\n" +
            one.key() + ",\"a,b.toml\",1,0,ok,,again,aa,5,1.5,2,1,1,9\n" + one.key() +
            ",\"a,b.toml\",2,3,safety,\"it is \"\"bad\"\"\",again,aa,5,1.5,2,,,\n");
}

}  // namespace
}  // namespace photonsim::notebooks
