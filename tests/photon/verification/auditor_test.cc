// The auditor: what it clears, and what it reports about the output of its datacenter.

#include "core_impl/photon/verification/auditor.h"

#include <map>
#include <string>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

constexpr NodeId kSelf{10};
constexpr NodeId kRegistry{2};
constexpr NodeId kVerifier{40};
constexpr NodeId kJoiner{20};
constexpr VolumeId kCell{2};

Token token_of(std::uint32_t number, std::uint32_t life = 1) {
  return {kJoiner.value(), life, number};
}

class AuditorWorld {
 public:
  AuditorWorld() : harness(kSelf) {
    config.cell = kCell;
    config.registry.replicas = {{kRegistry}};
    harness.world = [this](NodeId to, const Body& body) {
      if (body.type() == RegistryRequest::kType && registry_answers) {
        harness.deliver(to, Body::make(registry.serve(body.as<RegistryRequest>())));
      } else if (body.type() == OutputReply::kType) {
        const auto& reply = body.as<OutputReply>();
        answers[reply.request] = {reply.presences.begin(), reply.presences.end()};
      } else if (body.type() == OutputProgress::kType) {
        CHECK(answers.count(body.as<OutputProgress>().request) == 0);
        ++progress[body.as<OutputProgress>().request];
      }
    };
  }

  void start() {
    harness.start([this] {
      auto node = std::make_unique<Auditor>(config);
      auditor = node.get();
      return node;
    });
  }

  HarnessVolume& cell() { return harness.volumes[kCell.value()]; }

  // What a joiner registered and wrote.
  void write(std::uint32_t number, std::uint32_t life = 1) {
    const EventId click = click_id(number);
    registry.ids[click] = token_of(number, life);
    Bytes record;
    append_encoded(JoinedRecord{click, query_id(number), token_of(number, life), bytes_of("x")},
                   record);
    const FileName name = output_file(kJoiner, Incarnation(life));
    cell().add(view_of(name), record);
  }

  // Storage loses `count` records of life 1, from record `first` on; all are as long.
  void lose(std::size_t first, std::size_t count) {
    Bytes record;
    append_encoded(JoinedRecord{click_id(0), query_id(0), token_of(0), bytes_of("x")}, record);
    const FileName name = output_file(kJoiner, Incarnation(1));
    cell().lose(view_of(name), first * record.size(), count * record.size());
  }

  // The answer about clicks, one each; empty: none yet.
  std::vector<Presence> ask(std::vector<std::uint32_t> numbers, std::uint32_t life = 0,
                            Duration duration = 1s) {
    OutputQuery query;
    query.request = ++last_request;
    if (life != 0) query.owner = {kJoiner.value(), life};
    for (const std::uint32_t number : numbers) query.clicks.push_back(click_id(number));
    harness.deliver(kVerifier, Body::make(std::move(query)));
    harness.run_for(duration);
    return answers[last_request];
  }

  bool is_cleared(std::uint32_t number) const {
    return registry.ids.at(click_id(number)).is_empty();
  }

  Harness harness;
  AuditorOptions config;
  TestRegistry registry;
  bool registry_answers = true;
  std::map<std::uint64_t, std::vector<Presence>> answers;
  std::map<std::uint64_t, int> progress;  // number of progress messages for a request
  std::uint64_t last_request = 0;
  Auditor* auditor = nullptr;
};

constexpr auto kPresent = Presence::present;
constexpr auto kAbsent = Presence::absent;
constexpr auto kUnknown = Presence::unknown;
constexpr auto kIndeterminate = Presence::indeterminate;

constexpr auto kNothingSurvives = [](const VolumeRequest&) { return std::size_t{0}; };

}  // namespace

TEST_CASE("F-12 F-13 the token of every click seen in the output is cleared, its id stays") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 300; ++i) world.write(i, 1 + i % 3);
  const EventId unwritten = click_id(1000);
  world.registry.ids[unwritten] = token_of(1000);
  world.start();
  world.harness.run_for(10s);
  for (std::uint32_t i = 0; i < 300; ++i) CHECK(world.is_cleared(i));
  CHECK(world.registry.ids.at(unwritten) == token_of(1000));
  // What is written later is cleared as well.
  world.write(500);
  world.harness.run_for(5s);
  CHECK(world.is_cleared(500));
  CHECK(world.auditor->statistics().cleared == 301);
  CHECK(world.auditor->statistics().seen == 301);
  CHECK(world.auditor->statistics().queries == 0);
}

