// Readers of a directory of growing files: damage is skipped, reported with its place, and does not
// delay what follows it.
#include "core_impl/logs/record_source.h"

#include <map>
#include <set>

#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/trace/pipeline.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::logs {
namespace {

using namespace std::chrono_literals;

constexpr VolumeId kVolume{1};
constexpr LogFile kFile{LogType::foreign, 3, 0};

class Owner final : public Node {
 public:
  void on_start(Context& context) override { source.scan(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    REQUIRE(source.on_io(context, ticket, result));
    take(context);
  }
  void take(Context& context) {
    while (const auto taken = source.next()) {
      const auto time = has_time.find({taken->place.file, taken->end});
      if (time != has_time.end() && context.now() < time->second) {
        source.leave(taken->place, time->second);
        continue;
      }
      ++times[{taken->place.file, taken->end}];
      source.settle(taken->place);
    }
    source.pump(context);
  }
  // Ends of the records of a file that were handed out, each once.
  std::set<std::uint64_t> ends(std::uint32_t file = 0) const {
    std::set<std::uint64_t> ends;
    for (const auto& [record, count] : times) {
      CHECK(count == 1);
      if (record.first == file) ends.insert(record.second);
    }
    return ends;
  }
  using Record = std::pair<std::uint32_t, std::uint64_t>;  // a file, and the end of a record of it
  RecordSource source{{kVolume}, DirectoryScan(LogType::foreign)};
  std::map<Record, MonotonicTime> has_time;  // until then
  std::map<Record, int> times;               // how often each was handed out and settled
};

struct Log {
  Bytes bytes;
  std::vector<std::uint64_t> ends{0};
};

Log make_log(std::uint64_t seed, std::size_t records) {
  const RandomStream random(seed, Purpose::test, 3);
  Log log;
  for (std::size_t i = 0; i < records; ++i) {
    Bytes body(20 + uniform_below(random.word(i), 200));
    for (std::size_t k = 0; k < body.size(); ++k) {
      body[k] = static_cast<std::byte>(random.word(1000 * (i + 1) + k));
    }
    append_record(body, log.bytes);
    log.ends.push_back(log.bytes.size());
  }
  return log;
}

void flip(Bytes& bytes, std::uint64_t bit) {
  bytes[bit / 8] ^= std::byte{1} << static_cast<unsigned>(bit % 8);
}

struct Run {
  explicit Run(const Bytes& bytes) {
    const FileName name = kFile.name();
    context.disks[kVolume][std::string(name.data(), name.size())] = bytes;
    owner.on_start(context);
    context.complete_all(owner);
    // Nothing more is written; the owner reads again from time to time.
    for (int look = 0; look < 5; ++look) {
      context.advance(40s);
      owner.source.scan(context);
      context.complete_all(owner);
      owner.take(context);
    }
  }
  testing::FakeContext context{NodeId(1)};
  Owner owner;
};

}  // namespace

TEST_CASE(
    "A-26 a flipped bit anywhere in a log costs its record only, and is reported with its place") {
  const std::uint64_t seed = GENERATE(range(1, 9));
  const Log log = make_log(seed, 40);
  const RandomStream random(seed, Purpose::test, 4);
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    // Every fourth one hits a length, and every third the last record.
    const std::size_t record = trial % 3 == 0 ? 39 : uniform_below(random.word(trial), 40);
    const std::uint64_t begin = log.ends[record];
    const std::uint64_t end = log.ends[record + 1];
    const std::uint64_t bits = trial % 4 == 0 ? 32 : 8 * (end - begin);
    Bytes bytes = log.bytes;
    flip(bytes, 8 * begin + uniform_below(random.word(trial, 1), bits));
    const Run run(bytes);
    INFO("seed " << seed << " trial " << trial << " record " << record);
    std::set<std::uint64_t> expected(log.ends.begin() + 1, log.ends.end());
    expected.erase(end);
    CHECK(run.owner.ends() == expected);
    const auto skipped = run.context.decided<trace::RecordSkipped>();
    // A last record whose length has grown looks like one that is still being written.
    if (record == 39 && skipped.empty()) continue;
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].file == kFile.number());
    CHECK(skipped[0].begin == begin);
    CHECK(run.owner.source.damaged_records() == 1);
  }
}

