#include "sim/service_times.h"

#include "tests/base/throwing_check_sink.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

using Times = std::vector<SimTime>;

std::uint64_t note_bytes(const Body& body) { return body.as<Note>().text.size(); }
std::uint64_t one_each(const Body&) { return 1; }
std::uint64_t answer_bytes(const VolumeRequest&, const IoResult& result) {
  return result.data.size();
}

// The roles of the processes of SimWorld.
constexpr std::uint32_t kFrontRole = 1;
constexpr std::uint32_t kBackRole = 2;

TEST_CASE("a row charges its role and its type for the items, in parts of a unit; others nothing") {
  ServiceTimes times;
  times.add(ServiceTimes::Message{kBackRole, Note::kType, 100us, note_bytes, 10});
  const Body note = Body::make(Note{1, Bytes(25)});
  CHECK(times.of(kBackRole, note) == 250us);
  CHECK(times.of(kBackRole, Body::make(Note{1, {}})) == 0us);
  CHECK(times.of(kBackRole, Body::make(Silent{1})) == 0us);
  CHECK(times.of(kFrontRole, note) == 0us);
  CHECK(times.of(99, note) == 0us);
  IoResult result;
  result.data.resize(30);
  CHECK(times.of(kBackRole, request(VolumeOperation::read, 0), result) == 0us);
  times.add(ServiceTimes::Answer{kFrontRole, VolumeOperation::read, 2us, answer_bytes});
  CHECK(times.of(kFrontRole, request(VolumeOperation::read, 0), result) == 60us);
  CHECK(times.of(kFrontRole, request(VolumeOperation::append, 0), result) == 0us);
  CHECK(times.of(kBackRole, request(VolumeOperation::read, 0), result) == 0us);
}

TEST_CASE("a row that contradicts another, or counts nothing, fails a check") {
  const testing::ChecksThrow checks;
  ServiceTimes times;
  times.add(ServiceTimes::Message{kBackRole, Note::kType, 1us, one_each});
  CHECK_THROWS_AS(times.add(ServiceTimes::Message{kBackRole, Note::kType, 2us, one_each}),
                  testing::CheckFailed);
  CHECK_THROWS_AS(times.add(ServiceTimes::Message{kFrontRole, Note::kType, 2us, nullptr}),
                  testing::CheckFailed);
  CHECK_THROWS_AS(times.add(ServiceTimes::Message{kFrontRole, Note::kType, -1us, one_each}),
                  testing::CheckFailed);
}

TEST_CASE("a message keeps its process busy for its cost: the next waits, the answer leaves late") {
  SimWorld world;
  ServiceTimes times;
  times.add(ServiceTimes::Message{kBackRole, Note::kType, 1ms, note_bytes});
  world.run.set_service_times(std::move(times));
  Times heard;
  Times answers;
  world.hooks[0].start = [](Context& context) {
    context.send(NodeId(1), Body::make(Note{1, Bytes(2)}));
    context.send(NodeId(1), Body::make(Note{2, Bytes(3)}));
    context.send(NodeId(1), Body::make(Note{3, {}}));
  };
  world.hooks[1].message = [&](Context& context, NodeId from, const Body& body) {
    heard.push_back(world.run.now());
    context.send(from, Body::make(Note{body.as<Note>().value, {}}));
  };
  world.hooks[0].message = [&](Context&, NodeId, const Body&) {
    answers.push_back(world.run.now());
  };
  world.run.start();
  world.to(100ms);
  CHECK(heard == Times{at(1ms), at(3ms), at(6ms)});
  CHECK(answers == Times{at(4ms), at(7ms), at(7ms)});
}

TEST_CASE("the answer of a volume costs what its row says, before the process acts on it") {
  SimWorld world;
  ServiceTimes times;
  times.add(ServiceTimes::Answer{kFrontRole, VolumeOperation::read, 1ms, answer_bytes});
  world.run.set_service_times(std::move(times));
  Times answers;
  world.hooks[0].start = [](Context& context) { context.submit(append(0, "abc", 0)); };
  world.hooks[0].io = [&](Context& context, Ticket, IoResult& result) {
    if (!result.data.empty()) return context.send(NodeId(1), Body::make(Note{7, {}}));
    VolumeRequest read = request(VolumeOperation::read, 0);
    read.length = 10;
    context.submit(std::move(read));
  };
  world.hooks[1].message = [&](Context&, NodeId, const Body&) {
    answers.push_back(world.run.now());
  };
  world.run.start();
  world.to(100ms);
  CHECK(answers == Times{at(2ms + 2ms + 3ms + 1ms)});  // append, read, three bytes, the way
}

}  // namespace
}  // namespace photon::sim
