// Specifications with several next states: both checkers against trying every order and outcome.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "analysis/linearizability/checker.h"
#include "analysis/linearizability/online_check.h"
#include "core_impl/base/random.h"
#include "tests/analysis/linearizability/online_history.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::analysis::testing {
namespace {

// A bag: `take` gives any of its items, and `peek` shows any; `reset` may empty it or do nothing.
struct BagModel {
  enum class Action : std::uint8_t { put, take, peek, reset };
  struct Input {
    Action action = Action::put;
    int item = 0;  // put
    friend bool operator==(const Input&, const Input&) = default;
  };
  using Output = int;  // take, peek: the item
  using Key = int;
  using State = std::vector<int>;  // sorted
  static constexpr int kDone = 0;
  static constexpr int kEmpty = -1;

  static Key key(const Input&) { return 0; }
  static State initial() { return {}; }
  static bool is_read(const Input& input) { return input.action == Action::peek; }
  static std::size_t heap_bytes(const State& state) { return state.capacity() * sizeof(int); }
  static std::uint64_t hash_state(const State& state) {
    std::uint64_t hash = 1;
    for (const int item : state) hash = combine(hash, static_cast<std::uint64_t>(item));
    return hash;
  }
  template <class Visit>
  static void outcomes(const State& state, const Input& input, Visit&& visit) {
    if (input.action == Action::put) {
      State after = state;
      after.insert(std::ranges::upper_bound(after, input.item), input.item);
      return visit(std::move(after), kDone);
    }
    if (input.action == Action::reset) {
      visit(state, kDone);
      return visit(State{}, kDone);
    }
    if (state.empty()) return visit(state, kEmpty);
    for (std::size_t i = 0; i < state.size(); ++i) {
      State after = state;
      if (input.action == Action::take) after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
      visit(std::move(after), state[i]);
    }
  }
};

using BagOp = Operation<BagModel::Input, int>;
using Bag = OnlineCheck<BagModel>;

// Every order of every subset, every outcome: slow, and simple.
bool by_hand(const History<BagModel>& history, std::vector<bool>& done,
             const std::vector<int>& bag) {
  bool complete = true;
  HistoryTime first_return = kNeverReturned;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (done[i] || history[i].completion != Completion::returned) continue;
    complete = false;
    first_return = std::min(first_return, history[i].returned);
  }
  if (complete) return true;
  for (std::size_t i = 0; i < history.size(); ++i) {
    // It cannot take effect after an answer that was there before it was called.
    if (done[i] || history[i].called > first_return) continue;
    bool found = false;
    done[i] = true;
    BagModel::outcomes(bag, history[i].input, [&](const std::vector<int>& after, int output) {
      const bool known = history[i].completion == Completion::returned;
      if (!found && (!known || output == history[i].output)) found = by_hand(history, done, after);
    });
    done[i] = false;
    if (found) return true;
  }
  return false;
}

bool by_hand(const History<BagModel>& history) {
  std::vector<bool> done(history.size());
  return by_hand(history, done, {});
}

class BagDraws {
 public:
  explicit BagDraws(std::uint64_t seed) : stream_(seed, Purpose::test, 0) {}
  std::uint64_t below(std::uint64_t bound) { return uniform_below(stream_.word(next_++), bound); }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

// What a bag could have answered, with one answer changed if `damaged`.
History<BagModel> random_history(std::uint64_t seed, std::uint64_t operations, bool damaged) {
  BagDraws draws(seed);
  const std::uint64_t reach = 5 + 10 * draws.below(4);
  History<BagModel> history;
  BagModel::State bag;
  for (std::uint64_t i = 0; i < operations; ++i) {
    constexpr std::array kActions{BagModel::Action::put,  BagModel::Action::put,
                                  BagModel::Action::put,  BagModel::Action::take,
                                  BagModel::Action::take, BagModel::Action::peek,
                                  BagModel::Action::reset};
    const auto at = static_cast<HistoryTime>(10 * (i + 1));
    BagOp op;
    op.input = {kActions[draws.below(kActions.size())], 1 + static_cast<int>(draws.below(3))};
    if (op.input.action != BagModel::Action::put) op.input.item = 0;
    op.called = at - static_cast<HistoryTime>(draws.below(reach));
    std::vector<std::pair<BagModel::State, int>> outcomes;
    BagModel::outcomes(bag, op.input, [&](BagModel::State after, int output) {
      outcomes.emplace_back(std::move(after), output);
    });
    const auto& [after, output] = outcomes[draws.below(outcomes.size())];
    const bool lost = draws.below(5) == 0;
    if (!lost || draws.below(2) == 0) bag = after;
    op.output = output;
    if (!lost) {
      op.completion = Completion::returned;
      op.returned = at + static_cast<HistoryTime>(draws.below(reach));
    }
    history.push_back(op);
  }
  for (std::uint64_t tries = 0; damaged && tries < 50; ++tries) {
    BagOp& op = history[draws.below(history.size())];
    const bool gives = op.input.action == BagModel::Action::take || BagModel::is_read(op.input);
    if (!gives || op.completion != Completion::returned) continue;
    op.output = op.output == 3 ? BagModel::kEmpty : std::max(op.output, 0) + 1;
    break;
  }
  return history;
}

}  // namespace

