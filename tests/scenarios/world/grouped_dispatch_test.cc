// The cost of sending clicks in groups that wait for their slowest query, from the trace alone.
#include <cmath>
#include <map>

#include "core_impl/trace/pipeline.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using namespace photon;

namespace {

struct Interval {
  double low = 0;
  double high = 0;
};

// Wilson's interval of a share, 95 %.
Interval wilson(std::uint64_t hits, std::uint64_t of) {
  constexpr double kZ = 1.96;
  const auto n = static_cast<double>(of);
  const double p = static_cast<double>(hits) / n;
  const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  return {middle - half, middle + half};
}

// First attempts of clicks, by the message in which they reached the joiner.
class FirstAttempts final : public trace::Sink {
 public:
  struct Attempt {
    bool answered = false;
    bool missed = false;   // its own query was not found
    bool delayed = false;  // the answer was `query_not_found`
  };
  struct Message {
    NodeId joiner;
    NodeId from;
    SimTime at{};
    auto operator<=>(const Message&) const = default;
  };
  std::map<Message, std::map<EventId, Attempt>> messages;

  void record(const trace::Record& record) override {
    const trace::Header& header = record.header;
    if (header.kind == trace::Kind::join_ask && header.source == trace::Source::delivered) {
      const auto& ask = record.as<trace::JoinAsk>();
      if (ask.attempts > 0) return;
      const Message message{header.node, header.peer, header.at};
      messages[message].try_emplace(ask.click);
      open_[{header.node, ask.request}] = {message, ask.query};
    } else if (header.kind == trace::Kind::query_answer &&
               header.source == trace::Source::delivered) {
      const auto& answer = record.as<trace::QueryAnswer>();
      const bool final_miss =
          answer.tier == trace::QueryTier::logs && answer.status == trace::QueryStatus::not_found;
      if (final_miss) missed_at_[{header.node, answer.query}] = header.at;
    } else if (header.kind == trace::Kind::join_answer && header.source == trace::Source::sent) {
      on_answer(header, record.as<trace::JoinAnswer>());
    }
  }

 private:
  struct Open {
    Message message;
    EventId query;
  };
  void on_answer(const trace::Header& header, const trace::JoinAnswer& answer) {
    const auto open = open_.find({header.node, answer.request});
    if (open == open_.end()) return;
    const auto missed = missed_at_.find({header.node, open->second.query});
    Attempt& attempt = messages.at(open->second.message).at(answer.click);
    attempt.answered = true;
    attempt.missed = missed != missed_at_.end() && missed->second >= open->second.message.at;
    attempt.delayed = answer.outcome == trace::JoinOutcome::query_not_found;
    open_.erase(open);
  }

  std::map<std::pair<NodeId, std::uint64_t>, Open> open_;
  std::map<std::pair<NodeId, EventId>, SimTime> missed_at_;
};

struct Measured {
  std::uint64_t clicks = 0;   // in full groups
  std::uint64_t late = 0;     // of them
  std::uint64_t groups = 0;   // full ones
  std::uint64_t delayed = 0;  // of them
  std::uint64_t apart = 0;    // members whose answer differs from the required group answer
  double latency = 0;         // of all clicks, mean, seconds

  double late_share() const { return static_cast<double>(late) / static_cast<double>(clicks); }
  double delayed_share() const {
    return static_cast<double>(delayed) / static_cast<double>(groups);
  }
};

Measured measure(std::uint64_t size) {
  FirstAttempts trace;
  const Ran ran = run("scenarios/grouped_dispatch.toml", 1,
                      {"dispatcher.group=" + std::to_string(size)}, &trace);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  Measured sum;
  sum.latency = ran.outcome.summary.latency.mean;
  for (const auto& [message, members] : trace.messages) {
    std::uint64_t missed = 0;
    for (const auto& [click, attempt] : members) missed += attempt.missed ? 1 : 0;
    for (const auto& [click, attempt] : members) {
      sum.apart += attempt.answered && attempt.delayed == (missed > 0) ? 0 : 1;
    }
    if (members.size() != size) continue;  // not filled in time
    ++sum.groups;
    sum.clicks += size;
    sum.late += missed;
    sum.delayed += missed > 0 ? 1 : 0;
  }
  return sum;
}

}  // namespace

TEST_CASE("G-24 C-14 a group of clicks is delayed as often as one of its queries is late",
          "[sweep]") {
  const Measured alone = measure(1);
  CHECK(alone.groups > 7900);
  // C-14: no click waits for a neighbour's query, so one with its own query present is joined.
  CHECK(alone.apart == 0);
  const Interval q = wilson(alone.late, alone.clicks);
  CHECK(q.low > 0.01);
  const auto delayed_of = [](double late, std::uint64_t size) {
    return 1 - std::pow(1 - late, static_cast<double>(size));
  };
  double latency_before = alone.latency;
  for (const std::uint64_t size : {2, 5, 10}) {
    const Measured grouped = measure(size);
    const Interval measured = wilson(grouped.delayed, grouped.groups);
    const double predicted = delayed_of(alone.late_share(), size);
    UNSCOPED_INFO("k = " << size << ": n = " << grouped.groups << ", q alone " << alone.late_share()
                         << " (" << q.low << ".." << q.high << "), q " << grouped.late_share()
                         << ", P " << grouped.delayed_share() << " (" << measured.low << ".."
                         << measured.high << "), predicted " << predicted << ", mean latency "
                         << alone.latency << " -> " << grouped.latency);
    CHECK(grouped.groups * size > 7000);
    CHECK(grouped.apart == 0);  // all or none
    CHECK(measured.low <= delayed_of(q.high, size));
    CHECK(measured.high >= delayed_of(q.low, size));
    CHECK(grouped.latency > latency_before);
    latency_before = grouped.latency;
  }
}

TEST_CASE("G-24 J-S19 J.2 where answers are lost, no group member gets a false answer") {
  const Ran ran = run("scenarios/grouped_dispatch.toml", 1,
                      {"network.loss=2%", "run.duration=3min", "workload.synthetic.clicks=1500"});
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
}
