#include "models/synthetic_workload.h"

#include <array>
#include <cmath>

#include "core_impl/base/codec.h"
#include "models/clocks.h"
#include "models/payload.h"
#include "models/shipping.h"
#include "tests/models/workload_check.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SyntheticWorkload::Options small() {
  SyntheticWorkload::Options out;
  out.seed = 21;
  out.clicks_start = SimTime(seconds(20));
  out.end = SimTime(seconds(100));
  out.clicks_per_second = 50;
  out.queries_per_second = 200;
  out.query_servers = 3;
  out.click_servers = 2;
  out.slow_median = seconds(40);
  return out;
}

TEST_CASE("A-01 A-02 every click's expected join matches its bytes and its query's bytes") {
  const HostClocks clocks(1, {});
  SyntheticWorkload workload(small(), clocks);
  const auto found = testing::check_workload(workload);
  CHECK(found.clicks == Approx(4000).margin(260));  // 4 standard deviations
  CHECK(found.queries == Approx(20'000).margin(570));
  CHECK(found.referring_to_nothing == 0);
}

TEST_CASE("A-03 N:1: queries with no click, with one, and with several") {
  const HostClocks clocks(1, {});
  SyntheticWorkload workload(small(), clocks);
  const auto found = testing::check_workload(workload);
  std::uint64_t once = 0;
  std::uint64_t more = 0;
  for (const auto& [query, clicks] : found.clicked) ++(clicks == 1 ? once : more);
  CHECK(found.queries - once - more > 1000);
  CHECK(once > 1000);
  CHECK(more > 100);
}

TEST_CASE("J-S17 bytes read in any fragments and any order are the bytes read whole") {
  const HostClocks clocks(1, {});
  for (const std::uint32_t payload : {4U, 64U, 211U}) {
    SyntheticWorkload::Options options = small();
    options.query_payload = payload;
    options.click_payload = payload;
    SyntheticWorkload workload(options, clocks);
    testing::check_random_reads(workload, payload);
  }
}

TEST_CASE("J-S17 the same options give the same logs and clicks, however they are read") {
  const HostClocks clocks(1, {});
  SyntheticWorkload first(small(), clocks);
  SyntheticWorkload second(small(), clocks);
  while (first.next_click()) {
  }  // draws all clicks before the first read; the other one reads first
  for (std::size_t i = first.logs().size(); i-- > 0;) {
    CHECK(testing::read_whole(*first.logs()[i], first.end()) ==
          testing::read_whole(*second.logs()[i], second.end()));
  }
  SyntheticWorkload::Options other = small();
  other.seed = 22;
  SyntheticWorkload different(other, clocks);
  CHECK(testing::read_whole(*different.logs()[0], different.end()) !=
        testing::read_whole(*second.logs()[0], second.end()));
}

TEST_CASE("A-06 under skew some clicks carry a stamp below their query's") {
  HostClocks::Options skewed;
  skewed.epsilon = seconds(20);
  skewed.sync_error = seconds(19);
  const HostClocks clocks(1, skewed);
  SyntheticWorkload::Options options = small();
  options.fast_mean = seconds(2);
  SyntheticWorkload workload(options, clocks);
  const auto found = testing::check_workload(workload);
  CHECK(found.stamped_before_query > 50);
  CHECK(found.stamped_before_query < found.clicks);
}

TEST_CASE("A-04 a query precedes its click; where there is none yet, the click refers to nothing") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.clicks_start = SimTime{};  // from the very first moment
  options.queries_per_second = 1;
  SyntheticWorkload workload(options, clocks);
  // Generation times of the queries, by file and end.
  std::map<std::pair<std::uint32_t, std::uint64_t>, SimTime> generated;
  for (const auto& log : workload.logs()) {
    SimTime from{};
    while (const auto next = log->next_generation(from)) {
      from = *next + Duration(1);
      generated[{log->file().number(), log->length_before(from)}] = *next;
    }
  }
  std::uint64_t nothing = 0;
  while (const auto click = workload.next_click()) {
    if (click->truth.query.is_null()) {
      ++nothing;
      continue;
    }
    const auto query = generated.find({click->truth.query_file, click->truth.query_end});
    REQUIRE(query != generated.end());
    REQUIRE(query->second <= click->at);
  }
  CHECK(nothing > 0);
}

TEST_CASE(
    "A-03 servers without any query use others' queries; without any query there is no reference") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.queries_per_second = 0;
  SyntheticWorkload workload(options, clocks);
  const auto found = testing::check_workload(workload);
  CHECK(found.queries == 0);
  CHECK(found.clicks > 3000);
  CHECK(found.referring_to_nothing == found.clicks);

  options.queries_per_second = 0.02;  // two queries or so in all: most servers have none
  options.query_servers = 8;
  SyntheticWorkload sparse(options, clocks);
  const auto few = testing::check_workload(sparse);
  REQUIRE(few.queries > 0);
  REQUIRE(few.queries < 8);
  CHECK(few.referring_to_nothing < few.clicks);
}

