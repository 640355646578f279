// A log's copy that loses its end and is filled again: what is readable, and which readers notice.
#include "models/truncations.h"

#include "models/clocks.h"
#include "models/feeds.h"
#include "models/synthetic_workload.h"
#include "tests/models/noted_effects.h"
#include "tests/models/workload_check.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kCut = 7;
constexpr sim::Reader kReader{NodeId(4), Incarnation(1)};

PlannedTruncation planned_cut(std::uint64_t bytes, std::int64_t from = 20,
                              std::int64_t until = 40) {
  PlannedTruncation planned;
  planned.fault = kCut;
  planned.server = std::uint16_t{2};
  planned.place = 1;
  planned.at = SimTime(seconds(from));
  planned.until = SimTime(seconds(until));
  planned.bytes = bytes;
  return planned;
}

// Queries of the servers 1 and 2 and clicks of 3 in two places, of which the second is read.
struct CutCopies {
  explicit CutCopies(std::vector<PlannedTruncation> plan, std::uint64_t file_bytes = 0)
      : workload(options(file_bytes), clocks) {
    Shipping::Options shipping_options;
    shipping_options.truncations = std::move(plan);
    shipping = std::make_unique<Shipping>(shipping_options, 2);
    for (const auto& log : workload.logs()) logs.push_back(log.get());
    volume = std::make_unique<InputLogs>(logs, *shipping, 1);
    feed = std::make_unique<ShippingFeed>(*volume, DatacenterId(1), effects);
    environment = std::make_unique<sim::Environment>(kernel, tap, *feed);
    environment->start();
  }
  static SyntheticWorkload::Options options(std::uint64_t file_bytes) {
    SyntheticWorkload::Options out;
    out.seed = 5;
    out.end = SimTime(seconds(60));
    out.queries_per_second = 100;
    out.query_servers = 2;
    out.click_servers = 1;
    out.file_bytes = file_bytes;
    return out;
  }
  void run_until(Duration time) { kernel.run_until(SimTime(time)); }
  IoResult ask(VolumeOperation operation, std::uint32_t log, std::uint64_t offset = 0,
               std::uint32_t length = 0, const sim::Reader& reader = kReader) {
    VolumeRequest request;
    request.operation = operation;
    request.file = logs[log]->file().name();
    request.offset = offset;
    request.length = length;
    IoResult result;
    volume->serve(reader, request, result);
    return result;
  }
  std::uint64_t length(std::uint32_t log, const sim::Reader& reader = kReader) {
    return ask(VolumeOperation::stat, log, 0, 0, reader).length;
  }
  bool felt() const { return volume->was_met(kCut); }

  HostClocks clocks{1, {}};
  SyntheticWorkload workload;
  std::vector<EventLog*> logs;
  std::unique_ptr<Shipping> shipping;
  std::unique_ptr<InputLogs> volume;
  testing::NotedEffects effects;
  sim::Kernel kernel{2};
  sim::RecordingSink sink;
  sim::Tap tap{kernel, clocks, 1, &sink, nullptr};
  std::unique_ptr<ShippingFeed> feed;
  std::unique_ptr<sim::Environment> environment;
};

}  // namespace