TEST_CASE("F-13 only the very token of the record is cleared: a later owner keeps its own") {
  AuditorWorld world;
  world.write(1);
  world.registry.ids[click_id(1)] = token_of(1, 9);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.registry.ids.at(click_id(1)) == token_of(1, 9));
  CHECK(world.auditor->statistics().seen == 1);
  CHECK(world.auditor->statistics().cleared == 0);
}

TEST_CASE("F-12 a restart does not clear again what was cleared, and loses nothing") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 50; ++i) world.write(i);
  world.start();
  world.harness.run_for(15s);
  REQUIRE(world.auditor->statistics().cleared == 50);
  world.harness.crash([](const VolumeRequest&) { return 0; });
  world.registry_answers = false;
  for (std::uint32_t i = 50; i < 60; ++i) world.write(i);
  world.start();
  world.harness.run_for(15s);
  CHECK(world.auditor->statistics().seen == 60);  // its memory is filled again
  world.registry_answers = true;
  world.harness.run_for(15s);
  CHECK(world.auditor->statistics().cleared == 10);
  CHECK(world.is_cleared(59));
  CHECK(world.ask({1, 55, 77}) == std::vector{kPresent, kPresent, kAbsent});
}

TEST_CASE("F-12 tokens that a crash left uncleared are cleared by the next life") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 50; ++i) world.write(i);
  world.registry_answers = false;
  world.start();
  world.harness.run_for(40s);  // states are saved meanwhile, and may not pass what is not cleared
  world.harness.crash([](const VolumeRequest& request) { return request.data.size(); });
  world.registry_answers = true;
  world.start();
  world.harness.run_for(10s);
  for (std::uint32_t i = 0; i < 50; ++i) CHECK(world.is_cleared(i));
}

TEST_CASE("F-12 what is cleared of one life's file says nothing of another life's") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 50; ++i) world.write(i, 2);
  world.start();
  world.harness.run_for(15s);
  REQUIRE(world.auditor->statistics().cleared == 50);
  const bool restarts = GENERATE(false, true);
  if (restarts) world.harness.crash([](const VolumeRequest&) { return 0; });
  // Their places are before what was cleared of the other file.
  for (std::uint32_t i = 50; i < 60; ++i) world.write(i, 1);
  for (std::uint32_t i = 60; i < 70; ++i) world.write(i, 3);
  if (restarts) world.start();
  world.harness.run_for(15s);
  for (std::uint32_t i = 50; i < 70; ++i) CHECK(world.is_cleared(i));
}

TEST_CASE("F-12 the state is saved when it has changed, and once") {
  AuditorWorld world;
  std::size_t saves = 0;
  bool fails = false;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.operation != VolumeOperation::replace) return IoFate::done;
    ++saves;
    return fails ? IoFate::lost : IoFate::done;
  };
  world.write(1);
  world.start();
  world.harness.run_for(5min);
  CHECK(saves == 1);
  fails = true;
  world.write(2);
  world.harness.run_for(1min);
  CHECK(saves >= 4);  // every ten seconds
  fails = false;
  world.harness.run_for(15s);
  saves = 0;
  world.harness.run_for(5min);
  CHECK(saves == 0);
}

TEST_CASE(
    "F-12 a state that the cell does not give is asked for again, and nothing is done before") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 5; ++i) world.write(i);
  std::size_t refusals = 0;
  std::size_t others = 0;
  bool refuses = true;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (!refuses) return IoFate::done;
    ++(request.file == auditor_file(kSelf) ? refusals : others);
    return IoFate::lost;
  };
  world.start();
  world.harness.run_for(4 * world.config.scan_period - 1ms);
  CHECK(refusals == 4);  // one in each scan period
  CHECK(others == 0);
  refuses = false;
  world.harness.run_for(10s);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(world.is_cleared(i));
}