TEST_CASE("G-06 the delay between query and click is the configured mixture") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.fast_fraction = 1;
  options.fast_mean = seconds(3);
  options.queries_per_second = 5000;  // dense, so that the last query before is near the target
  options.clicks_per_second = 100;
  SyntheticWorkload workload(options, clocks);
  double sum = 0;
  double clicks = 0;
  while (const auto click = workload.next_click()) {
    // Stamps stand for generation times up to 100 ms here.
    sum += static_cast<double>((click->truth.click.stamp - click->truth.query.stamp).count()) / 1e9;
    ++clicks;
  }
  CHECK(sum / clicks == Approx(3).margin(0.25));
}

// Delays of a day and more beside a load that rises and falls within a day of 100 s. The density
// of the query's time, given its click, is that of the delay times the load there. So the share of
// late clicks is (1 - q) late / ((1 - q) late + q fast), with the mean loads at the queries of
// late and of fast clicks, computed here by summing over the delays.
TEST_CASE("G-06 clicks that follow queries: late ones are about equally many at all hours") {
  constexpr double kDay = 100, kFast = 2, kMedian = 150;
  const auto load = [](double at) { return 1 + 0.8 * std::cos(2 * 3.14159265358979 * at / kDay); };
  std::vector<LoadShape::Knot> knots;
  for (int i = 0; i <= 3000; ++i) knots.push_back({SimTime(seconds(i)), load(i)});
  SyntheticWorkload::Options options = small();
  options.shape = std::make_shared<LoadShape>(std::move(knots));
  options.clicks_start = SimTime(seconds(2000));
  options.end = SimTime(seconds(3000));
  options.clicks_per_second = 100;
  options.queries_per_second = 500;
  options.fast_mean = seconds(2);
  options.slow_median = seconds(150);
  options.slow_sigma = 0.5;
  const HostClocks clocks(1, {});
  // Shares of clicks that are later than 30 s, at the peak and at the bottom.
  const auto shares = [&](bool follow) {
    options.clicks_follow_queries = follow;
    SyntheticWorkload workload(options, clocks);
    std::array<double, 2> late{}, all{};
    while (const auto click = workload.next_click()) {
      const double at =
          std::fmod(std::chrono::duration<double>(click->at.time_since_epoch()).count(), kDay);
      const bool peak = at < 10 || at > 90;
      if (!peak && (at < 40 || at > 60)) continue;
      const std::size_t place = peak ? 0 : 1;
      all.at(place) += 1;
      late.at(place) += click->truth.click.stamp - click->truth.query.stamp > seconds(30) ? 1 : 0;
    }
    CHECK(all[0] > 5 * all[1]);
    return std::array{late[0] / all[0], late[1] / all[1]};
  };
  const auto expected = [&](double from, double to) {
    double late = 0, fast = 0, clicks = 0;
    for (double at = from; at < to; at += 0.5) {
      double slow_load = 0, fast_load = 0, fast_sum = 0, slow_sum = 0;
      for (double delay = 0.05; delay < 1500; delay += 0.1) {
        const double z = std::log(delay / kMedian) / 0.5;
        const double slow = std::exp(-z * z / 2) / delay;
        const double quick = std::exp(-delay / kFast);
        slow_load += slow * load(at - delay);
        slow_sum += slow;
        fast_load += quick * load(at - delay);
        fast_sum += quick;
      }
      const double slow_part = 0.15 * slow_load / slow_sum;
      const double share = slow_part / (slow_part + 0.85 * fast_load / fast_sum);
      late += share * load(at);
      fast += (1 - share) * load(at);
      clicks += load(at);
    }
    CHECK(late + fast == Approx(clicks));
    return late / clicks;
  };
  const auto [peak, bottom] = shares(true);
  // Four standard deviations of a share of some 35,000 and 5,000 clicks.
  CHECK(peak == Approx(expected(-10, 10)).margin(0.008));
  CHECK(bottom == Approx(expected(40, 60)).margin(0.03));
  CHECK(bottom > 3 * peak);
  const auto [peak_before, bottom_before] = shares(false);
  CHECK(peak_before == Approx(0.15).margin(0.008));
  CHECK(bottom_before == Approx(0.15).margin(0.02));
}

