// The group-commit log: one request in flight, unknown outcomes, fencing, names of files.

#include "core_impl/photon/cell_log/group_log.h"

#include "core_impl/photon/cell_log/cell_files.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"

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
  CHECK(journal_file(kDispatcherPrefix, NodeId(99999)) == FileName("dispatcher/99999/journal"));
  CHECK(directory_of(kOutputPrefix, NodeId(1)) == FileName("output/00001/"));
  CHECK(output_file(NodeId(1), Incarnation(4294967295U)).size() <= 55);
}
