#include "analysis/trace_files/trace_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

namespace fs = std::filesystem;

using Scratch = photon::testing::TemporaryFolder;

class Collector final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { records.push_back(record); }
  std::vector<trace::Record> records;
};

TraceHead head() {
  TraceHead head;
  head.scenario = "quick";
  head.resolved_scenario = "[run]\n";
  head.model_version = "v1";
  head.seed = 9;
  head.judge = World::standard();
  head.places = {{"east", "west"}, {"east/joiner/0"}, {"east/cell"}};
  return head;
}

TraceEnd end() {
  TraceEnd end{"0123456789abcdef", 77, 5'000'000'001, 3, {{"faults.crash", "process_crash a"}},
               {"reshard b"}};
  end.faults = {{0, "process_crash a", 1'000, 2'000, true},
                {1, "outage b", 5, TracedFault::kNever}};
  return end;
}

// A bad run: the judge of the file must report the same as the judge of the run.
void bad_run(World& world) {
  world.boot();
  world.generate(1);
  world.ship_all(1);
  world.join(1, 1);
  world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));
  world.judge.finish();
}

std::string write(const Scratch& scratch, const std::vector<trace::Record>& records) {
  const std::string file = scratch.file("run.trace");
  auto writer = TraceWriter::create(file, head());
  REQUIRE(writer.has_value());
  for (const trace::Record& record : records) writer.value()->record(record);
  REQUIRE(writer.value()->finish(end()).has_value());
  return file;
}

std::string read_error(const std::string& file) {
  auto reader = TraceReader::open(file);
  if (!reader) return reader.error().message();
  Collector collector;
  auto replayed = reader.value().replay(collector);
  if (!replayed) CHECK(collector.records.empty());  // a damaged record is not delivered
  return replayed ? std::string() : replayed.error().message();
}

}  // namespace

TEST_CASE("trace file: what was written is read, and judged alike") {
  const Scratch scratch;
  World world;
  bad_run(world);
  REQUIRE(world.total() > 0);
  // More than one batch.
  std::vector<trace::Record> records = world.records;
  while (records.size() < 10'000) records.push_back(world.records.back());
  const std::string file = write(scratch, records);
  auto reader = TraceReader::open(file);
  REQUIRE(reader.has_value());
  CHECK(reader.value().head() == head());
  CHECK(reader.value().end() == end());
  CHECK(reader.value().records() == records.size());
  Collector collector;
  REQUIRE(reader.value().replay(collector).has_value());
  REQUIRE(collector.records.size() == records.size());
  CHECK(std::memcmp(collector.records.data(), records.data(),
                    records.size() * sizeof(trace::Record)) == 0);

  auto again = TraceReader::open(write(scratch, world.records));
  REQUIRE(again.has_value());
  Judge judge(again.value().head().judge);
  REQUIRE(again.value().replay(judge).has_value());
  judge.finish();
  CHECK(judge.violations().kept() == world.judge.violations().kept());
}

TEST_CASE("trace file: truncated, damaged and foreign files are reported with the reason") {
  const Scratch scratch;
  World world;
  bad_run(world);
  const std::string file = write(scratch, world.records);
  const auto size = fs::file_size(file);
  SECTION("truncated anywhere") {
    for (const std::uintmax_t length : {size - 1, size - 40, size / 2, std::uintmax_t{50},
                                        std::uintmax_t{10}, std::uintmax_t{0}}) {
      fs::resize_file(file, length);
      const std::string error = read_error(file);
      CHECK_THAT(error, Catch::Contains(file));
      CHECK_FALSE(error.empty());
    }
  }
  SECTION("one flipped byte in a record, in the end, in the trailer") {
    for (const std::streamoff from_end : {200, 50, 30}) {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(static_cast<std::streamoff>(size) - from_end);
      stream.put('\x5a');
      stream.close();
      CAPTURE(from_end);
      CHECK_THAT(read_error(file), Catch::Contains("damaged"));
      write(scratch, world.records);
    }
  }
  SECTION("of another format: which one, and which one can be read") {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(8);  // after the magic
    stream.put(static_cast<char>(kTraceFormatVersion - 1));
    stream.close();
    CHECK_THAT(read_error(file), Catch::Contains("format 17, this program reads 18"));
  }
  SECTION("another kind of file, a missing one, a directory") {
    std::ofstream(file) << "not a trace, but long enough to hold a head and a trailer of one....";
    CHECK_THAT(read_error(file), Catch::Contains("not a photonsim trace"));
    CHECK_THAT(read_error(scratch.file("none")), Catch::Contains("No such file"));
    CHECK_THAT(read_error(scratch.file("")), Catch::Contains("directory"));
  }
}

TEST_CASE("trace file: no partial file stays; a full disk is reported") {
  const Scratch scratch;
  World world;
  bad_run(world);
  SECTION("a writer that is dropped removes its file") {
    const std::string file = scratch.file("run.trace");
    {
      auto writer = TraceWriter::create(file, head());
      REQUIRE(writer.has_value());
      writer.value()->record(world.records[0]);
      CHECK(scratch.names().size() == 1);
      CHECK_FALSE(fs::exists(file));
    }
    CHECK(scratch.names().empty());
  }
  SECTION("and leaves an earlier trace as it was") {
    const std::string file = write(scratch, world.records);
    {
      auto writer = TraceWriter::create(file, head());
      REQUIRE(writer.has_value());
    }
    CHECK(read_error(file).empty());
  }
  SECTION("a link is followed, also a dangling one") {
    fs::create_symlink("run.trace", scratch.file("link"));
    auto writer = TraceWriter::create(scratch.file("link"), head());
    REQUIRE(writer.has_value());
    REQUIRE(writer.value()->finish(end()).has_value());
    CHECK(fs::is_symlink(scratch.file("link")));
    CHECK(read_error(scratch.file("run.trace")).empty());
  }
  SECTION("a directory is refused at once, before the run") {
    auto writer = TraceWriter::create(scratch.file(""), head());
    REQUIRE_FALSE(writer.has_value());
    CHECK_THAT(writer.error().message(), Catch::Contains("directory"));
  }
  SECTION("a full disk") {
    auto writer = TraceWriter::create("/dev/full", head());
    REQUIRE_FALSE(writer.has_value());
    CHECK_THAT(writer.error().message(),
               Catch::Contains("No space left") && Catch::Contains("free space"));
    CHECK(fs::exists("/dev/full"));
  }
  SECTION("a place that cannot be written") {
    auto writer = TraceWriter::create(scratch.write("plain", "") + "/run.trace", head());
    REQUIRE_FALSE(writer.has_value());
    CHECK_THAT(writer.error().message(), Catch::Contains("cannot be written"));
  }
}

}  // namespace photon::analysis::testing
