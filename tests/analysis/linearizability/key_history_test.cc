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

// Requests and answers one after the other; every request has its own number.
struct Talk {
  KeyHistory history;
  std::uint64_t last = 0;
  HistoryTime now = 0;
  HistoryTime expired = kNeverReturned;

  std::uint64_t ask(ModelAction action, Token token = {}, ReadRule rule = ReadRule::current) {
    history.ask({.request = ++last,
                 .client = kClient,
                 .action = action,
                 .rule = rule,
                 .token = token,
                 .called = ++now},
                expired);
    return last;
  }
  bool answer(std::uint64_t request, ModelAction action, Token token,
              RegistryModel::Output output) {
    const RegistryQuestion* asked = history.find(kClient, request, action, token);
    REQUIRE(asked != nullptr);
    return history.answer(*asked, output, ++now, expired);
  }
  bool insert(Token token, ModelAnswer output) {
    return answer(ask(ModelAction::insert, token), ModelAction::insert, token, output);
  }
  bool remove(Token token, ModelAnswer output) {
    return answer(ask(ModelAction::remove, token), ModelAction::remove, token, output);
  }
  bool lookup(ModelAnswer output, ReadRule rule = ReadRule::current) {
    return answer(ask(ModelAction::lookup, {}, rule), ModelAction::lookup, {}, output);
  }
};

struct Event {
  HistoryTime at = 0;
  bool returns = false;
  std::size_t operation = 0;
  auto operator<=>(const Event&) const = default;
};

// True if the whole history is explained.
bool follow(const History<RegistryModel>& operations) {
  std::vector<Event> events;
  HistoryTime expiry = kNeverReturned;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].input.action == ModelAction::expire) {
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
  REQUIRE(history.undecided() == SearchLimit::none);
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
    for (auto& op : operations) {  // a running system sees it at one moment
      if (op.input.action != ModelAction::expire) continue;
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

TEST_CASE("J-S4 a repetition is the same operation: the first copy may have taken effect") {
  Talk talk;
  const auto insert = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.lookup(ModelAnswer::exists));
  talk.history.ask({.request = insert,
                    .client = kClient,
                    .action = ModelAction::insert,
                    .token = kFirst,
                    .called = ++talk.now},
                   kNeverReturned);
  CHECK(talk.answer(insert, ModelAction::insert, kFirst, ModelAnswer::ok));
  CHECK(talk.history.quiet());
  // A new number is a new operation, and too late to explain earlier observations.
  Talk other;
  CHECK_FALSE((other.lookup(ModelAnswer::exists) && other.insert(kFirst, ModelAnswer::ok)));
}

TEST_CASE("J-S4 a quiet id is judged in constant time again after a removal") {
  Talk talk;
  CHECK(talk.insert(kFirst, ModelAnswer::ok));
  CHECK_FALSE(talk.history.general());
  const auto removal = talk.ask(ModelAction::remove, kFirst);
  CHECK(talk.history.general());
  CHECK(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::ok));
  CHECK_FALSE(talk.history.general());
  CHECK(talk.lookup(ModelAnswer::not_found));
  SECTION("it may be inserted afresh") { CHECK(talk.insert(kSecond, ModelAnswer::ok)); }
  SECTION("it does not reappear by itself") { CHECK_FALSE(talk.lookup(ModelAnswer::exists)); }
  SECTION("no insert is refused") {
    CHECK_FALSE(talk.insert(kSecond, ModelAnswer::already_exists));
  }
}

TEST_CASE("J-S4 B-45 a cleared id is present and has no owner") {
  Talk talk;
  CHECK(talk.insert(kFirst, ModelAnswer::ok));
  const auto clearing = talk.ask(ModelAction::clear, kFirst);
  CHECK(talk.answer(clearing, ModelAction::clear, kFirst, ModelAnswer::ok));
  CHECK_FALSE(talk.history.general());
  CHECK(talk.lookup(ModelAnswer::exists));
  SECTION("not even its former owner's token matches") {
    CHECK_FALSE(talk.insert(kFirst, ModelAnswer::ok));
  }
  SECTION("a reader receives that answer") {
    const auto read = talk.ask(ModelAction::read_token);
    CHECK(talk.answer(read, ModelAction::read_token, {}, ModelAnswer::cleared));
    CHECK(talk.insert(kSecond, ModelAnswer::already_exists));
  }
}