TEST_CASE("A-20 A-24 a copy loses its end, stays short, and is filled again with the same bytes") {
  CutCopies cut({planned_cut(20'000)});
  CutCopies free({});
  const Bytes pristine = testing::read_whole(*cut.logs[1], cut.workload.end());
  std::vector<std::uint64_t> lengths;
  std::uint64_t before = 0;
  for (std::int64_t second = 19; second < 60; ++second) {
    if (second == 20) {
      cut.run_until(seconds(20) - Duration(1));
      before = cut.length(1);
    }
    cut.run_until(seconds(second) + milliseconds(500));
    free.run_until(seconds(second) + milliseconds(500));
    CHECK(cut.length(0) == free.length(0));  // another server's
    CHECK(cut.length(2) == free.length(2));  // and clicks
    lengths.push_back(cut.length(1));
    const bool is_short = second >= 20 && second < 40;
    CHECK((cut.length(1) < free.length(1)) == is_short);
    const IoResult all = cut.ask(VolumeOperation::read, 1, 0, 1U << 24U);
    REQUIRE(all.data.size() == cut.length(1));
    CHECK(std::equal(all.data.begin(), all.data.end(), pristine.begin()));
  }
  CHECK(lengths[1] == before - 20'000);
  for (std::size_t second = 2; second < 11; ++second) CHECK(lengths[second] == lengths[1]);
  CHECK(lengths[11] == lengths[1]);  // the first part arrives at 32.5 s
  for (const std::size_t grown : {14U, 16U, 19U, 21U}) CHECK(lengths[grown] > lengths[grown - 2]);
  CHECK(cut.felt());
  CHECK(cut.effects.faults == std::vector<std::uint32_t>{kCut});
  cut.run_until(seconds(600));
  CHECK(cut.feed->finished());
  CHECK(cut.length(1) == pristine.size());
}

TEST_CASE("A-20 the trace records each length of a truncated copy, and no other") {
  CutCopies cut({planned_cut(20'000)});
  cut.run_until(seconds(600));
  std::uint64_t shown = 0;
  std::uint64_t most = 0;
  std::size_t shrinks = 0;
  std::size_t short_of = 0;
  for (const trace::Record& record : cut.sink.records) {
    if (record.header.kind != trace::Kind::log_visible) continue;
    const auto& fact = record.as<trace::LogVisible>();
    if (fact.file != cut.logs[1]->file().number()) continue;
    CHECK(fact.length != shown);
    if (fact.length < shown) {
      ++shrinks;
      CHECK(record.header.at == SimTime(seconds(20)));
    }
    short_of += fact.length < most ? 1 : 0;
    shown = fact.length;
    most = std::max(most, shown);
  }
  CHECK(shrinks == 1);
  CHECK(short_of >= 1);
  CHECK(shown == testing::read_whole(*cut.logs[1], cut.workload.end()).size());
}

TEST_CASE("DESIGN-6 a truncation counts when a reader gets less than before") {
  CutCopies cut({planned_cut(20'000)});
  SECTION("a reader that has seen more") {
    cut.run_until(seconds(20) - Duration(1));
    cut.length(1);
    CHECK_FALSE(cut.felt());
    cut.run_until(seconds(21));
    cut.length(1);
    CHECK(cut.felt());
  }
  SECTION("a reader that lists the directory") {
    VolumeRequest list;
    list.operation = VolumeOperation::list;
    list.file = FileName("primary/");
    const auto look = [&](Duration time) {
      cut.run_until(time);
      IoResult result;
      cut.volume->serve(kReader, list, result);
      return cut.felt();
    };
    CHECK_FALSE(look(seconds(20) - Duration(1)));
    CHECK(look(seconds(21)));
  }
  SECTION("a new life that reads where the earlier one ended") {
    cut.run_until(seconds(20) - Duration(1));
    const std::uint64_t before = cut.length(1);
    cut.run_until(seconds(21));
    const sim::Reader later{kReader.node, Incarnation(2)};
    CHECK(cut.ask(VolumeOperation::read, 1, before, 100, later).data.empty());
    CHECK(cut.felt());
  }
  SECTION("not a reader that has never seen it longer, although others have") {
    cut.run_until(seconds(20) - Duration(1));
    cut.length(1);
    cut.run_until(seconds(21));
    const sim::Reader other{NodeId(9), Incarnation(1)};
    const std::uint64_t length = cut.length(1, other);
    cut.ask(VolumeOperation::read, 1, length, 100, other);
    CHECK_FALSE(cut.felt());
  }
  SECTION("not without a read before it is whole again") {
    cut.run_until(seconds(20) - Duration(1));
    cut.length(1);
    cut.run_until(seconds(41));
    cut.length(1);
    CHECK_FALSE(cut.felt());
  }
}

TEST_CASE("A-20 a copy that loses all of it is an empty file, not a missing one") {
  CutCopies cut({planned_cut(1U << 30U)});
  cut.run_until(seconds(21));
  CHECK(cut.ask(VolumeOperation::stat, 1).status == IoStatus::ok);
  CHECK(cut.length(1) == 0);
  CHECK(cut.ask(VolumeOperation::read, 1, 0, 100).data.empty());
  cut.run_until(seconds(41));
  CHECK(cut.length(1) > 0);
}

TEST_CASE("C-07 of successive files only the newest that has arrived is truncated") {
  CutCopies cut({planned_cut(50)}, 20'000);
  CutCopies free({}, 20'000);
  cut.run_until(seconds(25));
  free.run_until(seconds(25));
  std::vector<std::uint32_t> shorter;
  std::uint32_t newest = 0;
  for (std::uint32_t log = 0; log < cut.logs.size(); ++log) {
    if (cut.logs[log]->file().server != 2) {
      CHECK(cut.length(log) == free.length(log));
      continue;
    }
    if (cut.length(log) < free.length(log)) shorter.push_back(log);
    const auto first = cut.logs[log]->next_generation(SimTime{});
    if (first && *first < SimTime(seconds(20))) newest = log;
  }
  REQUIRE(shorter.size() == 1);
  CHECK(shorter[0] <= newest);
  CHECK(newest - shorter[0] <= 2);  // the generated rest has not arrived yet
  CHECK(cut.logs[shorter[0]]->file().sequence > 0);
}

TEST_CASE("A-20 of two truncations of a file the shorter one holds, each for its own time") {
  CutCopies both({planned_cut(5000, 20, 50), planned_cut(3000, 24, 30)});
  CutCopies first({planned_cut(5000, 20, 50)});
  both.run_until(seconds(25));
  first.run_until(seconds(25));
  CHECK(both.length(1) == first.length(1) - 3000);
  both.run_until(seconds(31));
  first.run_until(seconds(31));
  CHECK(both.length(1) == first.length(1));
  both.run_until(seconds(51));
  first.run_until(seconds(51));
  CHECK(both.length(1) == first.length(1));
}

}  // namespace photon::models
