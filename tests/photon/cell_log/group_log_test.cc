// The group-commit log: one request in flight, unknown outcomes, fencing, names of files.

#include "core_impl/photon/cell_log/group_log.h"

#include "core_impl/photon/cell_log/cell_files.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

constexpr VolumeId kCell{2};

// A process that is nothing but a log.
class Writer final : public Node {
 public:
  void on_start(Context& context) override {
    log.open(GroupLog::Options{kCell, FileName("file"), 5, 100ms, 1}, 0);
    static_cast<void>(context);
  }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { log.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    last = log.on_io(context, ticket, result);
    log.flush(context);
  }

  GroupLog log;
  GroupLog::Event last = GroupLog::Event::waiting;
};

struct World {
  Harness harness{NodeId(1)};
  Writer* writer = nullptr;

  World() {
    harness.start([this] {
      auto node = std::make_unique<Writer>();
      writer = node.get();
      return node;
    });
  }
  void add(std::string_view text) {
    const Bytes bytes = bytes_of(text);
    auto& pending = writer->log.pending();
    pending.insert(pending.end(), bytes.begin(), bytes.end());
    writer->log.flush(harness);
  }
  const Bytes& content() { return harness.volumes[kCell.value()].content("file"); }
};

}  // namespace

TEST_CASE("D-16 what is added while an append is in flight is written by the next one") {
  World world;
  world.add("a");
  world.add("b");
  world.add("c");
  CHECK(world.writer->log.end() == 3);
  CHECK(world.writer->log.durable() == 0);
  world.harness.run_for(10ms);
  CHECK(world.writer->log.durable() == 1);
  CHECK(world.content() == bytes_of("a"));
  world.harness.run_for(10ms);
  CHECK(world.writer->log.durable() == 3);
  CHECK(world.content() == bytes_of("abc"));
  CHECK(world.writer->log.idle());
}

TEST_CASE("D-16 an append that took effect without confirmation is not repeated") {
  World world;
  int requests = 0;
  world.harness.io_fate = [&](const VolumeRequest&) {
    return ++requests == 1 ? IoFate::unconfirmed : IoFate::done;
  };
  world.add("abc");
  world.harness.run_for(50ms);
  CHECK(world.content() == bytes_of("abc"));
  CHECK(world.writer->log.durable() == 0);
  world.add("def");
  world.harness.run_for(1s);
  CHECK(world.content() == bytes_of("abcdef"));
  CHECK(world.writer->log.durable() == 6);
  CHECK(world.writer->log.retries() == 1);
}

TEST_CASE("D-16 of an append that took effect in part only the rest is written") {
  World world;
  int requests = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (++requests > 1) return IoFate::done;
    world.harness.volumes[kCell.value()].tear(request, 2);
    return IoFate::lost;
  };
  world.add("abcdef");
  world.harness.run_for(1s);
  CHECK(world.content() == bytes_of("abcdef"));
  CHECK(world.writer->log.durable() == 6);
  CHECK(world.writer->log.file_length() == 6);
}

TEST_CASE("D-16 a volume that loses confirmed bytes gets the rest at its new end") {
  FakeContext context(NodeId(1));
  Writer writer;
  writer.on_start(context);
  const auto add = [&](std::string_view text) {
    append_bytes(bytes_of(text), writer.log.pending());
    writer.log.flush(context);
    while (!context.pending.empty()) context.complete(writer);
  };
  add("abcdef");
  REQUIRE(writer.log.durable() == 6);
  context.disks[kCell]["file"] = bytes_of("ab");
  add("gh");
  CHECK(context.disks[kCell]["file"] == bytes_of("abgh"));
  CHECK(writer.log.durable() == 8);
  CHECK(writer.log.end() == 8);
  CHECK(writer.log.file_length() == 4);
  CHECK(writer.log.retries() == 1);
  CHECK(writer.last == GroupLog::Event::durable);
}

TEST_CASE("D-16 a log writes once it is opened, from the end of its file on") {
  FakeContext context(NodeId(1));
  Writer writer;
  append_bytes(bytes_of("abc"), writer.log.pending());
  writer.log.flush(context);
  CHECK(context.pending.empty());
  context.disks[kCell]["file"] = bytes_of("12345");
  writer.log.open(GroupLog::Options{kCell, FileName("file"), 5, 100ms, 1}, 5);
  writer.log.flush(context);
  REQUIRE(context.pending.size() == 1);
  CHECK(context.pending.front().request.expected_length == 5);
  context.complete(writer);
  CHECK(context.disks[kCell]["file"] == bytes_of("12345abc"));
  CHECK(writer.log.retries() == 0);
  CHECK(writer.log.file_length() == 8);
}