TEST_CASE("J-S4 F-09 a late copy of an insert may restore a removed id, if it was delivered") {
  Talk talk;
  const auto insert = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.answer(insert, ModelAction::insert, kFirst, ModelAnswer::ok));
  CHECK(talk.remove(kFirst, ModelAnswer::ok));
  SECTION("a copy arrived") {
    talk.history.delivered(kClient, insert, {ModelAction::insert, {}, kFirst});
    CHECK(talk.lookup(ModelAnswer::not_found));
    CHECK(talk.lookup(ModelAnswer::exists));
    CHECK_FALSE(talk.lookup(ModelAnswer::not_found));
  }
  SECTION("no copy arrived") { CHECK_FALSE(talk.lookup(ModelAnswer::exists)); }
}

TEST_CASE("J-S4 F-09 the copy that did not answer may still take effect") {
  Talk talk;
  const auto insert = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.remove(kSecond, ModelAnswer::not_found));
  talk.history.delivered(kClient, insert, {ModelAction::insert, {}, kFirst});
  talk.history.delivered(kClient, insert, {ModelAction::insert, {}, kFirst});
  CHECK(talk.lookup(ModelAnswer::exists));
  CHECK(talk.answer(insert, ModelAction::insert, kFirst, ModelAnswer::ok));
  CHECK(talk.remove(kFirst, ModelAnswer::ok));
  CHECK(talk.lookup(ModelAnswer::exists));
  CHECK(talk.remove(kFirst, ModelAnswer::ok));
  CHECK_FALSE(talk.lookup(ModelAnswer::exists));
}

TEST_CASE("J-S4 F-09 copies that arrived before the removal was requested count as well") {
  Talk talk;
  const auto deliver = [&](std::uint64_t request, ModelAction action, const Token& token) {
    talk.history.delivered(kClient, request, {action, {}, token});
  };
  const auto first = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.answer(first, ModelAction::insert, kFirst, ModelAnswer::ok));
  const auto second = talk.ask(ModelAction::insert, kSecond);
  const int copies = GENERATE(1, 2);
  SECTION("of an insert answered earlier, its copies delivered while it was open") {
    for (int i = 0; i < copies; ++i) deliver(second, ModelAction::insert, kSecond);
    CHECK(talk.answer(second, ModelAction::insert, kSecond, ModelAnswer::already_exists));
  }
  SECTION("of an insert answered earlier, its copy delivered later") {
    deliver(second, ModelAction::insert, kSecond);
    CHECK(talk.answer(second, ModelAction::insert, kSecond, ModelAnswer::already_exists));
    for (int i = 1; i < copies; ++i) deliver(second, ModelAction::insert, kSecond);
  }
  const auto removal = talk.ask(ModelAction::remove, kFirst);
  deliver(removal, ModelAction::remove, kFirst);
  deliver(removal, ModelAction::remove, kFirst);
  // Its first copy removes, a copy of the other insert comes between, its second copy answers.
  const bool explained = talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::no_match);
  CHECK(explained == (copies == 2));
}

TEST_CASE("J-S4 F-09 a removal that took effect may be answered by a copy that found nothing") {
  Talk talk;
  const auto insert = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.answer(insert, ModelAction::insert, kFirst, ModelAnswer::ok));
  const auto removal = talk.ask(ModelAction::remove, kFirst);
  const auto deliver = [&] {
    talk.history.delivered(kClient, removal, {ModelAction::remove, {}, kFirst});
  };
  deliver();
  CHECK(talk.lookup(ModelAnswer::not_found));
  SECTION("another copy arrived") {
    deliver();
    CHECK(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::not_found));
    CHECK(talk.lookup(ModelAnswer::not_found));
    CHECK_FALSE(talk.lookup(ModelAnswer::exists));
  }
  SECTION("no copy arrived") {
    CHECK_FALSE(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::not_found));
  }
}

