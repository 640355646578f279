// Results files of several machines in one.
#include "analysis/results/result_merge.h"

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/results/result_store.h"
#include "analysis/results/result_verify.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

using Folder = photon::testing::TemporaryFolder;

CampaignIdentity identity(const std::string& text = "a") {
  CampaignIdentity identity;
  identity.points = {{"one", PointKind::scenario, text, {{"registry.shards", "1"}}},
                     {"two", PointKind::scenario, text + "2", {{"registry.shards", "2"}}}};
  identity.model_version = "m";
  return identity;
}

RunRecord run(std::uint32_t point, std::uint64_t seed, const std::string& fingerprint) {
  RunRecord record;
  record.scenario = point;
  record.seed = seed;
  record.fingerprint = fingerprint;
  record.metrics = {{"joined", Unit::count, Adding::sum, static_cast<double>(seed)}};
  return record;
}

void write(const std::string& file, const CampaignIdentity& campaign,
           const std::vector<RunRecord>& runs, const std::string& outcome = {}) {
  auto store = ResultStore::open(file);
  REQUIRE(store);
  REQUIRE(store.assume_value().append(campaign, runs, outcome));
}

std::vector<RunRecord> runs_in(const std::string& file, const CampaignIdentity& campaign) {
  auto store = ResultStore::open(file);
  REQUIRE(store);
  std::vector<RunRecord> runs;
  REQUIRE(store.assume_value().read(campaign.key(),
                                    [&](RunRecord each) { runs.push_back(std::move(each)); }));
  return runs;
}

const std::string kFirst = "aaaaaaaaaaaaaaaa", kSecond = "bbbbbbbbbbbbbbbb";

}  // namespace

TEST_CASE("merge: runs of all files are in the one, each once, and it proves whole") {
  const Folder folder;
  const std::string one = folder.file("one.db"), two = folder.file("two.db");
  const std::string all = folder.file("all.db");
  write(one, identity(), {run(0, 1, kFirst), run(1, 1, kSecond)});
  write(two, identity(), {run(0, 2, kSecond), run(0, 1, kFirst)});
  write(two, identity("other"), {run(1, 7, kFirst)});
  const std::vector<std::string> from{one, two};
  const auto merged = merge_results(all, from);
  REQUIRE(merged);
  CHECK(merged.assume_value().copied == 4);
  CHECK(merged.assume_value().known == 1);
  const auto runs = runs_in(all, identity());
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].metric("joined") == 1.0);
  CHECK(runs[2].seed == 2);
  CHECK(runs_in(all, identity("other")).size() == 1);
  const auto verified = verify_results(all);
  REQUIRE(verified);
  CHECK(verified.assume_value().is_whole());
  // Once more: nothing is there twice.
  const auto again = merge_results(all, from);
  REQUIRE(again);
  CHECK(again.assume_value().copied == 0);
  CHECK(again.assume_value().known == 5);
  CHECK(runs_in(all, identity()).size() == 3);
}

TEST_CASE("merge: two files that have one run with other results are an error") {
  const Folder folder;
  const std::string one = folder.file("one.db"), two = folder.file("two.db");
  const std::string all = folder.file("all.db");
  write(one, identity(), {run(0, 1, kFirst)});
  write(two, identity(), {run(0, 1, kSecond)});
  const std::vector<std::string> from{one, two};
  const auto merged = merge_results(all, from);
  REQUIRE_FALSE(merged);
  CHECK_THAT(merged.assume_error().message(),
             Catch::Contains("two.db") && Catch::Contains("another fingerprint"));
  CHECK(runs_in(all, identity()).size() == 1);
}

TEST_CASE("merge: a missing source is an error and is not made; nor is a file its own source") {
  const Folder folder;
  const std::string one = folder.file("one.db"), none = folder.file("none.db");
  write(one, identity(), {run(0, 1, kFirst)});
  const std::vector<std::string> missing{none}, itself{one};
  CHECK_FALSE(merge_results(folder.file("all.db"), missing));
  CHECK_FALSE(std::filesystem::exists(none));
  const auto same = merge_results(one, itself);
  REQUIRE_FALSE(same);
  CHECK_THAT(same.assume_error().message(), Catch::Contains("the file to merge into"));
}

}  // namespace photon::analysis::testing