TEST_CASE("D-16 a refused append waits, and is repeated as it was") {
  FakeContext context(NodeId(1));
  Writer writer;
  writer.on_start(context);
  append_bytes(bytes_of("abc"), writer.log.pending());
  writer.log.flush(context);
  REQUIRE(context.pending.size() == 1);
  const VolumeRequest first = context.pending.front().request;
  CHECK(first.volume == kCell);
  CHECK(first.epoch == 5);
  CHECK(first.durability == Durability::synced);
  CHECK(first.expected_length == 0);
  for (const IoStatus status :
       {IoStatus::unavailable, IoStatus::full, IoStatus::torn, IoStatus::missing}) {
    context.complete(writer, status);
    CHECK(writer.last == GroupLog::Event::waiting);
    CHECK_FALSE(writer.log.idle());
    CHECK(context.pending.empty());
    CHECK(context.timer(1) == context.now() + 100ms);
    context.fire(writer, 1);
    REQUIRE(context.pending.size() == 1);
    CHECK(context.pending.front().request.data == first.data);
    CHECK(context.pending.front().request.expected_length == 0);
  }
  CHECK(writer.log.retries() == 4);
  context.complete(writer);
  CHECK(writer.log.durable() == 3);
  CHECK(writer.log.idle());
}

TEST_CASE("F-06 after fenced nothing is submitted again") {
  World world;
  int requests = 0;
  world.harness.io_fate = [&](const VolumeRequest&) {
    ++requests;
    return IoFate::refused;
  };
  world.add("abc");
  world.harness.run_for(1s);
  CHECK(world.writer->last == GroupLog::Event::fenced);
  world.add("def");
  world.harness.run_for(10s);
  CHECK(requests == 1);
  CHECK(world.writer->log.durable() == 0);
}

TEST_CASE("C-03 a rewrite replaces the file and includes what was pending") {
  World world;
  world.add("aaaa");
  world.harness.run_for(1s);
  auto& pending = world.writer->log.pending();
  pending.push_back(std::byte{'b'});
  world.writer->log.rewrite(world.harness, bytes_of("xy"));
  CHECK(world.writer->log.end() == 5);
  world.add("c");
  world.harness.run_for(1s);
  CHECK(world.content() == bytes_of("xyc"));
  CHECK(world.writer->log.durable() == 6);
  CHECK(world.writer->log.file_length() == 3);
}

TEST_CASE("D-16 F-06 file names carry process slot and life, and order like them") {
  CHECK(output_file(NodeId(12), Incarnation(3)) == FileName("output/00012/0000000003"));
  CHECK(unjoinable_file(NodeId(12), Incarnation(3)) == FileName("unjoinable/00012/0000000003"));
  CHECK(partition_journal(kDispatcherPrefix, 99999) == FileName("dispatcher/99999/journal"));
  CHECK(directory_of(kOutputPrefix, NodeId(1)) == FileName("output/00001/"));
  CHECK(output_file(NodeId(1), Incarnation(4294967295U)).size() <= 55);
}

TEST_CASE("D-16 F-06 every file of a process has a name of its own, as the list of names says") {
  CHECK(partition_directory(kDispatcherPrefix, 7) == FileName("dispatcher/00007/"));
  CHECK(partition_journal(kDispatcherPrefix, 7) == FileName("dispatcher/00007/journal"));
  CHECK(copied_output_file(NodeId(12), Incarnation(3)) == FileName("output_copy/00012/0000000003"));
  CHECK(signs_of_life_file(kDispatcherWorkerPrefix, NodeId(12)) ==
        FileName("dispatcher_worker/00012"));
  CHECK(event_store_map_file(NodeId(12), Incarnation(3)) ==
        FileName("event_store/00012/map/0000000003"));
  CHECK(event_store_map_directory(NodeId(12)) == FileName("event_store/00012/map/"));
  CHECK(event_store_offsets_file(NodeId(12)) == FileName("event_store/00012/offsets"));
  CHECK(auditor_file(NodeId(12)) == FileName("auditor/00012/cleared"));
}

TEST_CASE("D-16 F-06 the name of an output file is read back, and no other name is one") {
  const auto file = parse_output_file("output/00012/4294967295");
  REQUIRE(file.has_value());
  CHECK(file->node == NodeId(12));
  CHECK(file->life == Incarnation(4294967295U));
  for (const std::string_view wrong :
       {"", "output/", "input//00012/0000000003", "output/00012/000000003",
        "output/00012/00000000003", "output/0001200000000003", "output/00012x0000000003",
        "output/0001x/0000000003", "output/00012/000000000x", "output/00012/4294967296"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_output_file(wrong).has_value());
  }
  CHECK(parse_output_directory("output/00012/") == NodeId(12));
  for (const std::string_view wrong : {"", "output/", "input//00012/", "output/00012",
                                       "output/0001x/", "output/00012/0000000003"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_output_directory(wrong).has_value());
  }
}

TEST_CASE("C-04 the name of a journal is read back, and no other name is one") {
  CHECK(parse_journal_file(kDispatcherPrefix, "dispatcher/00012/journal") == 12U);
  for (const std::string_view wrong :
       {"", "dispatcher/", "verifier///00012/journal", "dispatcher/00012/journa",
        "dispatcher/00012/journals", "dispatcher/00012xjournal", "dispatcher/00012/jour_al",
        "dispatcher/0001x/journal", "dispatcher/000012journal"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_journal_file(kDispatcherPrefix, wrong).has_value());
  }
}
