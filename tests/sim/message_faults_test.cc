#include "sim/message_faults.h"

#include <algorithm>
#include <vector>

#include "core_impl/runtime/catalogue.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

struct Enquiry {
  static constexpr MessageType kType = 60011;
  static constexpr std::string_view kName = "test_enquiry";
  std::uint64_t value = 0;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.value);
  }
};

struct Response {
  static constexpr MessageType kType = 60012;
  static constexpr std::string_view kName = "test_response";
  static constexpr bool kIsReply = true;
  std::uint64_t value = 0;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.value);
  }
};

// As large as the test says.
struct Bulk {
  static constexpr MessageType kType = 60014;
  static constexpr std::string_view kName = "test_bulk";
  std::vector<std::uint64_t> values{};
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.values);
  }
};

std::uint64_t size_of(const Body& body) {
  Bytes encoded;
  encode_body(body, encoded);
  return encoded.size();
}

// Carries a version of shared state, and the probe that reads it.
struct Word {
  static constexpr MessageType kType = 60013;
  static constexpr std::string_view kName = "test_word";
  std::uint64_t version = 0;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.version);
  }
};

class WordProbe final : public Probe {
 public:
  bool keeps_in_memory(const Node&) const override { return false; }
  std::optional<std::uint64_t> version_in(const Body& body) const override {
    if (body.type() != Word::kType) return std::nullopt;
    return body.as<Word>().version;
  }
  std::optional<Statement> statement_in(const Body&) const override { return {}; }
};

struct Arrival {
  std::uint64_t value = 0;
  Duration at{};
};

// Process 0 asks process 2, in another datacenter, every millisecond of the first second; process 2
// answers each request.
struct Talk {
  explicit Talk(std::vector<Fault> faults, std::uint64_t seed = 1) : world(seed) {
    world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(1ms)); };
    world.hooks[0].timer = [this](Context& context, TimerKind) {
      context.send(NodeId(2), Body::make(Enquiry{asked++}));
      if (asked < 1000) context.set_timer(0, context.now() + 1ms);
    };
    world.hooks[2].message = [this](Context& context, NodeId from, const Body& body) {
      const std::uint64_t value = body.as<Enquiry>().value;
      questions.push_back({value, context.now() - MonotonicTime{}});
      context.send(from, Body::make(Response{value}));
    };
    world.hooks[0].message = [this](Context& context, NodeId, const Body& body) {
      answers.push_back({body.as<Response>().value, context.now() - MonotonicTime{}});
    };
    world.run.set_faults(std::move(faults));
    world.run.start();
    world.to(10s);
  }
  bool effective(std::uint32_t fault) { return world.run.faults().effective(fault); }

  SimWorld world;
  std::uint64_t asked = 0;
  std::vector<Arrival> questions;
  std::vector<Arrival> answers;
};

Fault link_fault(MessageFault effect, Duration when, Duration lasting, std::uint32_t from = 0,
                 std::uint32_t to = 2) {
  LinkFault action;
  action.from = {NodeId(from)};
  action.to = {NodeId(to)};
  action.effect = effect;
  return {at(when), lasting, std::move(action), {}};
}

std::size_t count_of(const std::vector<Arrival>& arrivals, std::uint64_t value) {
  return static_cast<std::size_t>(std::ranges::count(arrivals, value, &Arrival::value));
}

Duration arrival_of(const std::vector<Arrival>& arrivals, std::uint64_t value) {
  const auto found = std::ranges::find(arrivals, value, &Arrival::value);
  REQUIRE(found != arrivals.end());
  return found->at;
}

}  // namespace