TEST_CASE("F-12 a state that is damaged or cannot be decoded counts for nothing: all is cleared") {
  // One row is there: it has all of life 1 cleared. With two announced it cannot be decoded.
  struct Half {
    std::uint32_t rows = GENERATE(1U, 2U);
    Auditor::Row row{{kJoiner.value(), 1}, {1'000'000, Auditor::Cleared::kNoGap}};
    static void each_field(const Half& self, Encoder& encode) { encode(self.rows, self.row); }
  };
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 5; ++i) world.write(i);
  const Half half{};
  Bytes state;
  append_encoded(half, state);
  const bool damaged = GENERATE(true, false);
  if (damaged) state.back() ^= std::byte{1};
  const FileName name = auditor_file(kSelf);
  world.cell().add(view_of(name), state);
  world.start();
  world.harness.run_for(10s);
  const bool counts = half.rows == 1 && !damaged;
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(world.is_cleared(i) == !counts);
}

TEST_CASE("F-06 F-07 absence from a life's file requires reading all of it after the request") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 4000; ++i) world.write(i);  // several reads
  world.config.scan_period = 1h;  // after the first scan the index stands still
  world.start();
  world.harness.run_for(10s);
  world.write(5000);
  SECTION("the index does not know the last record, the file shows it") {
    CHECK(world.ask({5000}) == std::vector{kAbsent});
    CHECK(world.ask({5000, 1, 9999}, 1) == std::vector{kPresent, kPresent, kAbsent});
    CHECK(world.auditor->statistics().proofs == 1);
    CHECK(world.auditor->statistics().queries == 2);
    CHECK(world.progress[1] == 0);  // answered from memory
    CHECK(world.progress[2] >= 2);  // for each read but the last
  }
  SECTION("no request for another life's file") {
    CHECK(world.ask({5000}, 2) == std::vector{kAbsent});  // there is none
    CHECK(world.progress[1] == 0);
  }
  SECTION("two files are read at once") {
    world.write(6000, 2);
    world.ask({5000, 6000}, 1, 0s);
    world.answers.clear();  // it has none yet
    CHECK(world.ask({5000, 6000}, 2) == std::vector{kAbsent, kPresent});
    CHECK(world.answers[1] == std::vector{kPresent, kAbsent});
  }
  SECTION("a cell that does not answer proves nothing") {
    world.harness.io_fate = [](const VolumeRequest&) { return IoFate::lost; };
    CHECK(world.ask({5000, 9999}, 1) == std::vector{kUnknown, kUnknown});
  }
  SECTION("a read in progress has no answer yet") {
    world.harness.io_fate = [](const VolumeRequest&) { return IoFate::held; };
    CHECK(world.ask({5000}, 1).empty());
  }
}

TEST_CASE("F-14 a damaged record may be any click: its file proves no absence") {
  AuditorWorld world;
  world.write(1);
  const FileName name = output_file(kJoiner, Incarnation(1));
  Bytes damaged;
  append_encoded(JoinedRecord{click_id(2), query_id(2), token_of(2), bytes_of("x")}, damaged);
  damaged[damaged.size() - 1] ^= std::byte{1};
  world.cell().add(view_of(name), damaged);
  world.write(3);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.ask({1, 2, 3}, 1) == std::vector{kPresent, kIndeterminate, kPresent});
  world.harness.run_for(15s);
  world.harness.crash(kNothingSurvives);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.ask({2}, 1) == std::vector{kIndeterminate});  // skipped, not cleared
}