TEST_CASE("J-S4 weak specification: both checkers agree with every order and every outcome") {
  std::uint64_t illegal = 0;
  std::uint64_t legal = 0;
  const std::uint64_t histories = photon::testing::effort(20'000);
  for (std::uint64_t seed = 0; seed < histories; ++seed) {
    const auto history = random_history(seed, 3 + seed % 6, seed % 2 == 1);
    const bool expected = by_hand(history);
    INFO("seed " << seed);
    REQUIRE((check_linearizable<BagModel>(history).answer == Linearizable::yes) == expected);
    REQUIRE(online<BagModel>(history) == expected);
    (expected ? legal : illegal) += 1;
  }
  CHECK(illegal * 5 > histories);
  CHECK(legal * 2 > histories);
}

TEST_CASE("J-S4 weak specification: a search takes back the choice, not only the order") {
  using enum BagModel::Action;
  const auto op = [](BagModel::Action action, HistoryTime at, int value) {
    const int item = action == put ? value : 0;
    return BagOp{{action, item}, item != 0 ? 0 : value, at, at + 5, Completion::returned};
  };
  const auto decide = [](const History<BagModel>& history) {
    const bool yes = check_linearizable<BagModel>(history).answer == Linearizable::yes;
    CHECK(online<BagModel>(history) == yes);
    CHECK(by_hand(history) == yes);
    return yes;
  };
  const auto with = [](History<BagModel> history, const History<BagModel>& more) {
    history.insert(history.end(), more.begin(), more.end());
    return history;
  };
  // A take without answer took 1 or 2: only the later answers say which.
  const BagOp lost{.input = {take, 0}, .called = 20};
  const History<BagModel> history = {op(put, 0, 1), op(put, 10, 2), lost};
  for (const int left : {1, 2}) {
    const auto one = with(history, {op(take, 30, left), op(take, 40, BagModel::kEmpty)});
    CHECK(decide(one));
    CHECK_FALSE(decide(with(one, {op(take, 50, 3 - left)})));
  }
  // With an answer the reset has emptied the bag or not; it cannot have done both.
  const History<BagModel> begun = {op(put, 0, 1), op(BagModel::Action::reset, 10, 0)};
  CHECK(decide(with(begun, {op(peek, 20, 1)})));
  CHECK(decide(with(begun, {op(peek, 20, BagModel::kEmpty)})));
  CHECK_FALSE(decide(with(begun, {op(peek, 20, BagModel::kEmpty), op(peek, 30, 1)})));
}

TEST_CASE("J-S4 weak specification: copies with and without effect explain one answer each") {
  using enum BagModel::Action;
  // Two copies of one reset; the answer is the first one's or the second one's, whichever did
  // nothing. An item that is put afterwards may still be lost to the other copy.
  Bag check;
  REQUIRE(check.returned(check.call({put, 1}), BagModel::kDone));
  const auto emptying = check.call({reset, 0});
  check.call_again(emptying);
  REQUIRE(check.returned(emptying, BagModel::kDone));
  SECTION("neither took effect, one does later") {
    CHECK(check.returned(check.call({peek, 0}), 1));
    CHECK(check.returned(check.call({peek, 0}), BagModel::kEmpty));
    CHECK(check.returned(check.call({put, 2}), BagModel::kDone));
    CHECK(check.returned(check.call({peek, 0}), 2));
    CHECK_FALSE(check.returned(check.call({peek, 0}), BagModel::kEmpty));
  }
  SECTION("both took effect") {
    CHECK(check.returned(check.call({peek, 0}), BagModel::kEmpty));
    CHECK(check.returned(check.call({put, 2}), BagModel::kDone));
    CHECK(check.returned(check.call({peek, 0}), BagModel::kEmpty));
    CHECK(check.returned(check.call({put, 2}), BagModel::kDone));
    CHECK_FALSE(check.returned(check.call({peek, 0}), BagModel::kEmpty));
  }
}

}  // namespace photon::analysis::testing