TEST_CASE("J-S1 messages between the named processes are lost at the fault's rate while it lasts") {
  Talk talk({link_fault({Loss{}, Chance(0.25)}, 200ms, 400ms)});
  CHECK(talk.questions.size() < 1000 - 70);
  CHECK(talk.questions.size() > 1000 - 130);
  for (std::uint64_t value = 0; value < 1000; ++value) {
    const bool spared = value < 198 || value > 602;
    if (spared) CHECK(count_of(talk.questions, value) == 1);
  }
  CHECK(talk.answers.size() == talk.questions.size());  // the way back is not affected
  CHECK(talk.effective(0));
  CHECK(talk.world.run.network().counters().lost == 1000 - talk.questions.size());
}

TEST_CASE("with lost replies the requests take effect; other messages pass") {
  Talk back({link_fault({ReplyLoss{}, Chance(1.0)}, 200ms, 400ms, 2, 0)});
  CHECK(back.questions.size() == 1000);
  CHECK(back.answers.size() == 600);
  Talk there({link_fault({ReplyLoss{}, Chance(1.0)}, 200ms, 400ms, 0, 2)});
  CHECK(there.questions.size() == 1000);
  CHECK_FALSE(there.effective(0));
}

TEST_CASE("copies arrive at their rate, and late ones later") {
  Talk soon({link_fault({Duplication{}, Chance(0.5)}, 1ms, 2s)});
  CHECK(soon.questions.size() > 1400);
  CHECK(soon.questions.size() < 1600);
  CHECK(soon.world.run.network().counters().duplicated == soon.questions.size() - 1000);
  Talk late({link_fault({LateDuplication{4s}, Chance(0.5)}, 1ms, 2s)});
  CHECK(late.questions.size() > 1400);
  const auto long_after =
      std::ranges::count_if(late.questions, [](const Arrival& arrival) { return arrival.at > 2s; });
  CHECK(long_after > 200);
}

TEST_CASE("messages are late by the fault's delay; reordered ones overtake each other") {
  Talk talk({link_fault({FixedDelay{700ms}, Chance(1.0)}, 10ms, 100ms)});
  Talk usual({});
  for (std::uint64_t value = 20; value < 100; ++value) {
    CHECK(arrival_of(talk.questions, value) == arrival_of(usual.questions, value) + 700ms);
  }
  CHECK(arrival_of(talk.questions, 500) == arrival_of(usual.questions, 500));
  CHECK(talk.world.run.network().counters().delayed == 100);
  Talk mixed({link_fault({Reordering{50ms}, Chance(0.3)}, 1ms, 2s)});
  CHECK_FALSE(std::ranges::is_sorted(mixed.questions, {}, &Arrival::value));
  CHECK(mixed.questions.size() == 1000);
}

TEST_CASE("clogged messages arrive when the fault ends, and none is lost") {
  Talk talk({link_fault({Clog{}, Chance(1.0)}, 100ms, 300ms)});
  CHECK(talk.questions.size() == 1000);
  for (const Arrival& arrival : talk.questions) {
    const bool sent_while_clogged = arrival.value >= 100 && arrival.value < 398;
    if (sent_while_clogged) CHECK(arrival.at >= 400ms);
  }
}

