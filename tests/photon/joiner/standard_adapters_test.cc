// The three adapters that come with the project.

#include "core_impl/photon/joiner/standard_adapters.h"

#include "core_impl/base/codec.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

Bytes query_of(std::uint32_t campaign) {
  Bytes payload;
  Encoder encoder(payload);
  encoder(campaign, 'q');
  return payload;
}

EventId stamped(Duration at) { return EventId{1, 1, Stamp(24h + at)}; }

Bytes combined(const Bytes& click, const Bytes& query) {
  Bytes out;
  combine_payloads(click, query, out);
  return out;
}

}  // namespace

TEST_CASE("D-05 A-02 combine writes both payloads") {
  const Bytes click = bytes_of("click");
  const Bytes query = query_of(7);
  Bytes out;
  CHECK(CombineAdapter().adapt({stamped(0s), query}, {stamped(1s), click}, out) ==
        AdapterResult::joined);
  CHECK(out == combined(click, query));
}

TEST_CASE("D-05 D-06 filter skips by the query's campaign; without a campaign it skips nothing") {
  const FilterAdapter filter(10);
  const Bytes click = bytes_of("click");
  for (const std::uint32_t campaign : {0U, 9U, 10U, 11U, 4000U}) {
    CAPTURE(campaign);
    const Bytes query = query_of(campaign);
    Bytes out;
    const auto result = filter.adapt({stamped(0s), query}, {stamped(1s), click}, out);
    CHECK((result == AdapterResult::skipped) == (campaign % 10 == 0));
    CHECK(out == (campaign % 10 == 0 ? Bytes{} : combined(click, query)));
  }
  const Bytes shorter = bytes_of("abc");
  Bytes out;
  CHECK(filter.adapt({stamped(0s), shorter}, {stamped(1s), click}, out) == AdapterResult::joined);
}

TEST_CASE("D-05 A-06 enrich adds campaign and class of delay; before the query is class 0") {
  const EnrichAdapter enrich(1min);
  const Bytes click = bytes_of("click");
  struct Case {
    Duration delay;
    std::uint32_t expected;
  };
  for (const Case& one : {Case{0s, 0}, Case{59s, 0}, Case{60s, 1}, Case{5min, 5}, Case{-2min, 0}}) {
    CAPTURE(one.delay.count());
    const Bytes query = query_of(42);
    Bytes out;
    enrich.adapt({stamped(0s), query}, {stamped(one.delay), click}, out);
    Bytes expected = combined(click, query);
    Encoder encoder(expected);
    encoder(std::uint32_t{42}, one.expected);
    CHECK(out == expected);
  }
  Bytes out;
  enrich.adapt({stamped(0s), {}}, {stamped(0s), click}, out);
  Bytes expected = combined(click, {});
  Encoder encoder(expected);
  encoder(EnrichAdapter::kNoCampaign, std::uint32_t{0});
  CHECK(out == expected);
}
