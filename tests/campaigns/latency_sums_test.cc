// The table of latencies of a campaign.
#include "campaigns/latency_sums.h"

#include <chrono>

#include "tests/support/catch.h"

namespace photonsim::campaigns {

TEST_CASE("campaign latencies: a percentile needs ten values above it, and no more") {
  photon::analysis::LatencyHistogram histogram;
  for (int i = 0; i < 100; ++i) histogram.add(std::chrono::seconds(2));
  LatencySums sums;
  const std::vector<photon::analysis::StoredHistogram> stored{
      {"latency_own", histogram.to_bytes()}};
  sums.add(0, stored);
  const std::string table = latency_table("title", sums.by_scenario().at(0));
  INFO(table);
  // p50 and p90 of 100 values; p99 and beyond would rest on one.
  std::size_t values = 0, missing = 0;
  const std::string row = table.substr(table.find("latency_own"));
  for (std::size_t at = 0; (at = row.find("2.00 s", at)) < row.find('\n'); ++at) ++values;
  for (std::size_t at = 0; (at = row.find(" -", at)) < row.find('\n'); ++at) ++missing;
  CHECK(values == 3);  // and the greatest
  CHECK(missing == 3);
}

}  // namespace photonsim::campaigns
