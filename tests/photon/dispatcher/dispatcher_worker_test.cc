// The dispatcher's flow of clicks: discovery, look-up, sending, retries, caps.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

// Writes clicks `first` .. `first + count` to one file, each with a query of its own.
void write_clicks(DispatcherWorld& world, std::uint32_t first, std::uint32_t count,
                  std::uint16_t server = 1) {
  for (std::uint32_t i = first; i < first + count; ++i) {
    world.write_click(server, 0, click_id(i), query_id(i));
  }
}

}  // namespace

TEST_CASE("C-02 C-07 files, growth and rotation are discovered, and the old tail is read") {
  DispatcherWorld world;
  world.start();
  world.write_click(1, 0, click_id(1), query_id(1));
  world.harness.run_for(3s);
  CHECK(world.finished == std::set{click_id(1)});
  // Between two scans the file grows for the last time and its successor appears.
  world.write_click(1, 0, click_id(2), query_id(2));
  world.write_click(1, 1, click_id(3), query_id(3));
  world.write_click(7, 0, click_id(4), query_id(4));
  world.harness.run_for(3s);
  CHECK(world.finished == std::set{click_id(1), click_id(2), click_id(3), click_id(4)});
  CHECK(world.worker->partition(0)->intake.source().files() == 3);
  CHECK(world.worker->pending() == 0);
  CHECK(world.sent.size() == 4);
  CHECK(world.sends_of(click_id(3)).at(0).payload == bytes_of("click"));
}

TEST_CASE("C-02 G-15 the pauses between scans vary, so that two dispatchers keep no phase") {
  const auto pauses = [](std::uint64_t seed) {
    DispatcherWorld world(seed);
    std::vector<std::int64_t> scans;
    world.harness.io_fate = [&](const VolumeRequest& request) {
      if (request.operation == VolumeOperation::list && request.volume == DispatcherWorld::kLogs) {
        scans.push_back(nanoseconds_of(world.harness.now()));
      }
      return IoFate::done;
    };
    world.start();
    world.harness.run_for(60s);
    std::adjacent_difference(scans.begin(), scans.end(), scans.begin());
    scans.erase(scans.begin(), scans.begin() + 1);
    return scans;
  };
  const std::vector<std::int64_t> found = pauses(1);
  REQUIRE(found.size() > 45);
  const auto [shortest, longest] = std::minmax_element(found.begin(), found.end());
  CHECK(*shortest >= Duration(500ms).count());
  CHECK(*shortest < Duration(650ms).count());
  CHECK(*longest <= Duration(1500ms).count());
  CHECK(*longest > Duration(1350ms).count());
  CHECK(found != pauses(2));  // another process, another sequence
}

TEST_CASE("C-08 A-23 a click that arrives in fragments is taken once, whole, when complete") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    DispatcherWorld world(seed);
    world.config.scan_period = 50ms;
    world.config.read_chunk = 64;  // smaller than a record
    world.start();
    Bytes log;
    for (std::uint32_t i = 0; i < 30; ++i) {
      const Bytes record = framed_click(click_id(i), query_id(i), std::string(i * 7, 'x'));
      log.insert(log.end(), record.begin(), record.end());
    }
    RandomStream random(seed, Purpose::test, 1);
    for (std::size_t at = 0, draw = 0; at < log.size(); ++draw) {
      const auto piece =
          std::min<std::size_t>(1 + uniform_below(random.word(draw), 120), log.size() - at);
      world.harness.volumes[1].add("foreign/00001/00000", std::span(log).subspan(at, piece));
      at += piece;
      world.harness.run_for(70ms);
    }
    world.harness.run_for(2s);
    CHECK(world.finished.size() == 30);
    CHECK(world.sent.size() == 30);
    CHECK(world.worker->partition(0)->intake.source().damaged_records() == 0);
    for (std::uint32_t i = 0; i < 30; ++i) {
      CHECK(world.sends_of(click_id(i)).at(0).payload == bytes_of(std::string(i * 7, 'x')));
    }
  }
}

