#include "analysis/results/result_verify.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "analysis/results/result_reader.h"
#include "analysis/results/result_store.h"
#include "tests/analysis/results_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

RunDetails small_run(std::uint64_t seed) {
  Summary summary;
  summary.scenario = "small";
  summary.seed = seed;
  summary.fingerprint = "0123456789abcdef";
  LatencyHistogram histogram;
  histogram.add(Duration(5'000'000));
  RunDetails run = details_of(summary, "[scenario]\nname = \"small\"\n", "v1");
  run.record.histograms = {{"stages.total", histogram.to_bytes()}};
  run.summary.faults = {{0, "a fault that is known by its words", 10, 10, true}};
  run.checkpoints = {{1000, 10, "aa"}, {2000, 20, "bb"}};
  run.manifest = {{"compiler", "g++"}};
  return run;
}

struct SavedFile {
  photon::testing::TemporaryFolder folder{};
  std::string file = folder.file("results.db");

  explicit SavedFile(std::uint64_t runs) {
    auto store = ResultStore::open(file);
    REQUIRE(store.has_value());
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      REQUIRE(store.value().save(small_run(seed)).has_value());
    }
    REQUIRE(store.value().gather().has_value());
  }
  void change(const std::string& sql) const { testing::change(file, sql); }
  StoreFindings verified() const { return testing::verified(file); }
  std::string only_fault() const {
    const StoreFindings found = verified();
    REQUIRE(found.faults.size() == 1);
    return found.faults.front();
  }
};

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("verify: a file as it was saved is whole, and counted") {
  const SavedFile saved(3);
  const StoreFindings found = saved.verified();
  CHECK(found.is_whole());
  CHECK(found.schema == kResultStoreVersion);
  CHECK(found.runs == 3);
  CHECK(found.scenarios == 1);
  CHECK(found.rows > 3 * 40);
  CHECK(found.bytes == std::filesystem::file_size(saved.file));
}

TEST_CASE("verify: missing, extra or changed rows are named with their run") {
  const SavedFile saved(3);
  const std::string key = small_run(2).key();
  const std::string here = " WHERE run = (SELECT id FROM run WHERE key = '" + key + "')";
  SECTION("a row is missing") {
    saved.change("DELETE FROM checkpoint" + here + " AND number = 1");
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("rows"));
  }
  SECTION("a number is another one") {
    saved.change("UPDATE metric_value SET value = value + 1e-9" + here +
                 " AND quantity = (SELECT id FROM quantity WHERE name = 'sim_seconds')");
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("value"));
  }
  SECTION("all figures are missing") {
    saved.change("DELETE FROM metric_value" + here);
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("no figures"));
  }
  SECTION("a histogram is cut") {
    saved.change("UPDATE histogram SET buckets = substr(buckets, 1, 5)" + here);
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("histogram"));
  }
  SECTION("no fingerprint") {
    saved.change("UPDATE run SET fingerprint = '' WHERE key = '" + key + "'");
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("no fingerprint"));
  }
  SECTION("no verdict: the summary is cut") {
    saved.change("UPDATE summary SET json = substr(json, 1, 100)" + here);
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("JSON"));
  }
  SECTION("another seed than the key says") {
    saved.change("UPDATE run SET seed = '7' WHERE key = '" + key + "'");
    CHECK_THAT(saved.only_fault(), Catch::Contains(key) && Catch::Contains("key"));
  }
  SECTION("rows without their run") {
    saved.change("PRAGMA foreign_keys = OFF; DELETE FROM run WHERE key = '" + key + "'");
    const StoreFindings found = saved.verified();
    CHECK(found.runs == 2);
    REQUIRE_FALSE(found.is_whole());
    CHECK_THAT(found.faults.front(), Catch::Contains("not there"));
  }
}

TEST_CASE("verify: a read-only file is read as it is, its write-ahead log included") {
  const SavedFile saved(2);
  const std::string folder = saved.folder.file("sealed");
  const std::string file = folder + "/results.db";
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(saved.file, file);
  std::filesystem::permissions(saved.folder.file(""), std::filesystem::perms(0755));
  const auto as_reader = [&](const auto& look) {
    std::filesystem::permissions(file, std::filesystem::perms(0444));
    std::filesystem::permissions(folder, std::filesystem::perms(0555));
    constexpr uid_t kNone = 65534;
    const bool root = ::geteuid() == 0;
    if (root) REQUIRE(::seteuid(kNone) == 0);
    const auto found = look();
    if (root) REQUIRE(::seteuid(0) == 0);
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    return found;
  };
  const auto found = as_reader([&] { return verify_results(file); });
  REQUIRE(found.has_value());
  CHECK(found.value().is_whole());
  CHECK(found.value().runs == 2);
  const auto reader = as_reader([&] { return ResultReader::open(file).has_value(); });
  CHECK(reader);
  // Rows that are only in the log would be missing.
  std::ofstream(file + "-wal") << std::string(5000, 'x');
  const auto refused = as_reader([&] { return verify_results(file); });
  if (!refused.has_value()) {
    CHECK_THAT(refused.error().message(), Catch::Contains("-wal"));
  } else {
    CHECK(refused.value().runs == 2);  // SQLite could make its index, and saw that this is no log
  }
}

TEST_CASE("verify: a flipped byte inside a page, which SQLite does not detect") {
  const SavedFile saved(1);
  std::string bytes = content_of(saved.file);
  const std::size_t place = bytes.find("known by its words");
  REQUIRE(place != std::string::npos);
  bytes[place] = 'b';
  std::ofstream(saved.file, std::ios::binary) << bytes;
  CHECK_THAT(saved.only_fault(), Catch::Contains("value"));
}

TEST_CASE("verify: a file that lost its end, another program's file, a text") {
  const SavedFile saved(30);
  SECTION("its end is gone") {
    std::filesystem::resize_file(saved.file, std::filesystem::file_size(saved.file) / 2);
    const auto found = verify_results(saved.file);
    CHECK((!found.has_value() || !found.value().is_whole()));
  }
  SECTION("another program's") {
    saved.change("DROP VIEW metric");
    CHECK_THAT(verify_results(saved.file).error().message(), Catch::Contains("not a results file"));
  }
  SECTION("a newer schema") {
    saved.change("PRAGMA user_version = 99");
    CHECK_THAT(verify_results(saved.file).error().message(), Catch::Contains("newer"));
  }
  SECTION("a text") {
    std::ofstream(saved.file)
        << "this is a text, long enough to be taken for a header of SQLite...";
    std::ofstream(saved.file, std::ios::app) << std::string(4096, ' ');
    CHECK_THAT(verify_results(saved.file).error().message(), Catch::Contains("not a results file"));
  }
  SECTION("no file, and none is created") {
    const std::string none = saved.folder.file("none.db");
    CHECK_THAT(verify_results(none).error().message(), Catch::Contains("no such file"));
    CHECK_FALSE(std::filesystem::exists(none));
  }
}

}  // namespace photon::analysis::testing
