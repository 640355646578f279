#include "analysis/linearizability/key_history.h"

#include <algorithm>
#include <vector>

#include "analysis/linearizability/checker.h"
#include "tests/analysis/linearizability/random_history.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

constexpr Token kFirst{1, 1, 1};
constexpr Token kSecond{2, 1, 1};
constexpr NodeId kClient{7};

// Asks and answers one after the other; every question has a number of its own.
struct Talk {
  KeyHistory history;
  std::uint64_t last = 0;
  HistoryTime now = 0;
  HistoryTime expired = kNeverReturned;

  std::uint64_t ask(RegistryAction action, Token token = {}, ReadRule rule = ReadRule::current) {
    history.ask({.request = ++last,
                 .client = kClient,
                 .action = action,
                 .rule = rule,
                 .token = token,
                 .called = ++now},
                expired);
    return last;
  }
  bool answer(std::uint64_t request, RegistryAction action, Token token,
              RegistryModel::Output output) {
    const RegistryQuestion* asked = history.find(kClient, request, action, token);
    REQUIRE(asked != nullptr);
    return history.answer(*asked, output, ++now, expired);
  }
  bool insert(Token token, RegistryAnswer output) {
    return answer(ask(RegistryAction::insert, token), RegistryAction::insert, token, output);
  }
  bool remove(Token token, RegistryAnswer output) {
    return answer(ask(RegistryAction::remove, token), RegistryAction::remove, token, output);
  }
  bool lookup(RegistryAnswer output, ReadRule rule = ReadRule::current) {
    return answer(ask(RegistryAction::lookup, {}, rule), RegistryAction::lookup, {}, output);
  }
};

struct Event {
  HistoryTime at = 0;
  bool returns = false;
  std::size_t operation = 0;
  auto operator<=>(const Event&) const = default;
};

// True if the history explains itself to the end.
bool follow(const History<RegistryModel>& operations) {
  std::vector<Event> events;
  HistoryTime expiry = kNeverReturned;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].input.action == RegistryAction::expire) {
      expiry = operations[i].called;
      continue;
    }
    events.push_back({operations[i].called, false, i});
    if (operations[i].completion == Completion::returned) {
      events.push_back({operations[i].returned, true, i});
    }
  }
  std::ranges::sort(events);
  KeyHistory history;
  for (const Event& event : events) {
    const auto& op = operations[event.operation];
    const HistoryTime expired = event.at >= expiry ? expiry : kNeverReturned;
    if (!event.returns) {
      history.ask({.request = event.operation,
                   .client = kClient,
                   .action = op.input.action,
                   .token = op.input.token,
                   .called = op.called},
                  expired);
      continue;
    }
    const auto* asked = history.find(kClient, event.operation, op.input.action, op.input.token);
    REQUIRE(asked != nullptr);
    if (!history.answer(*asked, op.output, event.at, expired)) return false;
  }
  REQUIRE_FALSE(history.undecided());
  return true;
}

}  // namespace

TEST_CASE("J-S4 an id's history is judged as the generic checker judges it, removals or not") {
  std::uint64_t illegal = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    HistoryShape shape{.operations = 3 + static_cast<std::uint32_t>(seed % 22),
                       .clients = 1 + static_cast<std::uint32_t>(seed % 4),
                       .tokens = 1 + static_cast<std::uint32_t>(seed % 3),
                       .indefinite = static_cast<std::uint32_t>(seed % 3),
                       .removals = seed % 5 != 0,
                       .expiry = seed % 7 == 0};
    auto operations = legal_history(seed, shape);
    if (seed % 2 == 1) damage(operations, seed);
    for (auto& op : operations) {  // the running system sees it at one moment
      if (op.input.action != RegistryAction::expire) continue;
      op.completion = Completion::returned;
      op.returned = op.called;
    }
    const bool generic = check_linearizable<RegistryModel>(operations).answer == Linearizable::yes;
    INFO("seed " << seed);
    REQUIRE(follow(operations) == generic);
    if (!generic) ++illegal;
  }
  CHECK(illegal > 500);
}

TEST_CASE("J-S4 a repetition is the same operation: the first copy may have had the effect") {
  Talk talk;
  const auto insert = talk.ask(RegistryAction::insert, kFirst);
  CHECK(talk.lookup(RegistryAnswer::exists));
  talk.history.ask({.request = insert,
                    .client = kClient,
                    .action = RegistryAction::insert,
                    .token = kFirst,
                    .called = ++talk.now},
                   kNeverReturned);
  CHECK(talk.answer(insert, RegistryAction::insert, kFirst, RegistryAnswer::ok));
  CHECK(talk.history.quiet());
  // A new number is a new operation, and too late to explain what was seen before.
  Talk other;
  CHECK_FALSE((other.lookup(RegistryAnswer::exists) && other.insert(kFirst, RegistryAnswer::ok)));
}

