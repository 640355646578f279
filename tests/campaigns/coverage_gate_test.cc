// The coverage gate: what a campaign must show, and its limit of exemptions, by its size.
#include "campaigns/coverage_gate.h"

#include <algorithm>

#include "scenarios/faults/all_faults.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns::testing {
namespace {

namespace analysis = photon::analysis;

// `runs` runs, of which the first `many` have a one under that name.
CampaignSum campaign_with(std::uint64_t runs, const std::string& metric, std::uint64_t many) {
  CampaignSum sum({"swarm"});
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    photon::analysis::Summary summary;
    (metric == "undecided_ids" ? summary.undecided_ids.steps : summary.process_crashes) =
        seed <= many ? 1 : 0;
    summary.stall_exempt = metric == "core.stalls_exempt" && seed <= many;
    analysis::RunRecord run = analysis::run_record_of(summary, {});
    run.seed = seed;
    REQUIRE(sum.add(std::move(run)));
  }
  REQUIRE(sum.sum(metric) == many);
  return sum;
}

}  // namespace

TEST_CASE("J-P1 J-S4 exempt stalls and indeterminate ids are limited to one run in a thousand") {
  const std::string name = GENERATE("core.stalls_exempt", "undecided_ids");
  CAPTURE(name);
  CHECK(exempt_too_often(campaign_with(10, name, 1)).empty());
  CHECK(exempt_too_often(campaign_with(10, name, 2)).size() == 1);
  CHECK(exempt_too_often(campaign_with(1400, name, 2)).empty());
  CHECK(exempt_too_often(campaign_with(1400, name, 3)).size() == 1);
}

TEST_CASE("DESIGN-6 a campaign of 5,000 configurations must show each kind of fault") {
  const auto complains_of = [](std::uint64_t runs, std::string_view missing, bool drawn) {
    CampaignSum sum({"swarm"});
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      analysis::RunRecord run;
      run.seed = seed;
      auto& kinds = run.fault_kinds;
      for (const std::string_view kind : scenarios::swarm_kinds()) {
        const bool absent = kind == missing;
        if (!absent || drawn) kinds.push_back({std::string(kind), absent ? 0U : 1U});
      }
      REQUIRE(sum.add(std::move(run)));
    }
    std::string all;
    for (const Shortfall& each : coverage_shortfalls(sum)) {
      if (each.name.starts_with("kind of fault")) all += each.what + "\n";
    }
    return all;
  };
  CHECK(complains_of(5000, "", true).empty());
  CHECK(complains_of(4999, "link.clog", false).empty());
  CHECK(complains_of(5000, "link.clog", false) ==
        "this kind of fault was never generated: link.clog\n");
  CHECK(complains_of(5000, "link.clog", true) ==
        "this kind of fault was always inert: link.clog\n");
}

TEST_CASE(
    "J-H4 in a campaign of 500 configurations each oracle must check something, J-P3 in 1,000") {
  const auto complaints = [](std::uint64_t runs, std::string_view idle) {
    CampaignSum sum({"swarm"});
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      analysis::RunRecord run;
      run.seed = seed;
      for (const std::string_view oracle : {"J-P3", "J-P6", "J-S1"}) {
        const bool obligations = oracle != idle && seed == 7;
        run.obligations.push_back({std::string(oracle), obligations ? 3U : 0U});
      }
      REQUIRE(sum.add(std::move(run)));
    }
    std::string all;
    for (const Shortfall& each : coverage_shortfalls(sum)) {
      if (each.name.starts_with("oracle")) all += each.what + "\n";
    }
    return all;
  };
  CHECK(complaints(1000, "").empty());
  CHECK(complaints(499, "J-P6").empty());
  CHECK(complaints(500, "J-P6") == "this oracle never checked anything: J-P6\n");
  CHECK(complaints(999, "J-P3").empty());
  CHECK(complaints(1000, "J-P3") == "this oracle never checked anything: J-P3\n");
}

TEST_CASE("J-H3 a hundred configurations of the contract tier must show each kind of break") {
  const auto complaints = [](std::uint64_t runs, std::string_view missing) {
    CampaignSum sum({"swarm"});
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      analysis::RunRecord run;
      run.seed = seed;
      run.tier = analysis::RunTier::contract;
      run.broken_assumption = "x";
      auto& kinds = run.fault_kinds;
      for (const std::string_view kind : scenarios::contract_kinds()) {
        if (kind != missing) kinds.push_back({std::string(kind), 1});
      }
      REQUIRE(sum.add(std::move(run)));
    }
    std::vector<std::string> all;
    for (const Shortfall& each : coverage_shortfalls(sum)) all.push_back(each.what);
    return all;
  };
  CHECK(complaints(100, "").empty());
  CHECK(complaints(99, "clock.lying_interval").empty());
  CHECK(complaints(100, "clock.lying_interval") ==
        std::vector<std::string>{"this kind of fault was never generated: clock.lying_interval"});
  // Kinds of other tiers are not required of configurations of this one.
  CHECK(complaints(5000, "").empty());
}

}  // namespace photonsim::campaigns::testing