TEST_CASE("C-10 a click that is registered is finished without being sent") {
  DispatcherWorld world;
  world.registry.ids.emplace(click_id(1), Token{9, 9, 9});
  write_clicks(world, 1, 2);
  world.start();
  world.harness.run_for(3s);
  CHECK(world.sends_of(click_id(1)).empty());
  REQUIRE(world.done()[click_id(1)].size() == 1);
  CHECK(world.done()[click_id(1)][0].reason == trace::DoneReason::lookup_exists);
  CHECK(world.done()[click_id(2)].at(0).reason == trace::DoneReason::joined);
}

TEST_CASE("C-10 without the look-up everything is sent and the result is the same") {
  DispatcherWorld world;
  world.config.pre_lookup = PreLookup::off;
  world.registry.ids.emplace(click_id(1), Token{9, 9, 9});
  write_clicks(world, 1, 2);
  world.start();
  world.harness.run_for(3s);
  CHECK(world.sends_of(click_id(1)).size() == 1);
  CHECK(world.done()[click_id(1)].at(0).reason == trace::DoneReason::already_exists);
  CHECK(world.done()[click_id(2)].at(0).reason == trace::DoneReason::joined);
}

TEST_CASE("C-11 BC-31 a click below the boundary is skipped, without a retry") {
  DispatcherWorld world;
  world.registry.boundary = click_id(1).stamp + 1h;
  write_clicks(world, 1, 1);
  world.start();
  world.harness.run_for(1min);
  CHECK(world.sent.empty());
  REQUIRE(world.done()[click_id(1)].size() == 1);
  CHECK(world.done()[click_id(1)].at(0).reason == trace::DoneReason::lookup_too_old);
}

TEST_CASE("C-12 the look-up is repeated before a retry, which ends if another pipeline joined") {
  DispatcherWorld world;
  world.joiner = [&](const auto& sent) {
    world.registry.ids.emplace(sent.click, Token{9, 9, 9});  // the other datacenter
    return JoinOutcome::query_not_found;
  };
  write_clicks(world, 1, 1);
  world.start();
  world.harness.run_for(20s);
  CHECK(world.sent.size() == 1);
  REQUIRE(world.done()[click_id(1)].size() == 1);
  CHECK(world.done()[click_id(1)][0].reason == trace::DoneReason::lookup_exists);
  CHECK(world.worker->saved() == 0);
}

TEST_CASE("B-73 M-33 a look-up without an answer is not taken for exists: the click is saved") {
  DispatcherWorld world;
  world.registry_answers = false;
  write_clicks(world, 1, 3);
  world.start();
  world.harness.run_for(20s);
  CHECK(world.done().empty());
  CHECK(world.worker->saved() == 3);
  CHECK(world.journal().saved.size() == 3);
  CHECK(world.worker->statistics().unknown_lookups >= 3);
  CHECK_FALSE(world.unprotected_click().has_value());
  world.registry_answers = true;
  world.harness.run_for(60s);
  CHECK(world.finished.size() == 3);
  CHECK(world.sends_of(click_id(1)).at(0).attempts == 0);  // a look-up is no attempt to join
}

TEST_CASE("C-13 C-14 a click whose query is missing delays none of its neighbours") {
  DispatcherWorld world;
  world.joiner = [](const auto& sent) {
    return sent.click == click_id(5) ? JoinOutcome::query_not_found : JoinOutcome::joined;
  };
  write_clicks(world, 1, 50);
  world.start();
  world.harness.run_for(3s);
  CHECK(world.finished.size() == 49);
  // The file's offset has passed the waiting click, which is in the retry store.
  REQUIRE(world.journal().saved.size() == 1);
  CHECK(world.journal().saved[0].click == click_id(5));
  REQUIRE(world.journal().offsets.size() == 1);
  CHECK(world.journal().offsets[0].offset ==
        world.harness.volumes[1].content("foreign/00001/00000").size());
}

TEST_CASE("C-15 sends are spread uniformly over the joiners") {
  DispatcherWorld world;
  write_clicks(world, 1, 4000);
  world.start();
  world.harness.run_for(10s);
  std::map<NodeId, int> counts;
  for (const auto& sent : world.sent) ++counts[sent.joiner];
  REQUIRE(counts.size() == 4);
  // Standard deviation about 27; six of them.
  for (const auto& [joiner, count] : counts) CHECK(std::abs(count - 1000) < 165);
}

