#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>

#include "analysis/linearizability/checker.h"
#include "analysis/linearizability/insert_if_absent.h"
#include "analysis/linearizability/online_check.h"
#include "tests/analysis/linearizability/online_history.h"
#include "tests/analysis/linearizability/random_history.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::analysis::testing {
namespace {

std::uint64_t histories_requested() {
  const char* requested = std::getenv("PHOTONSIM_HISTORIES");
  return requested != nullptr ? std::strtoull(requested, nullptr, 10)
                              : photon::testing::effort(5'000);
}

bool special(const History<RegistryModel>& history) {
  InsertIfAbsentCheck check;
  for (const auto& op : history) check.add(op);
  return check.linearizable();
}

// Damaged until no order explains it, by the generic checker.
History<RegistryModel> illegal_history(std::uint64_t seed, const HistoryShape& shape) {
  for (std::uint64_t base = seed;;
       base += 1'000'000) {  // a history without answers cannot be illegal
    auto history = legal_history(base, shape);
    for (std::uint64_t round = 0; round < 100; ++round) {
      damage(history, base * 41 + round);
      if (check_linearizable<RegistryModel>(history).answer == Linearizable::no) return history;
    }
  }
}

// Tries every order of every subset of the indefinite operations: slow, and simple.
bool by_hand(const History<RegistryModel>& history) {
  std::vector<std::size_t> order(history.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    RegistryModel::State state;
    HistoryTime now = std::numeric_limits<HistoryTime>::min();
    std::size_t complete = 0;
    for (const std::size_t index : order) {
      const auto& op = history[index];
      const bool known = op.completion == Completion::returned;
      now = std::max(now, op.called);
      if (now > op.returned) break;
      const auto output = RegistryModel::answer(state, op.input);
      if (known && output != op.output) break;
      if (known) ++complete;
    }
    const auto definite = std::count_if(history.begin(), history.end(), [](const auto& op) {
      return op.completion == Completion::returned;
    });
    // Operations ordered after the last complete one may as well not have happened.
    if (static_cast<std::ptrdiff_t>(complete) == definite) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// An operation of the history reached the server more than once.
struct Copied {
  std::size_t operation = 0;
  std::vector<HistoryTime> called{};  // the copies, by time
};

// Any copy that arrived before the answer may have produced it; the others have no answer.
bool generic_with(const History<RegistryModel>& history, std::span<const Copied> copied) {
  if (copied.empty()) {
    return check_linearizable<RegistryModel>(history).answer == Linearizable::yes;
  }
  // The members have the times; each is tried as the one that answered.
  const Copied& first = copied.front();
  const auto original = history[first.operation];
  std::vector<HistoryTime> members = first.called;
  members.insert(members.begin(), original.called);
  for (std::size_t answerer = 0; answerer < members.size(); ++answerer) {
    if (members[answerer] > original.returned) continue;
    auto tried = history;
    tried[first.operation].called = members[answerer];
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == answerer) continue;
      tried.push_back({.input = original.input, .called = members[i]});
    }
    if (generic_with(tried, copied.subspan(1))) return true;
  }
  return false;
}

bool online_with(const History<RegistryModel>& history, std::span<const Copied> copied) {
  enum class Step : std::uint8_t { call, copy, answer };
  struct Event {
    HistoryTime at = 0;
    Step step = Step::call;
    std::size_t operation = 0;
    auto operator<=>(const Event&) const = default;
  };
  std::vector<Event> events;
  for (std::size_t i = 0; i < history.size(); ++i) {
    events.push_back({history[i].called, Step::call, i});
    if (history[i].completion == Completion::returned) {
      events.push_back({history[i].returned, Step::answer, i});
    }
  }
  for (const Copied& each : copied) {
    for (const HistoryTime called : each.called) {
      events.push_back({called, Step::copy, each.operation});
    }
  }
  std::ranges::sort(events);
  OnlineCheck<RegistryModel> check;
  std::vector<OnlineCheck<RegistryModel>::Handle> handles(history.size());
  for (const Event& event : events) {
    const auto& op = history[event.operation];
    auto& handle = handles[event.operation];
    if (event.step == Step::call) {
      handle = check.call(op.input);
    } else if (event.step == Step::copy) {
      handle != 0 ? check.call_again(handle) : check.call_unanswered(op.input);
    } else {
      if (!check.returned(std::exchange(handle, 0), op.output)) return false;
    }
  }
  REQUIRE_FALSE(check.undecided());
  return true;
}

}  // namespace

TEST_CASE("J-S4 the generic and the specialised checker agree on random histories") {
  const std::uint64_t requested = histories_requested();
  std::uint64_t illegal = 0;
  for (std::uint64_t seed = 0; seed < requested; ++seed) {
    const HistoryShape shape{.operations = 4 + static_cast<std::uint32_t>(seed % 20),
                             .clients = 1 + static_cast<std::uint32_t>(seed % 7),
                             .tokens = 1 + static_cast<std::uint32_t>(seed % 4),
                             .indefinite = static_cast<std::uint32_t>(seed % 5),
                             .expiry = seed % 3 == 0};
    const auto history = seed % 2 == 0 ? legal_history(seed, shape) : illegal_history(seed, shape);
    const Linearizable generic = check_linearizable<RegistryModel>(history).answer;
    INFO("seed " << seed);
    REQUIRE(generic != Linearizable::undecided);
    if (seed % 2 == 0) REQUIRE(generic == Linearizable::yes);
    REQUIRE(special(history) == (generic == Linearizable::yes));
    if (generic == Linearizable::no) ++illegal;
  }
  CHECK(illegal == requested / 2);
}

TEST_CASE("J-S4 the check of a running history agrees with the generic checker") {
  std::uint64_t illegal = 0;
  const std::uint64_t requested = histories_requested() / 2;
  for (std::uint64_t seed = 0; seed < requested; ++seed) {
    auto history = legal_history(seed, {.operations = 3 + static_cast<std::uint32_t>(seed % 22),
                                        .clients = 1 + static_cast<std::uint32_t>(seed % 4),
                                        .tokens = 1 + static_cast<std::uint32_t>(seed % 3),
                                        .indefinite = static_cast<std::uint32_t>(seed % 3),
                                        .removals = true,
                                        .expiry = seed % 4 == 0});
    if (seed % 2 == 1) damage(history, seed);
    const bool generic = check_linearizable<RegistryModel>(history).answer == Linearizable::yes;
    INFO("seed " << seed);
    REQUIRE(generic == online<RegistryModel>(history));
    if (!generic) ++illegal;
  }
  CHECK(illegal * 8 > requested);
}

TEST_CASE("J-S4 BC-28 copies of an operation: any may have answered, all may have taken effect") {
  std::uint64_t illegal = 0;
  std::uint64_t explained = 0;  // by the copies alone
  for (std::uint64_t seed = 0; seed < histories_requested() / 5; ++seed) {
    auto history = legal_history(seed, {.operations = 3 + static_cast<std::uint32_t>(seed % 8),
                                        .clients = 1 + static_cast<std::uint32_t>(seed % 4),
                                        .tokens = 1 + static_cast<std::uint32_t>(seed % 2),
                                        .indefinite = static_cast<std::uint32_t>(seed % 3),
                                        .removals = true});
    if (seed % 4 != 0) damage(history, seed);
    std::vector<Copied> copied;
    for (std::size_t i = seed % history.size(); i < history.size() && copied.size() < 2; ++i) {
      if (RegistryModel::is_read(history[i].input)) continue;
      copied.push_back({i, {}});
      // As if a copy that arrived after the effect had answered.
      if (history[i].input.action == ModelAction::remove)
        history[i].output = ModelAnswer::not_found;
      for (std::uint64_t copy = 0; copy <= (seed + i) % 3; ++copy) {
        const auto later = static_cast<HistoryTime>(mix(seed + 100 * i + copy) % 60);
        copied.back().called.push_back(history[i].called + later);
      }
      std::ranges::sort(copied.back().called);
    }
    const bool generic = generic_with(history, copied);
    INFO("seed " << seed);
    REQUIRE(online_with(history, copied) == generic);
    if (!generic) ++illegal;
    if (generic && !generic_with(history, {})) ++explained;
  }
  CHECK(illegal > histories_requested() / 50);
  CHECK(explained > histories_requested() / 200);
}

TEST_CASE("J-S4 the generic checker agrees with trying every order") {
  std::uint64_t illegal = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    auto history = legal_history(seed, {.operations = 6,
                                        .clients = 1 + static_cast<std::uint32_t>(seed % 4),
                                        .tokens = 2,
                                        .indefinite = static_cast<std::uint32_t>(seed % 3),
                                        .removals = true,
                                        .expiry = seed % 4 == 0});
    if (seed % 2 == 1) damage(history, seed);
    const bool generic = check_linearizable<RegistryModel>(history).answer == Linearizable::yes;
    INFO("seed " << seed);
    REQUIRE(generic == by_hand(history));
    if (!generic) ++illegal;
  }
  CHECK(illegal > 50);
}

}  // namespace photon::analysis::testing