TEST_CASE("A-03 no query is hot: delays longer than the history are spread over it") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.fast_fraction = 0;
  options.slow_median = std::chrono::hours(10);  // always longer than the history
  SyntheticWorkload workload(options, clocks);
  const auto found = testing::check_workload(workload);
  CHECK(found.clicked.size() > 3000);  // of some 4,000 clicks
  for (const auto& [query, clicks] : found.clicked) REQUIRE(clicks < 12);
}

TEST_CASE("D-06 skips are expected for the campaigns that the modulus names, and only for them") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.join = {.kind = JoinRule::Kind::filter, .skip_modulo = 4};
  SyntheticWorkload workload(options, clocks);
  SyntheticWorkload reader(options, clocks);
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> campaigns;
  for (const auto& log : reader.logs()) {
    if (log->file().type != logs::LogType::primary) continue;
    for (const auto& each : testing::decode_primaries(testing::read_whole(*log, reader.end()))) {
      Bytes scratch;
      Decoder decoder(each.event.payload.bytes(scratch));
      std::uint32_t campaign = 0;
      decoder(campaign);
      campaigns[{log->file().number(), each.end}] = campaign;
    }
  }
  std::uint64_t skipped = 0;
  std::uint64_t clicks = 0;
  while (const auto click = workload.next_click()) {
    const auto campaign = campaigns.at({click->truth.query_file, click->truth.query_end});
    REQUIRE(click->truth.expect_skip == (campaign % 4 == 0 ? 1U : 0U));
    skipped += click->truth.expect_skip;
    ++clicks;
  }
  CHECK(static_cast<double>(skipped) / static_cast<double>(clicks) == Approx(0.25).margin(0.03));
}

SyntheticWorkload::Options rotated(std::uint64_t bytes) {
  SyntheticWorkload::Options options = small();
  options.file_bytes = bytes;
  return options;
}