TEST_CASE("C-16 a retry goes to another joiner, also across a restart") {
  DispatcherWorld world(3);
  world.config.backoff.cap = 2s;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  write_clicks(world, 1, 30);
  world.start();
  world.harness.run_for(20s);
  world.restart();
  world.harness.run_for(20s);
  std::size_t retries = 0;
  for (std::uint32_t i = 1; i <= 30; ++i) {
    const auto sends = world.sends_of(click_id(i));
    for (std::size_t k = 1; k < sends.size(); ++k, ++retries) {
      CHECK(sends[k].joiner != sends[k - 1].joiner);
    }
  }
  CHECK(retries > 200);
}

TEST_CASE("C-16 retries are spread uniformly over the other joiners") {
  DispatcherWorld world;
  world.joiner = [](const auto& sent) {
    return sent.attempts == 0 ? JoinOutcome::query_not_found : JoinOutcome::joined;
  };
  write_clicks(world, 1, 4000);
  world.start();
  world.harness.run_for(20s);
  std::map<EventId, NodeId> first;
  std::map<std::pair<NodeId, NodeId>, int> counts;
  for (const auto& sent : world.sent) {
    const auto [place, fresh] = first.emplace(sent.click, sent.joiner);
    if (!fresh) ++counts[{place->second, sent.joiner}];
  }
  CHECK(counts.size() == 12);
  // Standard deviation about 17; six of them.
  for (const auto& [joiners, count] : counts) CHECK(std::abs(count - 333) < 105);
}

TEST_CASE("C-16 with a single joiner a retry goes to it again") {
  DispatcherWorld world(1, 1);
  int failures = 0;
  world.joiner = [&](const auto&) {
    return ++failures <= 2 ? JoinOutcome::internal : JoinOutcome::joined;
  };
  write_clicks(world, 1, 1);
  world.start();
  world.harness.run_for(20s);
  CHECK(world.sent.size() == 3);
  CHECK(world.finished.size() == 1);
}

TEST_CASE("C-20 C-25 every outcome but a success saves the click; every success finishes it") {
  using enum JoinOutcome;
  for (const auto outcome : {query_not_found, too_many_in_flight, registry_throttled,
                             event_store_error, internal, stopping}) {
    CAPTURE(static_cast<int>(outcome));
    const bool rejected =
        outcome == too_many_in_flight || outcome == registry_throttled || outcome == stopping;
    DispatcherWorld world;
    world.joiner = [&](const auto&) { return outcome; };
    write_clicks(world, 1, 1);
    world.start();
    world.harness.run_for(800ms);
    REQUIRE(world.journal().saved.size() == 1);
    CHECK(world.journal().saved[0].handed_on == 1);
    CHECK(world.journal().saved[0].query == query_id(1));
    CHECK(world.done().empty());
    const DispatcherStatistics& counted = world.worker->statistics();
    CHECK(counted.rejections == (rejected ? 1 : 0));
    CHECK(counted.failures == (rejected ? 0 : 1));
    CHECK(counted.saves == 1);
  }
  for (const auto outcome : {joined, already_exists, too_old, skipped, unjoinable}) {
    CAPTURE(static_cast<int>(outcome));
    DispatcherWorld world;
    world.joiner = [&](const auto&) { return outcome; };
    write_clicks(world, 1, 1);
    world.start();
    world.harness.run_for(5s);
    CHECK(world.journal().saved.empty());
    REQUIRE(world.done()[click_id(1)].size() == 1);
    CHECK(static_cast<int>(world.done()[click_id(1)][0].reason) == static_cast<int>(outcome));
    CHECK(world.done()[click_id(1)][0].attempts == 1);
    CHECK(world.sent.size() == 1);
  }
}

TEST_CASE("C-20 a silent joiner: the click is saved after the time-out") {
  DispatcherWorld world;
  world.joiner = [](const auto& sent) {
    return sent.attempts == 0 ? std::optional<JoinOutcome>() : JoinOutcome::joined;
  };
  write_clicks(world, 1, 1);
  world.start();
  world.harness.run_for(10s);
  CHECK(world.worker->saved() == 0);
  world.harness.run_for(2s);
  CHECK(world.worker->statistics().send_timeouts == 1);
  CHECK(world.journal().saved.size() + world.finished.size() >= 1);
  world.harness.run_for(10s);
  CHECK(world.finished.size() == 1);
  CHECK(world.sent.size() == 2);
  CHECK(world.journal().saved.empty());
}

