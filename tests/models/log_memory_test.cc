// Memory of a user's log while it is read, as a multiple of its files.
#include <filesystem>

#include <fmt/format.h>

#include "models/trace_log.h"
#include "tests/bench/heap_meter.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::models {
namespace {

constexpr int kQueries = 40'000;
constexpr int kClicks = 160'000;

struct Files {
  std::string queries;
  std::string clicks;
  std::uintmax_t bytes;
};

// Rows as short as epoch times and numbered ids allow: what is kept of each row weighs most there.
Files write_log(const testing::TemporaryFolder& folder) {
  std::string queries = "query_id,t_ms\n";
  for (int i = 0; i < kQueries; ++i) queries += fmt::format("q{},{}\n", i, 1'750'000'000'000 + i);
  std::string clicks = "click_id,query_id,t_ms\n";
  for (int i = 0; i < kClicks; ++i) {
    clicks += fmt::format("c{},q{},{}\n", i, i % kQueries, 1'750'000'000'500 + i);
  }
  Files files{folder.write("queries.csv", queries), folder.write("clicks.csv", clicks), 0};
  files.bytes =
      std::filesystem::file_size(files.queries) + std::filesystem::file_size(files.clicks);
  return files;
}

}  // namespace

TEST_CASE("reading a log of 200,000 rows takes at most five times the bytes of its files") {
  const testing::TemporaryFolder folder;
  const Files files = write_log(folder);
  const std::size_t before = bench::heap_live();
  bench::forget_heap_peak();
  const auto log = read_trace_log(
      {{files.queries}, "query_id", "", "t_ms", TimeForm::milliseconds},
      {{files.clicks}, "click_id", "query_id", "t_ms", TimeForm::milliseconds}, Dangling::error);
  const std::size_t peak = bench::heap_peak() - before;
  REQUIRE(log);
  const std::uint32_t rows =
      log.assume_value().primaries.size() + log.assume_value().foreigns.size();
  CHECK(rows == kQueries + kClicks);
  INFO(peak << " bytes for " << files.bytes << " bytes of files");
  CHECK(peak <= 5 * files.bytes);
  // The meter meters: less than half of a row's 40 bytes cannot be all that is kept.
  CHECK(bench::heap_live() - before >= 20U * rows);
}

}  // namespace photon::models