TEST_CASE("A-26 a record longer than its file is searched once the file stops growing") {
  const Log log = make_log(1, 40);
  Bytes bytes = log.bytes;
  flip(bytes, 8 * log.ends[10] + 17);  // 128 KiB longer: all that follows seems to be inside
  const FileName name = kFile.name();
  testing::FakeContext context{NodeId(1)};
  context.disks[kVolume][std::string(name.data(), name.size())] = bytes;
  Owner owner;
  owner.on_start(context);
  context.complete_all(owner);
  CHECK(owner.ends().size() == 10);
  context.advance(30s);
  owner.source.scan(context);
  context.complete_all(owner);
  CHECK(owner.ends().size() == 10);  // it may still be written
  CHECK(owner.source.caught_up());
  context.advance(31s);
  owner.source.scan(context);
  context.complete(owner);  // the listing
  CHECK(owner.source.reading() == 1);
  CHECK_FALSE(owner.source.caught_up());  // the end of the file is read again
  context.complete_all(owner);
  CHECK(owner.ends().size() == 39);
  CHECK(owner.source.caught_up());
  std::uint64_t settled = 0;
  owner.source.for_each_offset([&](const FileName&, std::uint64_t offset) { settled = offset; });
  CHECK(settled == log.bytes.size());  // and it is not awaited any more
}

namespace {

// Its test takes the records, and starts the reads.
class Passive final : public Node {
 public:
  void on_start(Context&) override {}
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    REQUIRE(source.on_io(context, ticket, result));
  }
  void take() {
    while (const auto taken = source.next()) source.settle(taken->place);
  }
  RecordSource source{{.volume = kVolume, .max_reads = 1}, DirectoryScan(LogType::foreign)};
};

}  // namespace

TEST_CASE("A-26 C-07 a source has caught up when nothing is read, waits or is handed out") {
  testing::FakeContext context{NodeId(1)};
  Passive owner;
  for (const std::uint16_t server : {std::uint16_t{3}, std::uint16_t{4}}) {
    const FileName name = LogFile{LogType::foreign, server, 0}.name();
    Bytes bytes = make_log(server, 3).bytes;
    bytes.pop_back();  // its last record is not complete
    context.disks[kVolume][std::string(name.data(), name.size())] = bytes;
  }
  RecordSource& source = owner.source;
  source.scan(context);
  while (!context.pending.empty()) {
    CHECK_FALSE(source.caught_up());
    context.complete(owner);
    CHECK_FALSE(source.caught_up());
    owner.take();
    source.pump(context);
  }
  CHECK(source.caught_up());
  context.advance(61s);  // each end of a file is searched, one after the other
  source.scan(context);
  context.complete(owner);  // the listing
  REQUIRE(source.reading() == 1);
  REQUIRE(source.waiting() == 1);
  CHECK_FALSE(source.caught_up());
  context.complete(owner);
  owner.take();
  REQUIRE(source.reading() == 0);
  REQUIRE(source.waiting() == 1);
  CHECK_FALSE(source.caught_up());
  source.pump(context);
  REQUIRE(source.waiting() == 0);
  CHECK_FALSE(source.caught_up());
  context.complete(owner);
  REQUIRE(source.reading() == 0);
  CHECK_FALSE(source.caught_up());
  owner.take();
  CHECK(source.caught_up());
}

namespace {

// An owner that reads a copy that loses its end and is filled again.
struct Shrinking {
  explicit Shrinking(const Log& whole) : log(whole) {}
  void show(std::uint64_t length) {
    Bytes& bytes = context.disks[kVolume][std::string(name.data(), name.size())];
    bytes.assign(log.bytes.begin(), log.bytes.begin() + static_cast<std::ptrdiff_t>(length));
  }
  // Requests of one scan.
  int look() {
    context.advance(1s);
    owner.source.scan(context);
    return finish();
  }
  int finish() {
    int requests = 0;
    for (; !context.pending.empty() && requests < 100; ++requests) context.complete(owner);
    return requests;
  }
  const Log& log;
  FileName name = kFile.name();
  testing::FakeContext context{NodeId(1)};
  Owner owner;
};

}  // namespace

TEST_CASE("A-24 C-08 a copy that loses its end and grows again: each record is read once") {
  const std::uint64_t seed = GENERATE(range(1, 6));
  const Log log = make_log(seed, 40);
  const RandomStream random(seed, Purpose::test, 5);
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    INFO("seed " << seed << " trial " << trial);
    const std::uint64_t read = uniform_below(random.word(trial), log.bytes.size() + 1);
    const std::uint64_t cut = uniform_below(random.word(trial, 1), read + 1);
    const std::uint64_t grown = cut + uniform_below(random.word(trial, 2), read - cut + 1);
    Shrinking world(log);
    world.show(read);
    world.look();
    const std::set<std::uint64_t> before = world.owner.ends();
    for (const std::uint64_t length : {cut, grown}) {
      world.show(length);
      CHECK(world.look() <= 2);
      CHECK(world.owner.ends() == before);  // it lies after the cut
    }
    world.show(log.bytes.size());
    world.look();
    CHECK(world.owner.ends().size() == 40);
    CHECK(world.owner.source.damaged_records() == 0);
  }
}

