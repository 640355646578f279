// What the system is doing when faults take effect, from handmade records.
#include "scenarios/world/state_watch.h"

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios {
namespace {

namespace trace = photon::trace;
using photon::NodeId;
using State = ProtocolState;
using photon::analysis::FaultEffects;

constexpr NodeId kMaster{0};
constexpr NodeId kJoiner{1};

struct Watched {
  StateWatch watch{1, 3, [](std::uint32_t fault) {
                     return fault == 0 ? std::string_view("crash") : std::string_view("loss");
                   }};

  template <class Payload>
  void tell(NodeId node, const Payload& payload,
            trace::Source source = trace::Source::environment) {
    trace::Header header;
    header.node = node;
    header.source = source;
    watch.record(trace::Record::make(header, payload));
  }
  void elect() { tell(kMaster, trace::MasterElected{}, trace::Source::decision); }
  void take_effect(std::uint32_t fault) { tell(photon::kNoNode, trace::FaultEffect{fault}); }
  void ask(trace::RegistryOperation operation, std::uint64_t sequence) {
    trace::RegistryAsk ask{};
    ask.operation = operation;
    ask.id = photon::EventId{1, static_cast<std::uint32_t>(sequence), {}};
    ask.token.sequence = sequence;
    tell(kJoiner, ask, trace::Source::sent);
  }
  void answer(trace::RegistryOperation operation, std::uint64_t sequence,
              trace::RegistryCode code) {
    trace::RegistryAnswer answer{};
    answer.operation = operation;
    answer.id = photon::EventId{1, static_cast<std::uint32_t>(sequence), {}};
    answer.token.sequence = sequence;
    answer.code = code;
    tell(kJoiner, answer, trace::Source::delivered);
  }
};

}  // namespace

TEST_CASE(
    "states: a group without a master elects, a batch is committed when any replica applied it") {
  Watched world;
  CHECK(world.watch.holds(State::electing));
  world.elect();
  CHECK(world.watch.holds(State::quiet));
  trace::BatchProposed batch{};
  batch.slot = 7;
  world.tell(kMaster, batch, trace::Source::decision);
  CHECK(world.watch.holds(State::committing));
  CHECK_FALSE(world.watch.holds(State::quiet));
  trace::SlotApplied applied{};
  applied.slot = 7;
  world.tell(NodeId(2), applied, trace::Source::decision);
  CHECK_FALSE(world.watch.holds(State::committing));
  world.tell(kMaster, trace::MasterEnded{}, trace::Source::decision);
  CHECK(world.watch.holds(State::electing));
}

TEST_CASE("states: a request to the registry ends with a definitive answer, or with its client") {
  Watched world;
  world.elect();
  const auto insert = trace::RegistryOperation::insert;
  world.ask(insert, 1);
  world.ask(insert, 2);
  world.ask(insert, 1);  // again
  world.answer(insert, 1, trace::RegistryCode::not_master);
  world.answer(insert, 1, trace::RegistryCode::inserted);
  world.answer(insert, 1, trace::RegistryCode::inserted);  // a copy of it
  CHECK(world.watch.holds(State::registering));
  world.answer(insert, 2, trace::RegistryCode::already_exists);
  CHECK_FALSE(world.watch.holds(State::registering));
  world.ask(trace::RegistryOperation::remove, 3);
  CHECK(world.watch.holds(State::recovering));
  world.tell(kJoiner, trace::ProcessCrashed{1});
  CHECK_FALSE(world.watch.holds(State::recovering));
  CHECK(world.watch.holds(State::restarting));
  world.tell(kJoiner, trace::ProcessStarted{});
  CHECK(world.watch.holds(State::quiet));
}

TEST_CASE("states: output, snapshots and reshardings are in progress until they are durable") {
  Watched world;
  world.elect();
  trace::OutputRecord output{};
  output.token.sequence = 5;
  world.tell(kJoiner, output, trace::Source::issued);
  world.tell(kJoiner, output, trace::Source::issued);  // refused, and tried again
  CHECK(world.watch.holds(State::writing));
  world.tell(kJoiner, output, trace::Source::durable);
  CHECK_FALSE(world.watch.holds(State::writing));
  world.tell(kMaster, trace::PaxosSnapshot{}, trace::Source::issued);
  CHECK(world.watch.holds(State::snapshot));
  world.tell(kMaster, trace::PaxosLogRestated{}, trace::Source::durable);
  CHECK_FALSE(world.watch.holds(State::snapshot));
  trace::ShardingAsk ask{};
  ask.request = 9;
  world.tell(kJoiner, ask, trace::Source::sent);
  CHECK(world.watch.holds(State::resharding));
  trace::ShardingApplied step{};
  step.action = trace::ShardingAction::announce;
  world.tell(kMaster, step, trace::Source::decision);
  trace::ShardingAnswer done{};
  done.request = 9;
  world.tell(kJoiner, done, trace::Source::delivered);
  CHECK(world.watch.holds(State::resharding));
  step.action = trace::ShardingAction::confirm;
  world.tell(kMaster, step, trace::Source::decision);
  CHECK(world.watch.holds(State::quiet));
}

TEST_CASE(
    "states: a crash takes effect in the states before it, any other fault in the present ones") {
  Watched world;
  world.elect();
  world.ask(trace::RegistryOperation::insert, 1);
  world.tell(kJoiner, trace::ProcessCrashed{0});
  world.take_effect(0);
  world.take_effect(1);
  CHECK(world.watch.effects() == std::vector<FaultEffects>{{"crash", State::registering, 1},
                                                           {"loss", State::restarting, 1}});
}

}  // namespace photonsim::scenarios
