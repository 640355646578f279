#include "analysis/trace_files/trace_check.h"

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/trace_files/trace_file.h"
#include "core_impl/trace/all_payloads.h"
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

std::string fault_of_records(const std::vector<trace::Record>& records,
                             const JudgeConfig& config = World::standard()) {
  TraceCheck check(config);
  for (const trace::Record& record : records) {
    if (const auto fault = check.next(record)) return *fault;
  }
  return {};
}

trace::Record good_record() {
  trace::Header header;
  header.at = SimTime(1s);
  header.node = kReplica1;
  return trace::Record::make(header, trace::MasterElected{1, 0, ShardId{0}});
}

}  // namespace

TEST_CASE("trace check: the builder's healthy trace is in order") {
  World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  world.join(1, 1);
  REQUIRE(world.records.size() > 20);
  CHECK(fault_of_records(world.records) == "");
}

TEST_CASE("trace check: a record that this program cannot have written is named") {
  trace::Record record = good_record();
  REQUIRE(fault_of_records({record}) == "");
  SECTION("kind") {
    record.header.kind = static_cast<trace::Kind>(399);
    CHECK_THAT(fault_of_records({record}), Catch::Contains("kind"));
  }
  SECTION("source") {
    record.header.source = static_cast<trace::Source>(6);
    CHECK_THAT(fault_of_records({record}), Catch::Contains("source"));
  }
  SECTION("process") {
    record.header.node = NodeId{TraceCheck::kMostNodes};
    CHECK_THAT(fault_of_records({record}), Catch::Contains("process"));
  }
  SECTION("datacenter") {
    record.header.datacenter = DatacenterId{64};
    CHECK_THAT(fault_of_records({record}), Catch::Contains("datacenter"));
  }
  SECTION("order of time") {
    trace::Record earlier = record;
    earlier.header.at = SimTime(999ms);
    CHECK_THAT(fault_of_records({record, earlier}), Catch::Contains("earlier"));
  }
  SECTION("times that cannot be added") {
    record.header.at = SimTime(TraceCheck::kFarthest + 1ns);
    CHECK_THAT(fault_of_records({record}), Catch::Contains("out of range"));
  }
  SECTION("unused bytes") {
    record.header.zero[2] = 1;
    CHECK_THAT(fault_of_records({record}), Catch::Contains("unused"));
  }
  SECTION("bytes after the payload") {
    record.payload.back() = std::byte{1};
    CHECK_THAT(fault_of_records({record}), Catch::Contains("longer"));
  }
  SECTION("group") {
    record = trace::Record::make(record.header, trace::MasterElected{1, 0, ShardId{1}});
    CHECK_THAT(fault_of_records({record}), Catch::Contains("group"));
  }
  SECTION("value of an enumeration") {
    trace::RegistryAnswer answer{};
    answer.code = static_cast<trace::RegistryCode>(8);
    record = trace::Record::make(record.header, answer);
    CHECK_THAT(fault_of_records({record}), Catch::Contains("value"));
  }
}

TEST_CASE("trace check: a configuration that no scenario produces is refused") {
  JudgeConfig config = World::standard();
  REQUIRE_FALSE(fault_of(config).has_value());
  SECTION("no groups") { config.shards = 0; }
  SECTION("an invalid sharding group") { config.sharding_group = 1; }
  SECTION("no replicas") { config.replicas_per_group = 0; }
  SECTION("pipelines out of order") { config.pipelines = {kFar, kHere}; }
  SECTION("a pipeline twice") { config.pipelines = {kHere, kHere}; }
  SECTION("a datacenter without a bit") { config.pipelines = {DatacenterId{64}}; }
  SECTION("names for others") { config.pipeline_names = {"one"}; }
  SECTION("an age beyond the range of time") { config.gc_age = Duration::max(); }
  CHECK(fault_of(config).has_value());
}

TEST_CASE("trace check: the reader of a file names the record and its place, and does not judge") {
  const photon::testing::TemporaryFolder scratch;
  const std::string file = scratch.file("bad.trace");
  TraceHead head;
  head.judge = World::standard();
  auto writer = TraceWriter::create(file, head);
  REQUIRE(writer.has_value());
  trace::Record bad = good_record();
  bad.header.kind = static_cast<trace::Kind>(399);
  writer.value()->record(good_record());
  writer.value()->record(bad);
  REQUIRE(writer.value()->finish(TraceEnd{}).has_value());
  auto reader = TraceReader::open(file);
  REQUIRE(reader.has_value());
  struct Nothing final : trace::Sink {
    void record(const trace::Record&) override { FAIL("a damaged trace is not judged"); }
  } nothing;
  const auto replayed = reader.value().replay(nothing);
  REQUIRE_FALSE(replayed.has_value());
  const std::string message = replayed.error().message();
  CHECK_THAT(message, Catch::Contains("record 2, at byte ") && Catch::Contains("its kind"));
  CHECK_THAT(message, Catch::Contains("photonsim run"));
}

}  // namespace photon::analysis::testing