TEST_CASE(
    "A-22 C-07 rotated files hold whole records, and together the bytes of one endless file") {
  const std::uint64_t most = GENERATE(3000, 500, 1);
  // A file for each record: many files, each read and decoded by itself.
  if (photon::testing::kSanitized && most == 1) return;
  const HostClocks clocks(1, {});
  SyntheticWorkload whole(small(), clocks);
  SyntheticWorkload workload(rotated(most), clocks);
  CHECK(testing::check_workload(workload).queries > 19'000);  // decodes each file by itself
  testing::check_random_reads(workload, most);
  std::map<std::uint32_t, Bytes> together;  // by type and server
  std::size_t files = 0;
  for (const auto& log : workload.logs()) {
    const Bytes bytes = testing::read_whole(*log, workload.end());
    if (bytes.empty()) continue;
    ++files;
    CHECK(bytes.size() <= std::max<std::uint64_t>(most, log->record_at(0).end));
    Bytes& all = together[logs::LogFile{log->file().type, log->file().server, 0}.number()];
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  CHECK(files > 500);
  for (const auto& log : whole.logs()) {
    CHECK(together.at(log->file().number()) == testing::read_whole(*log, whole.end()));
  }
}

TEST_CASE("A-22 A-24 rotated files are shipped as they are written, each from its beginning") {
  const HostClocks clocks(1, {});
  SyntheticWorkload workload(rotated(3000), clocks);
  std::vector<EventLog*> logs;
  for (const auto& log : workload.logs()) logs.push_back(log.get());
  const Shipping shipping(Shipping::Options{}, 2);
  ShippedCopies copies(logs, shipping, 1);
  std::map<std::uint32_t, SimTime> first_seen;
  std::size_t beside = 0;  // a file that is seen before its predecessor is complete
  while (copies.next()) {
    const ShippedCopies::Visible change = copies.advance();
    EventLog& log = *logs[change.log];
    if (!first_seen.try_emplace(change.log, change.at).second) continue;
    CHECK(*log.next_generation(SimTime{}) < change.at);
    if (log.file().sequence == 0) continue;
    const std::uint64_t before = testing::read_whole(*logs[change.log - 1], workload.end()).size();
    beside += copies.length(change.log - 1) < before ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < logs.size(); ++i) {
    const Bytes all = testing::read_whole(*logs[i], workload.end());
    CHECK(copies.length(i) == all.size());
  }
  CHECK(first_seen.size() > 500);
  CHECK(beside > 10);
}

std::vector<EventId> stamps_of(Workload& workload, logs::LogType type) {
  for (const auto& log : workload.logs()) {
    if (log->file().type != type) continue;
    std::vector<EventId> ids;
    const Bytes bytes = testing::read_whole(*log, workload.end());
    if (type == logs::LogType::primary) {
      for (const auto& each : testing::decode_primaries(bytes)) ids.push_back(each.event.id);
    } else {
      for (const auto& each : testing::decode_foreigns(bytes)) ids.push_back(each.event.primary);
    }
    return ids;
  }
  return {};
}

// The largest inversion, and the share of neighbours that are out of order.
struct Order {
  Duration largest{};
  double inverted = 0;
};
Order order_of(const std::vector<EventId>& ids) {
  Order order;
  Stamp highest{};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    order.largest = std::max(order.largest, Duration(highest - ids[i].stamp));
    highest = std::max(highest, ids[i].stamp);
    if (i > 0 && ids[i].stamp < ids[i - 1].stamp) order.inverted += 1;
  }
  order.inverted /= static_cast<double>(ids.size());
  return order;
}

TEST_CASE(
    "A-14 A-15 query logs are sorted but for the disorder; clicks are not in their queries' "
    "order") {
  const HostClocks clocks(1, {});
  SyntheticWorkload sorted(small(), clocks);
  CHECK(order_of(stamps_of(sorted, logs::LogType::primary)).inverted == 0);
  SyntheticWorkload::Options options = small();
  options.disorder = milliseconds(GENERATE(20, 50, 500));
  SyntheticWorkload workload(options, clocks);
  CHECK(testing::check_workload(workload).queries > 19'000);
  const Order queries = order_of(stamps_of(workload, logs::LogType::primary));
  CHECK(queries.largest <= options.disorder);
  CHECK(queries.largest > options.disorder / 4);
  CHECK(queries.inverted > 0.1);
  const Order clicks = order_of(stamps_of(workload, logs::LogType::foreign));
  CHECK(clicks.largest > seconds(20));
  CHECK(clicks.inverted > 0.3);
}

TEST_CASE("A-07 nearly all queries are never clicked, and nothing is kept for them") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options = small();
  options.clicks_per_second = 20;
  options.queries_per_second = 2000;  // a hundred for each click
  SyntheticWorkload workload(options, clocks);
  const auto found = testing::check_workload(workload);
  CHECK(found.queries > 99 * found.clicks);
  CHECK(static_cast<double>(found.clicked.size()) < 0.011 * static_cast<double>(found.queries));
}

}  // namespace
}  // namespace photon::models