TEST_CASE("F-14 F-06 what was cleared before it was lost has no token any more") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 10; ++i) world.write(i);
  SECTION("cleared by this life") {
    world.start();
    world.harness.run_for(2s);  // nothing is saved yet
    REQUIRE(world.is_cleared(9));
    world.lose(3, 1);
    CHECK(world.ask({3, 77}, 1) == std::vector{kPresent, kAbsent});
  }
  SECTION("cleared and saved by an earlier one, the last record among it") {
    world.start();
    world.harness.run_for(15s);
    world.harness.crash(kNothingSurvives);
    world.lose(3, 1);
    world.lose(8, 2);
    world.start();
    world.harness.run_for(5s);
    CHECK(world.ask({3, 9, 77}, 1) == std::vector{kAbsent, kAbsent, kAbsent});
    CHECK(world.is_cleared(9));
  }
  SECTION("cleared and not saved: the record's owner is unknown") {
    world.start();
    world.harness.run_for(2s);
    world.harness.crash(kNothingSurvives);
    world.lose(3, 1);
    CHECK(world.ask({77}, 1).empty());
    world.start();
    world.harness.run_for(5s);
    CHECK(world.ask({3, 77}, 1) == std::vector{kIndeterminate, kIndeterminate});
  }
  SECTION("lost before they were read, at the end of the file") {
    world.lose(8, 2);
    world.start();
    world.harness.run_for(5s);
    CHECK(world.ask({77}, 1) == std::vector{kIndeterminate});
  }
  SECTION("read, lost, and not cleared yet: to be asked again") {
    world.registry_answers = false;
    world.start();
    world.harness.run_for(2s);
    world.lose(3, 1);
    CHECK(world.ask({77}, 1) == std::vector{kUnknown});
    world.registry_answers = true;
    world.harness.run_for(30s);
    CHECK(world.ask({77}, 1) == std::vector{kAbsent});
  }
  SECTION("the same, and the auditor dies before it has cleared them") {
    world.registry_answers = false;
    world.start();
    world.harness.run_for(15s);
    world.lose(3, 1);
    world.harness.crash(kNothingSurvives);
    world.registry_answers = true;
    world.start();
    world.harness.run_for(15s);
    CHECK(world.ask({77}, 1) == std::vector{kIndeterminate});
  }
}

TEST_CASE("F-14 F-06 damage counts for what was cleared before the auditor's first gap alone") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 10; ++i) world.write(i);
  const FileName name = output_file(kJoiner, Incarnation(1));
  VolumeRequest heal;
  heal.operation = VolumeOperation::replace;
  heal.file = name;
  heal.data = world.cell().content(view_of(name));
  world.lose(4, 1);
  world.start();
  world.harness.run_for(5s);
  REQUIRE(world.is_cleared(9));
  REQUIRE_FALSE(world.is_cleared(4));
  REQUIRE(world.cell().execute(heal).status == IoStatus::ok);
  SECTION("it ends where the gap begins") {
    world.lose(3, 1);
    CHECK(world.ask({3, 77}, 1) == std::vector{kPresent, kAbsent});
  }
  SECTION("it is the gap, or comes after it") {
    world.lose(GENERATE(4U, 5U), 1);
    CHECK(world.ask({77}, 1) == std::vector{kIndeterminate});
  }
}

TEST_CASE("A-23 F-06 an incomplete record at the end of a file was never durable") {
  AuditorWorld world;
  world.write(1);
  Bytes record;
  append_encoded(JoinedRecord{click_id(2), query_id(2), token_of(2), bytes_of("x")}, record);
  record.resize(record.size() / 2);
  const FileName name = output_file(kJoiner, Incarnation(1));
  world.cell().add(view_of(name), record);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.ask({1, 2}, 1) == std::vector{kPresent, kAbsent});
}

TEST_CASE("F-07 F-14 an auditor that has not read everything yet does not know what is absent") {
  AuditorWorld world;
  for (std::uint32_t i = 0; i < 4000; ++i) world.write(i);
  bool held = true;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    const bool later = request.operation == VolumeOperation::read && request.offset > 0;
    return held && later ? IoFate::lost : IoFate::done;
  };
  world.start();
  world.harness.run_for(10s);
  CHECK(world.ask({1, 3999, 9999}) == std::vector{kPresent, kUnknown, kUnknown});
  // A life without a file has written nothing, whatever else is still to be read.
  CHECK(world.ask({1, 3999, 9999}, 2) == std::vector{kPresent, kAbsent, kAbsent});
  held = false;
  world.harness.run_for(10s);
  CHECK(world.ask({1, 3999, 9999}) == std::vector{kPresent, kPresent, kAbsent});
}

TEST_CASE("F-12 memory: clicks that are no longer asked about are forgotten") {
  AuditorWorld world;
  world.config.memory = 1h;
  for (std::uint32_t i = 0; i < 20; ++i) world.write(i);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.auditor->index().size() == 20);
  world.harness.run_for(61min);
  CHECK(world.auditor->index().size() == 0);
  CHECK(world.ask({1, 9999}) == std::vector{kUnknown, kUnknown});  // too old for its memory
}