TEST_CASE("C-20 C-25 a success that comes after the time-out finishes the click") {
  DispatcherWorld world;
  world.config.send_timeout = 1s;
  world.config.backoff.initial = 10s;
  world.config.backoff.cap = 10s;
  world.join_delay = 1500ms;
  world.joiner = [](const auto&) { return JoinOutcome::already_exists; };
  write_clicks(world, 1, 20);
  world.start();
  world.harness.run_for(5s);
  CHECK(world.worker->statistics().send_timeouts == 20);
  CHECK(world.finished.size() == 20);
  CHECK(world.sent.size() == 20);  // no second attempt was needed
  CHECK(world.journal().saved.empty());
  CHECK(world.worker->saved() == 0);
  // The network duplicates an answer.
  world.harness.deliver(world.sent[3].joiner,
                        Body::make(JoinReply{world.sent[3].request, world.sent[3].click,
                                             JoinOutcome::already_exists}));
  world.harness.run_for(30s);
  CHECK(world.sent.size() == 20);
  for (const auto& [click, done] : world.done()) CHECK(done.size() == 1);
}

TEST_CASE("C-20 late and duplicate replies are ignored") {
  DispatcherWorld world;
  world.config.send_timeout = 1s;
  world.join_delay = 1500ms;  // every reply comes after the time-out
  world.joiner = [&](const auto& sent) {
    if (sent.attempts >= 2) world.join_delay = 10ms;
    return sent.attempts >= 2 ? JoinOutcome::joined : JoinOutcome::query_not_found;
  };
  write_clicks(world, 1, 1);
  world.start();
  world.harness.run_for(30s);
  CHECK(world.worker->statistics().stale_replies >= 2);
  CHECK(world.finished.size() == 1);
  REQUIRE(world.done()[click_id(1)].size() == 1);
  // The network duplicates the last answer.
  const auto last = world.sent.back();
  world.harness.deliver(last.joiner,
                        Body::make(JoinReply{last.request, last.click, JoinOutcome::joined}));
  world.harness.run_for(1s);
  CHECK(world.done()[click_id(1)].size() == 1);
}

TEST_CASE("C-33 J-S12 outstanding look-ups and sends never exceed their caps") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 7;
  world.config.max_outstanding_sends = 5;
  world.join_delay = 100ms;
  world.joiner = [](const auto& sent) {
    return (sent.request % 3) == 0 ? JoinOutcome::too_many_in_flight : JoinOutcome::joined;
  };
  write_clicks(world, 1, 400);
  world.start();
  world.harness.run_for(400s);
  CHECK(world.finished.size() == 400);
  CHECK(world.most_lookups == 7);
  CHECK(world.most_sends == 5);
}

TEST_CASE("J-P6 C-33 fresh clicks do not starve retries, nor retries fresh clicks") {
  DispatcherWorld world;
  world.config.max_outstanding_sends = 2;
  world.config.max_outstanding_lookups = 4;
  // In the second case there is never a moment without fresh clicks.
  world.config.read_chunk = GENERATE(4096U, 64U << 10U);
  world.join_delay = 100ms;  // 20 sends per second
  bool failing = true;
  world.joiner = [&](const auto& sent) {
    return failing && sent.click.process <= 60 ? JoinOutcome::event_store_error
                                               : JoinOutcome::joined;
  };
  write_clicks(world, 1, 60);
  world.start();
  world.harness.run_for(15s);
  failing = false;
  REQUIRE(world.worker->saved() == 60);
  // Far more fresh clicks than can be sent in the time that follows.
  write_clicks(world, 1000, 4000);
  world.harness.run_for(40s);
  std::size_t retried = 0;
  for (const EventId& click : world.finished) retried += click.process <= 60 ? 1 : 0;
  CHECK(retried == 60);
  CHECK(world.finished.size() - retried > 300);
}