TEST_CASE("A-24 C-09 what was listed and is gone when it is read: nothing until it is back") {
  const Log log = make_log(2, 40);
  const bool inside_a_record = GENERATE(true, false);
  const std::uint64_t cut = log.ends[10] + (inside_a_record ? 7 : 0);
  Shrinking world(log);
  world.show(log.bytes.size());
  world.owner.source.scan(world.context);
  world.context.complete(world.owner);  // the listing
  world.show(cut);
  CHECK(world.finish() <= 2);
  CHECK(world.owner.ends().size() == 10);
  CHECK_FALSE(world.owner.source.caught_up());
  CHECK(world.look() <= 2);  // it is not requested over and over
  CHECK(world.owner.ends().size() == 10);
  world.show(log.bytes.size());
  world.look();
  CHECK(world.owner.ends().size() == 40);
  CHECK(world.owner.source.caught_up());
}

TEST_CASE("A-24 C-04 a new life whose settled prefix is longer than the copy waits for the rest") {
  const Log log = make_log(3, 40);
  Shrinking world(log);
  world.show(log.ends[20] + 5);
  world.owner.source.restore(world.name, log.ends[30]);
  CHECK(world.look() == 1);
  CHECK(world.owner.ends().empty());
  world.show(log.ends[30]);
  CHECK(world.look() == 1);
  world.show(log.bytes.size());
  world.look();
  CHECK(world.owner.ends().size() == 10);
  CHECK(*world.owner.ends().begin() == log.ends[31]);
}

TEST_CASE("C-07 a postponed record delays its own file alone, and is read when it is due") {
  const Log slow = make_log(4, 5);
  const Log fast = make_log(5, 40);
  testing::FakeContext context{NodeId(1)};
  const FileName backlog = LogFile{LogType::foreign, 4, 0}.name();
  context.disks[kVolume][std::string(backlog.data(), backlog.size())] = fast.bytes;
  const FileName before = kFile.name();
  Bytes& growing = context.disks[kVolume][std::string(before.data(), before.size())];
  growing = slow.bytes;
  growing.resize(slow.ends[4]);
  Owner owner;
  owner.has_time[{0, slow.ends[2]}] = context.now() + 100s;
  owner.on_start(context);
  context.complete_all(owner);
  CHECK(owner.ends(0) == std::set{slow.ends[1]});
  CHECK(owner.ends(1).size() == 40);
  std::map<std::uint64_t, std::uint64_t> settled;  // by number of the server
  const auto note = [&](const FileName& name, std::uint64_t offset) {
    settled[log_file_of(name).server] = offset;
  };
  owner.source.for_each_offset(note);
  CHECK(settled ==
        std::map<std::uint64_t, std::uint64_t>{{3, slow.ends[1]}, {4, fast.bytes.size()}});
  context.advance(99s);
  growing = slow.bytes;  // what is appended comes after the postponed record, and waits with it
  owner.source.scan(context);
  context.complete(owner);  // the listing
  CHECK(context.pending.empty());
  CHECK(owner.ends(0).size() == 1);
  context.advance(1s);
  owner.source.scan(context);
  context.complete_all(owner);
  CHECK(owner.ends(0).size() == 5);
  owner.source.for_each_offset(note);
  CHECK(settled[3] == slow.bytes.size());
  CHECK(owner.source.caught_up());
}

TEST_CASE("C-07 a postponed record is read again, also from after a seemingly unfinished one") {
  const Log log = make_log(6, 20);
  Bytes bytes = log.bytes;
  flip(bytes, 8 * log.ends[10] + 17);  // a length: all that follows seems to be inside
  testing::FakeContext context{NodeId(1)};
  const FileName name = kFile.name();
  context.disks[kVolume][std::string(name.data(), name.size())] = bytes;
  Owner owner;
  owner.has_time[{0, log.ends[13]}] = context.now() + 100s;
  owner.on_start(context);
  for (int look = 0; look < 2; ++look) {
    context.complete_all(owner);
    context.advance(61s);
    owner.source.scan(context);
  }
  context.complete(owner);  // the listing
  CHECK(owner.ends().size() == 11);
  context.complete_all(owner);
  CHECK(owner.ends().size() == 19);
  CHECK(owner.source.damaged_records() == 1);
}

}  // namespace photon::logs
