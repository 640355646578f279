// Which clicks a source hands out, in which order, and what it does with records that are none.
#include "core_impl/photon/intake/click_source.h"

#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace click_source_test {
namespace {

constexpr VolumeId kLogs{1};
constexpr VolumeId kCell{2};
constexpr ClickSource::Log kClicks{.type = logs::LogType::foreign, .options = {kLogs, 4096, 4}};
constexpr ClickSource::Log kReturned{.type = logs::LogType::reinjected,
                                     .options = {kCell, 4096, 4}};

using Numbers = std::vector<std::uint32_t>;

class Reader final : public Node {
 public:
  explicit Reader(ClickSource of) : source(std::move(of)) {}
  void on_start(Context&) override {}
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    CHECK(source.on_io(context, ticket, result));
    source.pump(context);
  }

  ClickSource source;
};

struct World {
  explicit World(std::initializer_list<ClickSource::Log> logs) : reader(ClickSource(logs)) {
    context.set_now(from_nanoseconds<MonotonicTime>(0) + 24h);  // when the clicks happened
  }
  Bytes& file(VolumeId volume, const logs::LogFile& of) {
    return context.disks[volume][std::string(view_of(of.name()))];
  }
  Bytes& clicks(std::uint16_t server) { return file(kLogs, {logs::LogType::foreign, server, 0}); }
  Bytes& returned() { return file(kCell, {logs::LogType::reinjected, 1, 0}); }
  void add(std::uint16_t server, std::uint32_t number) {
    append_encoded(logs::ForeignEvent{click_id(number), query_id(number), bytes_of("click")},
                   clicks(server));
  }
  void add_returned(std::uint32_t number, std::uint64_t removed_at) {
    append_encoded(
        logs::ReinjectedEvent{{click_id(number), query_id(number), bytes_of("click")}, removed_at},
        returned());
  }
  void scan() {
    reader.source.scan(context);
    context.complete_all(reader);
  }
  // Takes the next click of any lane.
  TakenClick take() {
    auto taken = reader.source.next(context);
    REQUIRE(taken.has_value());
    reader.source.pump(context);
    context.complete_all(reader);
    return std::move(*taken);
  }
  // The numbers of all that is at hand, settled as they come.
  Numbers take_all() {
    Numbers numbers;
    while (auto taken = reader.source.next(context)) {
      numbers.push_back(taken->event.id.process);
      reader.source.settle(taken->place);
      reader.source.pump(context);
      context.complete_all(reader);
    }
    return numbers;
  }
  std::vector<std::uint64_t> settled() {
    std::vector<std::uint64_t> offsets;
    reader.source.take_advanced(
        [&](std::uint32_t, std::uint64_t offset) { offsets.push_back(offset); });
    return offsets;
  }

  FakeContext context{NodeId(10)};
  Reader reader;
};

}  // namespace

TEST_CASE("C-09 clicks: a record that is none is counted and passed, its neighbours are taken") {
  World world({kReturned, kClicks});
  world.add(1, 1);
  append_record(Bytes(5, std::byte{1}), world.clicks(1));
  append_record(Bytes(5, std::byte{2}), world.clicks(1));
  world.add(1, 2);
  world.add_returned(3, 7);
  // A click without the field that says how it came back.
  append_encoded(logs::ForeignEvent{click_id(4), query_id(4), {}}, world.returned());
  world.add_returned(5, 8);
  world.scan();
  CHECK(world.take_all() == Numbers{3, 5, 1, 2});
  CHECK(world.reader.source.damaged_records() == 3);
  CHECK(world.reader.source.files() == 2);
  CHECK(world.settled() ==
        std::vector<std::uint64_t>{world.returned().size(), world.clicks(1).size()});
  const auto read = world.context.decided<trace::ClickRead>();
  REQUIRE(read.size() == 4);
  CHECK(read[0].click == click_id(3));
  CHECK(read[3].click == click_id(2));
  CHECK(read[3].end == world.clicks(1).size());
  CHECK(read[3].file == logs::LogFile{logs::LogType::foreign, 1, 0}.number());
}

TEST_CASE("F-08 C-33 clicks: returned ones come first at the front and last in the backlog") {
  World world({kReturned, kClicks});
  for (std::uint32_t i = 1; i <= 2; ++i) {
    world.add(1, i);
    world.add(2, 10 + i);
    world.add_returned(20 + i, i);
  }
  world.scan();
  using Lane = ClickSource::Lane;
  const TakenClick returned = world.take();
  CHECK(returned.event.id == click_id(21));
  CHECK(returned.event.primary == query_id(21));
  CHECK(returned.removed_at == 1);
  CHECK(world.reader.source.is_returned(returned.place));
  world.reader.source.put(returned.place, Lane::backlog);
  const TakenClick first = world.take();
  CHECK(first.removed_at == 0);
  CHECK_FALSE(world.reader.source.is_returned(first.place));
  world.reader.source.put(first.place, Lane::backlog);
  const bool one = first.event.id.process == 1;
  // The file that stayed at the front, then the backlog: its clicks, and the returned ones.
  CHECK(world.take_all() == (one ? Numbers{11, 12, 2, 22} : Numbers{1, 2, 12, 22}));
}

TEST_CASE("C-33 clicks: a lane is asked for alone") {
  World world({kClicks});
  world.add(1, 1);
  world.add(1, 2);
  world.scan();
  using Lane = ClickSource::Lane;
  CHECK_FALSE(world.reader.source.next(world.context, Lane::backlog).has_value());
  world.reader.source.put(world.take().place, Lane::backlog);
  CHECK_FALSE(world.reader.source.next(world.context, Lane::front).has_value());
  CHECK(world.reader.source.next(world.context, Lane::backlog).has_value());
}

TEST_CASE("F-08 clicks: one that is too young waits until it has exactly the age") {
  ClickSource::Log aged = kClicks;
  aged.min_age = 10s;
  World world({aged});
  world.add(1, 1);
  world.context.advance(4s);
  world.scan();
  CHECK(world.take_all().empty());
  world.context.advance(6s - 1ns);
  world.scan();
  CHECK(world.take_all().empty());
  world.context.advance(1ns);
  world.scan();
  CHECK(world.take_all() == Numbers{1});
}

TEST_CASE("C-05 clicks: a file continues at its offset, and other logs are left alone") {
  World world({kClicks});
  world.add(1, 1);
  const std::uint64_t offset = world.clicks(1).size();
  world.add(1, 2);
  world.add_returned(3, 1);
  world.reader.source.restore(logs::LogFile{logs::LogType::foreign, 1, 0}.number(), offset);
  world.reader.source.restore(logs::LogFile{logs::LogType::reinjected, 1, 0}.number(), 1);
  world.scan();
  CHECK(world.take_all() == Numbers{2});
  CHECK(world.reader.source.files() == 1);
}

TEST_CASE("clicks: reads under way, their limit and the files that wait, of all logs") {
  World world({kReturned, kClicks});
  world.add_returned(1, 1);
  for (std::uint16_t server = 1; server <= 6; ++server) world.add(server, server);
  world.reader.source.scan(world.context);
  world.context.complete(world.reader);  // the listing of the cell
  world.context.complete(world.reader);  // and that of the logs
  ResourceUse use;
  world.reader.source.add_reads(use);
  CHECK(use.used == 5);
  CHECK(use.limit == 8);
  CHECK(use.waiting == 2);
}

}  // namespace click_source_test