TEST_CASE("C-33 fresh clicks do not wait for a backlog, which leaves them their share") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 4;
  world.config.max_outstanding_sends = 4;
  world.config.read_chunk = 512;
  world.config.fresh_age = 60s;
  world.join_delay = 100ms;  // 40 a second
  world.harness.run_for(600s);
  // More unread files than may be read at a time: the equivalent of two days of clicks.
  for (std::uint32_t i = 0; i < 4000; ++i) {
    world.write_click(static_cast<std::uint16_t>(i % 20), 0, click_id(i + 1), query_id(i + 1));
  }
  const auto fresh_joined = [&] {
    for (std::uint32_t i = 0; i < 40; ++i) {
      const EventId fresh = click_id(10'000 + i, 600s + i * 1ms);
      world.write_click(static_cast<std::uint16_t>(30 + i % 4), 0, fresh, query_id(10'000 + i));
    }
    world.start();
    world.harness.run_for(10s);
    std::size_t joined = 0;
    for (const EventId& click : world.finished) joined += click.process >= 10'000 ? 1 : 0;
    return joined;
  };
  SECTION("with a share") {
    world.config.fresh_share_permille = 500;
    CHECK(fresh_joined() == 40);
    CHECK(world.finished.size() > 100);  // the backlog proceeds meanwhile
    world.harness.run_for(300s);
    CHECK(world.finished.size() == 4040);
  }
  SECTION("without") { CHECK(fresh_joined() < 40); }
}

TEST_CASE("C-01 C-27 a click is retried until it is registered, by either pipeline") {
  DispatcherWorld world;
  world.joiner = [](const auto&) { return JoinOutcome::event_store_error; };
  world.config.backoff = Backoff{1s, 2000, 30s, 100};
  write_clicks(world, 1, 3);
  world.start();
  std::size_t before = 0;
  for (int i = 0; i < 20; ++i) {
    world.harness.run_for(100s);
    CHECK(world.worker->pending() == 3);
    CHECK(world.sent.size() >= before + 6);  // at least twice each in a hundred seconds
    before = world.sent.size();
  }
  world.registry.ids.emplace(click_id(1), Token{99, 1, 1});  // the other pipeline's joiner
  world.harness.run_for(100s);
  CHECK(world.done()[click_id(1)].at(0).reason == trace::DoneReason::lookup_exists);
  CHECK(world.worker->pending() == 2);
}

TEST_CASE("C-34 B-65 clicks of a backlog older than N are discarded and counted, the rest is not") {
  DispatcherWorld world;
  for (std::uint32_t i = 1; i <= 60; ++i) {
    world.write_click(1, 0, click_id(i, i * 1s), query_id(i));
  }
  world.registry.boundary = click_id(41, 41s).stamp;
  world.start();
  world.harness.run_for(30s);
  std::size_t discarded = 0;
  for (const auto& [click, done] : world.done()) {
    discarded += done.at(0).reason == trace::DoneReason::lookup_too_old ? 1 : 0;
  }
  CHECK(discarded == 40);
  CHECK(world.finished.size() == 20);
  CHECK(world.sent.size() == 20);
  CHECK(world.worker->pending() == 0);
}

TEST_CASE("C-17 a null query is a click like any other for the dispatcher") {
  DispatcherWorld world;
  world.joiner = [](const auto& sent) {
    return sent.attempts >= 2 ? JoinOutcome::unjoinable : JoinOutcome::query_not_found;
  };
  world.write_click(1, 0, click_id(1), EventId{});
  world.start();
  world.harness.run_for(30s);
  CHECK(world.done()[click_id(1)].at(0).reason == trace::DoneReason::unjoinable);
  CHECK(world.done()[click_id(1)].at(0).attempts == 3);
}

TEST_CASE("C-05 C-20 an answer to a request of an earlier life is ignored") {
  DispatcherWorld world;
  world.joiner = [](const auto&) { return std::optional<JoinOutcome>(); };
  write_clicks(world, 1, 20);
  world.start();
  world.harness.run_for(3s);
  REQUIRE(world.sent.size() == 20);
  const auto earlier = world.sent;
  world.restart();
  world.harness.run_for(3s);
  REQUIRE(world.sent.size() == 40);
  std::set<std::uint64_t> numbers;
  for (const auto& sent : world.sent) numbers.insert(sent.request);
  CHECK(numbers.size() == 40);
  for (const auto& sent : earlier) {
    world.harness.deliver(sent.joiner,
                          Body::make(JoinReply{sent.request, sent.click, JoinOutcome::joined}));
  }
  world.harness.run_for(1s);
  CHECK(world.done().empty());
  CHECK(world.worker->statistics().stale_replies == 20);
}