TEST_CASE(
    "a link of limited bandwidth transmits by bytes, first in, first out, and frees in between") {
  struct NoEffects final : FaultEffects {
    void took_effect(std::uint32_t) override {}
    bool had_effect(std::uint32_t) const override { return false; }
  } effects;
  const Body small = Body::make(Bulk{{1}});
  const Body large = Body::make(Bulk{std::vector<std::uint64_t>(500, ~std::uint64_t{0})});
  REQUIRE(size_of(large) > 10 * size_of(small));
  LimitedBandwidth link{8'000};
  const auto takes = [](const Body& body) {
    return Duration(static_cast<std::int64_t>(size_of(body) * 125'000));  // a byte: 1/8,000 s
  };
  const auto leaves = [&](const Body& body, Duration departure, SimTime end) {
    MessageFate fate;
    link.apply({NodeId(0), NodeId(2), 0, 0, at(departure), body, {}}, {7, end, 0, {}, effects},
               fate);
    REQUIRE(fate.delays.size() == 1);
    CHECK(fate.delays[0].fault == 7);
    CHECK(fate.leaves == fate.delays[0].leaves);
    return fate.leaves;
  };
  const SimTime late = at(60s);
  CHECK(leaves(large, 1s, late) == at(1s) + takes(large));
  CHECK(leaves(small, 1s, late) == at(1s) + takes(large) + takes(small));  // waits for the large
  CHECK(leaves(small, 20s, late) == at(20s) + takes(small));               // the link was free
  // What still waits when the fault ends leaves then; times never overflow.
  CHECK(leaves(large, 60s - takes(large) / 2, late) == late);
  CHECK(leaves(small, 60s - 1ns, late) == late);
  LimitedBandwidth slowest{1, SimTime::max() - 1s};
  MessageFate fate;
  slowest.apply({NodeId(0), NodeId(2), 0, 0, at(1s), large, {}},
                {7, SimTime::max(), 0, {}, effects}, fate);
  CHECK(fate.leaves == SimTime::max());
}

TEST_CASE("over a link of limited bandwidth messages queue, and after its end they come as usual") {
  const std::uint64_t size = size_of(Body::make(Enquiry{200}));
  // 2.5 ms for each message, of which one comes each millisecond.
  Talk talk({link_fault({LimitedBandwidth{size * 400}, Chance(1.0)}, 100500us, 300ms)});
  Talk usual({});
  REQUIRE(talk.questions.size() == 1000);
  const SimTime end = at(400500us);
  SimTime free{};
  std::size_t queued = 0;
  for (std::uint64_t value = 0; value < 1000; ++value) {
    const SimTime departure = at(1ms) + static_cast<std::int64_t>(value) * 1ms;
    Duration waits{};
    if (departure > at(100500us) && departure < end) {
      const std::uint64_t bytes = size_of(Body::make(Enquiry{value}));
      free = std::min(std::max(departure, free) +
                          Duration(static_cast<std::int64_t>(bytes * 1'000'000'000 / (size * 400))),
                      end);
      waits = free - departure;
      queued += free == end ? 1 : 0;
    }
    CHECK(arrival_of(talk.questions, value) == arrival_of(usual.questions, value) + waits);
  }
  CHECK(queued > 100);  // far more than the link could take
  CHECK(queued < 250);
  CHECK(talk.answers.size() == 1000);
  CHECK(talk.effective(0));
  Talk wide({link_fault({LimitedBandwidth{1'000'000'000'000}, Chance(1.0)}, 100ms, 300ms)});
  CHECK_FALSE(wide.effective(0));  // a byte takes a picosecond
}

TEST_CASE("BC-18 a message is delayed if its version is newer than its receiver's") {
  // A message every 10 ms: version 1, from 100 ms on version 2, and in between something else.
  SimWorld world;
  WordProbe probe;
  std::vector<Arrival> words;
  std::size_t others = 0;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(10ms)); };
  world.hooks[0].timer = [](Context& context, TimerKind) {
    const std::uint64_t version = context.now() < mono(100ms) ? 1 : 2;
    context.send(NodeId(2), Body::make(Word{version}));
    context.send(NodeId(4), Body::make(Word{version}));
    context.send(NodeId(2), Body::make(Enquiry{}));
    if (context.now() < mono(500ms)) context.set_timer(0, context.now() + 10ms);
  };
  world.hooks[2].message = [&](Context& context, NodeId, const Body& body) {
    if (body.type() != Word::kType) {
      others += context.now() < mono(400ms) ? 1 : 0;
      return;
    }
    words.push_back({body.as<Word>().version, context.now() - MonotonicTime{}});
  };
  std::vector<Duration> elsewhere;
  world.hooks[4].message = [&](Context& context, NodeId, const Body& body) {
    if (body.as<Word>().version == 2) elsewhere.push_back(context.now() - MonotonicTime{});
  };
  const MessageFault late{LateVersion{}, Chance(1.0)};
  world.run.set_faults({link_fault(late, 50ms, 350ms), link_fault(late, 410ms, 50ms)});
  world.run.set_probe(probe);
  world.run.start();
  world.to(1s);
  CHECK(others > 30);
  REQUIRE_FALSE(elsewhere.empty());
  CHECK(elsewhere.front() < 150ms);
  std::size_t known = 0;
  for (const Arrival& word : words) {
    if (word.value == 2) CHECK(word.at >= 400ms);
    if (word.value == 1) known += word.at > 60ms ? 1 : 0;
  }
  CHECK(known >= 4);
  CHECK(words.back().value == 2);
  CHECK(world.run.faults().effective(0));
  CHECK_FALSE(world.run.faults().effective(1));  // nothing was new any more
}

TEST_CASE("two faults add up, and neither changes what the other does") {
  const Fault loss = link_fault({Loss{}, Chance(0.2)}, 0ms, 2s);
  const Fault delay = link_fault({FixedDelay{5ms}, Chance(1.0)}, 0ms, 2s);
  Talk alone({loss});
  Talk both({loss, delay});
  REQUIRE(alone.questions.size() == both.questions.size());
  for (const Arrival& arrival : alone.questions) {
    CHECK(arrival_of(both.questions, arrival.value) == arrival.at + 5ms);
  }
  CHECK(both.effective(0));
  CHECK(both.effective(1));
}

TEST_CASE("J-P0 healing all ends faults of the network") {
  SimWorld world;
  int received = 0;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(30ms)); };
  world.hooks[0].timer = [](Context& context, TimerKind) {
    context.send(NodeId(2), Body::make(Enquiry{}));
  };
  world.hooks[2].message = [&](Context&, NodeId, const Body&) { ++received; };
  world.run.set_faults({link_fault({Loss{}, Chance(1.0)}, 1ms, kForever)});
  world.run.start();
  world.to(20ms);
  world.run.heal_all();
  world.to(1s);
  CHECK(received == 1);
}

TEST_CASE("in a slow datacenter steps, volumes and messages take a multiple of their time") {
  const auto times = [](std::vector<Fault> faults) {
    SimWorld world;
    std::vector<Duration> seen;
    world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(100ms)); };
    world.hooks[0].timer = [](Context& context, TimerKind) {
      static_cast<SimContext&>(context).consume(1ms);
      context.submit(request(VolumeOperation::stat, 1));
    };
    world.hooks[0].io = [&](Context& context, Ticket, IoResult&) {
      seen.push_back(context.now() - MonotonicTime{});
      context.send(NodeId(2), Body::make(Enquiry{}));
    };
    world.hooks[2].message = [&](Context& context, NodeId, const Body&) {
      seen.push_back(context.now() - MonotonicTime{});
    };
    // Another event occurs there while the message is late (effect_tracker.h).
    world.hooks[2].start = [](Context& context) { context.set_timer(0, mono(200ms)); };
    world.run.set_faults(std::move(faults));
    world.run.start();
    world.to(2s);
    for (std::uint32_t i = 0; i < world.run.faults().list().size(); ++i) {
      CHECK(world.run.faults().effective(i) == (i == 0));
    }
    return seen;
  };
  const Fault slow{at(0s), 1s, SlowDatacenter{DatacenterId(0), 10'000}, {}};
  const Fault less{at(0s), 1s, SlowDatacenter{DatacenterId(0), 2'000}, {}};
  const Fault elsewhere{at(0s), 1s, SlowDatacenter{DatacenterId(2), 10'000}, {}};
  const auto usual = times({});
  const auto slowed = times({slow, less, elsewhere});
  REQUIRE(usual.size() == 2);
  REQUIRE(slowed.size() == 2);
  CHECK(usual[0] == 100ms + 1ms + 2ms);
  CHECK(slowed[0] == 100ms + 10 * (1ms + 2ms));
  CHECK(slowed[1] - slowed[0] == 10 * (usual[1] - usual[0]));
}

}  // namespace photon::sim
