#include "sim/overtaken_messages.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core_impl/runtime/catalogue.h"
#include "sim/network_faults.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

constexpr std::uint32_t kNews = 7;
constexpr std::uint32_t kRumours = 8;

// Says that `subject` has this version; 0: says nothing of the version.
struct Report {
  static constexpr MessageType kType = 60015;
  static constexpr std::string_view kName = "test_report";
  std::uint32_t topic = kNews;
  std::uint32_t subject = 0;
  std::uint64_t version = 0;
  std::uint64_t answers = 1;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.topic, self.subject, self.version, self.answers);
  }
};

class ReportProbe final : public Probe {
 public:
  bool keeps_in_memory(const Node&) const override { return false; }
  std::optional<std::uint64_t> version_in(const Body&) const override { return {}; }
  std::optional<Statement> statement_in(const Body& body) const override {
    const auto& report = body.as<Report>();
    Statement statement{report.topic, report.subject, {}, report.answers != 0};
    if (report.version > 0) statement.version = report.version;
    return statement;
  }
};

// Process 0 reports each 10 ms to process 2, for a second. The version of subject 0 grows each
// 100 ms; that of subject 1 never.
struct News {
  using Tell = std::function<void(Context&, std::uint64_t version)>;
  News(std::vector<Fault> faults, Tell tell) {
    world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(5ms)); };
    world.hooks[0].timer = [tell](Context& context, TimerKind) {
      const Duration now = context.now() - MonotonicTime{};
      tell(context, 1 + static_cast<std::uint64_t>(now / 100ms));
      if (now < 1s) context.set_timer(0, context.now() + 10ms);
    };
    world.hooks[2].message = [this](Context& context, NodeId, const Body& body) {
      heard.push_back({body.as<Report>(), context.now() - MonotonicTime{}});
    };
    world.run.set_faults(std::move(faults));
    world.run.set_probe(probe);
    world.run.start();
    world.to(5s);
  }
  struct Arrival {
    Report report{};
    Duration at{};
  };
  SimWorld world;
  ReportProbe probe;
  std::vector<Arrival> heard;
};

Fault overtaking(std::uint64_t changes, Duration at, Duration lasting) {
  LinkFault action;
  action.from = {NodeId(0)};
  action.to = {NodeId(2)};
  action.effect = {Overtaking{kNews, changes}, Chance(1.0)};
  return {SimTime(at), lasting, std::move(action), {}};
}

// The network takes less.
constexpr Duration kMost = 60ms;

}  // namespace

TEST_CASE("BC-18 an overtaken answer leaves after as many changes as the fault says") {
  const std::uint64_t changes = GENERATE(1, 3);
  const auto lasts = 500ms;
  News news({overtaking(changes, 150ms, lasts)}, [](Context& context, std::uint64_t version) {
    context.send(NodeId(2), Body::make(Report{.version = version}));
  });
  REQUIRE(news.heard.size() == 101);
  CHECK(news.world.run.faults().effective(0));
  std::size_t overtaken = 0;
  for (const News::Arrival& each : news.heard) {
    const auto version = each.report.version;
    // Version 2 is of 100 to 200 ms: half of these are sent before the fault begins.
    if (version < 3 || version > 6) continue;
    const Duration changed = 100ms * static_cast<std::int64_t>(version - 1 + changes);
    const Duration leaves = std::min<Duration>(changed, 650ms);
    CHECK(each.at >= leaves);
    CHECK(each.at <= leaves + 10ms + kMost);
    overtaken += 1;
  }
  CHECK(overtaken == 40);
}

TEST_CASE("BC-18 only answers wait, of the topic, for changes of what they are about") {
  News news({overtaking(1, 150ms, 500ms)}, [](Context& context, std::uint64_t version) {
    const auto send = [&](const Report& report) { context.send(NodeId(2), Body::make(report)); };
    send({.version = version, .answers = 0});       // no answer
    send({.topic = kRumours, .version = version});  // of another topic
    send({.subject = 1, .version = 5});             // never changes
    send({.version = 0});                           // as it is now
  });
  REQUIRE(news.heard.size() == 404);
  Duration sent[4]{5ms, 5ms, 5ms, 5ms};
  std::size_t waited = 0;
  for (const News::Arrival& each : news.heard) {
    if (each.report.topic == kRumours || each.report.answers == 0) {
      Duration& next = sent[each.report.answers];
      CHECK(each.at <= next + kMost);
      next += 10ms;
    } else if (each.report.subject == 1) {
      const bool within = each.at > 150ms + kMost && each.at < 650ms;
      CHECK_FALSE(within);
    } else if (each.at > 200ms + kMost && each.at < 650ms) {
      // After a change: the next message of subject 0 leaves 5 ms after the hundred.
      const Duration since = each.at % 100ms;
      CHECK(since >= 5ms);
      CHECK(since <= 5ms + kMost);
      ++waited;
    }
  }
  CHECK(waited == 40);
}

TEST_CASE("BC-18 an answer that no change overtakes leaves at the end, without effect") {
  News news({overtaking(1, 150ms, 500ms)}, [](Context& context, std::uint64_t) {
    context.send(NodeId(2), Body::make(Report{.subject = 1, .version = 5}));
  });
  REQUIRE(news.heard.size() == 101);
  CHECK_FALSE(news.world.run.faults().effective(0));
  SECTION("fewer changes than it waits for are an effect") {
    News some({overtaking(9, 150ms, 500ms)}, [](Context& context, std::uint64_t version) {
      context.send(NodeId(2), Body::make(Report{.version = version}));
    });
    CHECK(some.heard.size() == 101);
    CHECK(some.world.run.faults().effective(0));
  }
}

TEST_CASE("BC-18 given two faults, each answer waits for one, and none is lost") {
  News news({overtaking(1, 150ms, 500ms), overtaking(2, 250ms, 700ms)},
            [](Context& context, std::uint64_t version) {
              context.send(NodeId(2), Body::make(Report{.version = version}));
            });
  REQUIRE(news.heard.size() == 101);
  CHECK(news.world.run.faults().effective(0));
  CHECK(news.world.run.faults().effective(1));
}

}  // namespace photon::sim