TEST_CASE("J-S4 a quiet id is judged in constant time again after a removal") {
  Talk talk;
  CHECK(talk.insert(kFirst, RegistryAnswer::ok));
  CHECK_FALSE(talk.history.general());
  const auto removal = talk.ask(RegistryAction::remove, kFirst);
  CHECK(talk.history.general());
  CHECK(talk.answer(removal, RegistryAction::remove, kFirst, RegistryAnswer::ok));
  CHECK_FALSE(talk.history.general());
  CHECK(talk.lookup(RegistryAnswer::not_found));
  SECTION("it may be inserted afresh") { CHECK(talk.insert(kSecond, RegistryAnswer::ok)); }
  SECTION("it is not there by itself") { CHECK_FALSE(talk.lookup(RegistryAnswer::exists)); }
  SECTION("nobody is refused") {
    CHECK_FALSE(talk.insert(kSecond, RegistryAnswer::already_exists));
  }
}

TEST_CASE("J-S4 B-45 a cleared id is there and is nobody's") {
  Talk talk;
  CHECK(talk.insert(kFirst, RegistryAnswer::ok));
  const auto clearing = talk.ask(RegistryAction::clear, kFirst);
  CHECK(talk.answer(clearing, RegistryAction::clear, kFirst, RegistryAnswer::ok));
  CHECK_FALSE(talk.history.general());
  CHECK(talk.lookup(RegistryAnswer::exists));
  SECTION("not even its owner's") { CHECK_FALSE(talk.insert(kFirst, RegistryAnswer::ok)); }
  SECTION("a reader is told so") {
    const auto read = talk.ask(RegistryAction::read_token);
    CHECK(talk.answer(read, RegistryAction::read_token, {}, RegistryAnswer::cleared));
    CHECK(talk.insert(kSecond, RegistryAnswer::already_exists));
  }
}

TEST_CASE("J-S4 F-09 a late copy of an insert may bring a removed id back, if it was delivered") {
  Talk talk;
  const auto insert = talk.ask(RegistryAction::insert, kFirst);
  CHECK(talk.answer(insert, RegistryAction::insert, kFirst, RegistryAnswer::ok));
  CHECK(talk.remove(kFirst, RegistryAnswer::ok));
  SECTION("a copy came") {
    talk.history.delivered_again(kClient, insert, {RegistryAction::insert, {}, kFirst});
    CHECK(talk.lookup(RegistryAnswer::not_found));
    CHECK(talk.lookup(RegistryAnswer::exists));
    CHECK_FALSE(talk.lookup(RegistryAnswer::not_found));
  }
  SECTION("none came") { CHECK_FALSE(talk.lookup(RegistryAnswer::exists)); }
}

TEST_CASE("J-S4 F-09 a removal that took effect may be answered by a copy that found nothing") {
  Talk talk;
  const auto insert = talk.ask(RegistryAction::insert, kFirst);
  CHECK(talk.answer(insert, RegistryAction::insert, kFirst, RegistryAnswer::ok));
  const auto removal = talk.ask(RegistryAction::remove, kFirst);
  const auto deliver = [&] {
    talk.history.delivered_again(kClient, removal, {RegistryAction::remove, {}, kFirst});
  };
  deliver();
  CHECK(talk.lookup(RegistryAnswer::not_found));
  SECTION("another copy came") {
    deliver();
    CHECK(talk.answer(removal, RegistryAction::remove, kFirst, RegistryAnswer::not_found));
    CHECK(talk.lookup(RegistryAnswer::not_found));
    CHECK_FALSE(talk.lookup(RegistryAnswer::exists));
  }
  SECTION("none came") {
    CHECK_FALSE(talk.answer(removal, RegistryAction::remove, kFirst, RegistryAnswer::not_found));
  }
}

TEST_CASE("J-S4 L-23 a lagging replica may miss what is new, not show what was removed") {
  Talk talk;
  CHECK(talk.insert(kFirst, RegistryAnswer::ok));
  CHECK(talk.lookup(RegistryAnswer::not_found, ReadRule::stale));
  CHECK(talk.lookup(RegistryAnswer::exists, ReadRule::stale));
  SECTION("removed before it was asked") {
    CHECK(talk.remove(kFirst, RegistryAnswer::ok));
    CHECK_FALSE(talk.lookup(RegistryAnswer::exists, ReadRule::stale));
  }
  SECTION("asked while the removal was under way") {
    const auto removal = talk.ask(RegistryAction::remove, kFirst);
    const auto read = talk.ask(RegistryAction::lookup, {}, ReadRule::stale);
    CHECK(talk.answer(removal, RegistryAction::remove, kFirst, RegistryAnswer::ok));
    CHECK(talk.answer(read, RegistryAction::lookup, {}, RegistryAnswer::exists));
    CHECK(talk.lookup(RegistryAnswer::not_found));
  }
  SECTION("what was never there") {
    Talk other;
    CHECK_FALSE(other.lookup(RegistryAnswer::exists, ReadRule::stale));
  }
}

TEST_CASE("J-S4 B-65 behind the boundary nothing but too_old is answered") {
  Talk talk;
  CHECK(talk.insert(kFirst, RegistryAnswer::ok));
  SECTION("not before") { CHECK_FALSE(talk.lookup(RegistryAnswer::too_old)); }
  const auto early = talk.ask(RegistryAction::lookup);
  talk.expired = ++talk.now;
  SECTION("who asked before may be told the state before") {
    CHECK(talk.answer(early, RegistryAction::lookup, {}, RegistryAnswer::exists));
    CHECK(talk.lookup(RegistryAnswer::too_old));
  }
  SECTION("who asks afterwards may not") { CHECK_FALSE(talk.lookup(RegistryAnswer::exists)); }
}

}  // namespace photon::analysis::testing
