// Asking the auditors of all datacenters.

#include "core_impl/photon/verification/output_witnesses.h"

#include <map>
#include <memory>
#include <vector>

#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

constexpr NodeId kEast{30};
constexpr NodeId kWest{31};

// Asks about one click with tag 5 and another with tag 6 when it starts.
class Asker final : public Node {
 public:
  Asker() : witnesses({0, {kEast, kWest}, 5s}) {}
  void on_start(Context& context) override {
    witnesses.ask(click_id(5), 5);
    witnesses.ask(click_id(6), 6);
    witnesses.flush(context);
  }
  void on_message(Context& context, NodeId from, const Body& body) override {
    if (body.type() == OutputProgress::kType) {
      witnesses.on_progress(context, body.as<OutputProgress>());
    } else {
      witnesses.on_reply(from, body.as<OutputReply>());
    }
    drain();
  }
  void on_timer(Context& context, TimerKind) override {
    witnesses.on_timer(context);
    drain();
  }
  void on_io(Context&, Ticket, IoResult&) override {}
  void drain() {
    while (const auto outcome = witnesses.next()) {
      CHECK(found.emplace(outcome->tag, outcome->presence).second);  // answered once
    }
  }

  OutputWitnesses witnesses;
  std::map<std::uint64_t, Presence> found;
};

using Said = std::vector<Presence>;

// The result of two answers (empty: silence), the second delivered twice.
std::map<std::uint64_t, Presence> hear(const Said& east, const Said& west) {
  Harness harness(NodeId(10));
  Asker* asker = nullptr;
  harness.world = [&](NodeId to, const Body& body) {
    const auto& query = body.as<OutputQuery>();
    const Said& said = to == kEast ? east : west;
    if (said.empty()) return;
    OutputReply reply;
    reply.request = query.request;
    reply.presences.assign(said.begin(), said.end());
    harness.deliver(to, Body::make(reply));
    if (to == kWest) harness.deliver(to, Body::make(reply), 2ms);
  };
  harness.start([&] {
    auto node = std::make_unique<Asker>();
    asker = node.get();
    return node;
  });
  harness.run_for(6s);
  return asker->found;
}

constexpr auto kPresent = Presence::present;
constexpr auto kAbsent = Presence::absent;
constexpr auto kUnknown = Presence::unknown;
constexpr auto kIndeterminate = Presence::indeterminate;

}  // namespace

TEST_CASE("F-07 present if one has seen it, absent only if all report it absent, else unknown") {
  using Found = std::map<std::uint64_t, Presence>;
  CHECK(hear({kAbsent, kPresent}, {kAbsent, kAbsent}) == Found{{5, kAbsent}, {6, kPresent}});
  CHECK(hear({kAbsent, kAbsent}, {kPresent, kUnknown}) == Found{{5, kPresent}, {6, kUnknown}});
  CHECK(hear({kUnknown, kPresent}, {kAbsent, kUnknown}) == Found{{5, kUnknown}, {6, kPresent}});
  CHECK(hear({kAbsent, kPresent}, {}) == Found{{5, kUnknown}, {6, kPresent}});
  CHECK(hear({}, {kAbsent, kAbsent}) == Found{{5, kUnknown}, {6, kUnknown}});
  CHECK(hear({kIndeterminate, kIndeterminate}, {kAbsent, kPresent}) ==
        Found{{5, kIndeterminate}, {6, kPresent}});
  CHECK(hear({kIndeterminate, kUnknown}, {kUnknown, kIndeterminate}) ==
        Found{{5, kUnknown}, {6, kUnknown}});
  CHECK(hear({kIndeterminate, kIndeterminate}, {}) == Found{{5, kUnknown}, {6, kUnknown}});
  CHECK(hear({}, {}) == Found{{5, kUnknown}, {6, kUnknown}});
}

TEST_CASE("F-07 an auditor that still reads is awaited, however long; a silent one is not") {
  const bool ends = GENERATE(true, false);
  Harness harness(NodeId(10));
  harness.world = [&](NodeId to, const Body& body) {
    const auto& query = body.as<OutputQuery>();
    OutputReply reply;
    reply.request = query.request;
    reply.presences = {kAbsent, kAbsent};
    if (to == kEast) return harness.deliver(to, Body::make(reply));
    for (const Duration at : {4s, 8s, 12s, 16s}) {
      harness.deliver(to, Body::make(OutputProgress{query.request}), at);
    }
    if (ends) harness.deliver(to, Body::make(reply), 20s);
    harness.deliver(to, Body::make(OutputProgress{query.request}), 30s);  // useless by now
  };
  Asker* asker = nullptr;
  harness.start([&] {
    auto node = std::make_unique<Asker>();
    asker = node.get();
    return node;
  });
  harness.run_for(19s);
  CHECK(asker->found.empty());
  harness.run_for(20s);
  const Presence found = ends ? kAbsent : kUnknown;
  CHECK(asker->found == std::map<std::uint64_t, Presence>{{5, found}, {6, found}});
}

TEST_CASE("F-06 each life of a joiner has a question of its own, as each joiner has") {
  FakeContext context(NodeId(1));
  OutputWitnesses witnesses({0, {kEast}, 5s});
  witnesses.prove(click_id(1), Token{20, 1, 7}, 1);
  witnesses.prove(click_id(2), Token{20, 2, 7}, 2);
  witnesses.prove(click_id(3), Token{21, 1, 7}, 3);
  witnesses.prove(click_id(4), Token{20, 1, 8}, 4);
  witnesses.ask(click_id(5), 5);
  witnesses.flush(context);
  std::map<OutputOwner, std::vector<EventId>> asked;
  for (const auto& [to, query] : context.sent_of<OutputQuery>()) {
    CHECK(to == kEast);
    const bool first = !asked.contains(query.owner);
    CHECK(first);
    asked[query.owner].assign(query.clicks.begin(), query.clicks.end());
  }
  const std::map<OutputOwner, std::vector<EventId>> expected{{{0, 0}, {click_id(5)}},
                                                             {{20, 1}, {click_id(1), click_id(4)}},
                                                             {{20, 2}, {click_id(2)}},
                                                             {{21, 1}, {click_id(3)}}};
  CHECK(asked == expected);
}
