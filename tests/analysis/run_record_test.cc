// The record of a run passes the pipe unchanged, whatever is in it, or not at all.
#include "analysis/results/run_record.h"

#include <algorithm>
#include <limits>

#include <rapidcheck.h>

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

std::string any_text() { return *rc::gen::string<std::string>(); }
std::uint64_t any_count() { return *rc::gen::arbitrary<std::uint64_t>(); }
template <class Enum>
Enum any_of(std::size_t values) {
  return static_cast<Enum>(*rc::gen::inRange<int>(0, static_cast<int>(values)));
}

template <class Make>
auto some(const Make& make) {
  std::vector<decltype(make())> list;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) list.push_back(make());
  return list;
}

Bytes any_histogram() {
  LatencyHistogram histogram;
  for (const auto value : *rc::gen::container<std::vector<std::int64_t>>(
           rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000'000))) {
    histogram.add(Duration(value));
  }
  return histogram.to_bytes();
}

RunRecord any_record() {
  RunRecord record;
  record.scenario = *rc::gen::arbitrary<std::uint32_t>();
  record.seed = any_count();
  record.end = any_of<RunEnd>(kRunEndNames.size());
  record.exit_code = *rc::gen::arbitrary<std::int32_t>();
  record.what = any_text();
  record.replay = any_text();
  record.tier = any_of<RunTier>(kRunTierNames.size());
  record.broken_assumption = any_text();
  record.damage_detected = *rc::gen::arbitrary<bool>();
  record.determinism = any_of<Determinism>(kDeterminismNames.size());
  record.fingerprint = any_text();
  record.events = any_count();
  record.sim_milliseconds = any_count();
  record.cpu_microseconds = any_count();
  record.metrics = some([] {
    return Metric{any_text(), any_of<Unit>(kUnitNames.size()), any_of<Adding>(kAddingNames.size()),
                  static_cast<double>(*rc::gen::arbitrary<std::int64_t>()) / 1e3};
  });
  record.findings = some([] {
    return OracleFindings{any_text(),
                          any_of<Severity>(kSeverityNames.size()),
                          any_of<Standing>(kStandingNames.size()),
                          any_count(),
                          any_text(),
                          any_text(),
                          any_text(),
                          SimTime(Duration(*rc::gen::arbitrary<std::int64_t>()))};
  });
  record.histograms = some([] { return StoredHistogram{any_text(), any_histogram()}; });
  const auto counts = [] { return some([] { return NamedCount{any_text(), any_count()}; }); };
  record.marks = counts();
  record.corner_cases = counts();
  record.obligations = counts();
  record.fault_kinds = counts();
  record.fault_effects = some([] {
    return FaultEffects{any_text(), any_of<ProtocolState>(kStateNames.size()), any_count()};
  });
  return record;
}

Bytes encoded(const RunRecord& record) {
  Bytes bytes;
  encode_record(record, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("run record: an encoding is decoded; one byte more or less is refused") {
  CHECK(rc::check([] {
    const RunRecord record = any_record();
    Bytes bytes = encoded(record);
    const auto read = decode_record(bytes);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == record);
    const auto left = *rc::gen::inRange<std::size_t>(0, bytes.size());
    RC_ASSERT_FALSE(decode_record(std::span(bytes).first(left)).has_value());
    bytes.push_back(std::byte{0});
    RC_ASSERT_FALSE(decode_record(bytes).has_value());
  }));
}

TEST_CASE("run record: changed bytes are refused, or decode to another record with that encoding") {
  CHECK(rc::check([] {
    Bytes bytes = encoded(any_record());
    const auto place = *rc::gen::inRange<std::size_t>(0, bytes.size());
    bytes[place] ^= static_cast<std::byte>(*rc::gen::inRange(1, 256));
    const auto read = decode_record(bytes);
    if (read) RC_ASSERT(encoded(*read) == bytes);
  }));
}

TEST_CASE("run record: values outside an enumeration, and damaged histograms, are refused") {
  const auto refused = [](const auto& spoil) {
    RunRecord record;
    spoil(record);
    return !decode_record(encoded(record)).has_value();
  };
  CHECK_FALSE(refused([](RunRecord&) {}));
  CHECK(refused([](RunRecord& r) { r.end = static_cast<RunEnd>(kRunEndNames.size()); }));
  CHECK(refused([](RunRecord& r) { r.tier = static_cast<RunTier>(kRunTierNames.size()); }));
  CHECK(refused([](RunRecord& r) { r.determinism = static_cast<Determinism>(77); }));
  CHECK(refused([](RunRecord& r) { r.metrics = {{"a", static_cast<Unit>(99)}}; }));
  CHECK(refused([](RunRecord& r) {
    r.metrics = {{"a", Unit::count, Adding::sum, std::numeric_limits<double>::quiet_NaN()}};
  }));
  CHECK(refused([](RunRecord& r) {
    r.findings = {{"J-S1", Severity::safety, static_cast<Standing>(3)}};
  }));
  CHECK(refused([](RunRecord& r) { r.fault_effects = {{"a", static_cast<ProtocolState>(9), 1}}; }));
  CHECK(refused([](RunRecord& r) { r.histograms = {{"a", Bytes(7, std::byte{1})}}; }));
}

TEST_CASE("run record: it has every figure of the summary, with its unit, once, and no clock") {
  Summary summary;
  summary.generated = 7;
  summary.joined = 4;
  summary.wasted_joins = 2;
  summary.wall_seconds = 12345;
  summary.peak_rss_bytes = 54321;
  summary.lost = {{"L-crash", 1}, {"L-other", 2}};
  summary.latency = {.count = 4, .mean = 0.25, .p99 = 0.5, .max = 0.75};
  summary.network = {{"sent", 9}};
  summary.registry.boundary_lag_max = 1.5;
  summary.recovery.removals = 3;
  LatencyHistogram histogram;
  histogram.add(Duration(5));
  const RunRecord record = run_record_of(summary, {{"stages.scan", histogram}});
  CHECK(record.metric("generated") == 7);
  CHECK(record.metric("lost") == 3);
  CHECK(record.metric("lost.L-crash") == 1);
  CHECK(record.metric("latency_seconds.p99") == 0.5);
  CHECK(record.metric("latency_at_output.count") == 0);
  CHECK_FALSE(record.metric("latency_at_output.p99"));  // nothing was measured
  CHECK(record.metric("network.sent") == 9);
  CHECK(record.metric("registry.boundary_lag_max") == 1.5);
  CHECK(record.metric("recovery.ids_removed") == 3);
  CHECK(record.metric("waste.wasted_joins_per_joined") == 0.5);
  CHECK_FALSE(record.metric("load.operations"));
  REQUIRE(record.histograms.size() == 1);
  CHECK(record.histograms.front().histogram() == histogram);
  std::vector<std::string> names;
  for (const Metric& each : record.metrics) {
    CHECK(each.value < 12345);  // neither wall time nor memory
    names.push_back(each.name);
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

}  // namespace photon::analysis::testing