TEST_CASE("J-S4 F-09 BC-28 copies without number are counted, and each has one effect") {
  Talk talk;
  const auto insert = talk.ask(ModelAction::insert, kFirst);
  CHECK(talk.answer(insert, ModelAction::insert, kFirst, ModelAnswer::ok));
  const auto removal = talk.ask(ModelAction::remove, kFirst);
  const int copies = GENERATE(1, 3, 40);
  for (int i = 0; i < copies; ++i) {
    talk.history.delivered(kClient, insert, {ModelAction::insert, {}, kFirst});
    talk.history.delivered(kClient, removal, {ModelAction::remove, {}, kFirst});
  }
  for (int i = 0; i < copies; ++i) {
    CHECK(talk.lookup(ModelAnswer::not_found));
    CHECK(talk.lookup(ModelAnswer::exists));
  }
  REQUIRE(talk.history.undecided() == SearchLimit::none);
  SECTION("every copy of the removal took effect, so one may report it") {
    CHECK(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::ok));
    CHECK_FALSE(talk.lookup(ModelAnswer::not_found));
  }
  SECTION("no copy of either is left") { CHECK_FALSE(talk.lookup(ModelAnswer::not_found)); }
  SECTION("another removal removes it, and no insert restores it") {
    CHECK(talk.remove(kFirst, ModelAnswer::ok));
    CHECK_FALSE(talk.lookup(ModelAnswer::exists));
  }
}

TEST_CASE("J-S4 BC-11 a repetition may be too late, whatever its first copy did") {
  Talk talk;
  CHECK(talk.insert(kFirst, ModelAnswer::ok));
  const auto removal = talk.ask(ModelAction::remove, kFirst);
  CHECK(talk.lookup(ModelAnswer::not_found));  // its first copy took effect
  const bool repeated = GENERATE(true, false);
  if (repeated) {
    talk.history.ask({.request = removal,
                      .client = kClient,
                      .action = ModelAction::remove,
                      .token = kFirst,
                      .called = ++talk.now},
                     kNeverReturned);
  }
  talk.expired = ++talk.now;
  CHECK(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::too_old) == repeated);
  if (repeated) CHECK(talk.lookup(ModelAnswer::too_old));
}

TEST_CASE("J-S4 L-23 a lagging replica may miss new ids, not show removed ones") {
  Talk talk;
  CHECK(talk.insert(kFirst, ModelAnswer::ok));
  CHECK(talk.lookup(ModelAnswer::not_found, ReadRule::stale));
  CHECK(talk.lookup(ModelAnswer::exists, ReadRule::stale));
  SECTION("removed before it was asked") {
    CHECK(talk.remove(kFirst, ModelAnswer::ok));
    CHECK_FALSE(talk.lookup(ModelAnswer::exists, ReadRule::stale));
  }
  SECTION("asked while the removal was in progress") {
    const auto removal = talk.ask(ModelAction::remove, kFirst);
    const auto read = talk.ask(ModelAction::lookup, {}, ReadRule::stale);
    CHECK(talk.answer(removal, ModelAction::remove, kFirst, ModelAnswer::ok));
    CHECK(talk.answer(read, ModelAction::lookup, {}, ModelAnswer::exists));
    CHECK(talk.lookup(ModelAnswer::not_found));
  }
  SECTION("an id that was never present") {
    Talk other;
    CHECK_FALSE(other.lookup(ModelAnswer::exists, ReadRule::stale));
  }
}

TEST_CASE("J-S4 B-65 below the boundary only too_old is answered") {
  Talk talk;
  CHECK(talk.insert(kFirst, ModelAnswer::ok));
  SECTION("not before") { CHECK_FALSE(talk.lookup(ModelAnswer::too_old)); }
  const auto early = talk.ask(ModelAction::lookup);
  talk.expired = ++talk.now;
  SECTION("a client that asked before may receive the state before") {
    CHECK(talk.answer(early, ModelAction::lookup, {}, ModelAnswer::exists));
    CHECK(talk.lookup(ModelAnswer::too_old));
  }
  SECTION("a client that asks afterwards may not") {
    CHECK_FALSE(talk.lookup(ModelAnswer::exists));
  }
}

}  // namespace photon::analysis::testing
