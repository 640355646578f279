#include "analysis/linearizability/checker.h"

#include "analysis/linearizability/registry_model.h"
#include "tests/analysis/linearizability/random_history.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using Op = Operation<RegistryModel::Input, RegistryModel::Output>;
constexpr Token kFirst{1, 1, 1};
constexpr Token kSecond{2, 1, 1};

Op insert(HistoryTime called, HistoryTime returned, Token token, ModelAnswer answer) {
  return {{ModelAction::insert, {}, token}, answer, called, returned, Completion::returned};
}
Op lost_insert(HistoryTime called, Token token) {
  return {.input = {ModelAction::insert, {}, token}, .called = called};
}
Op lookup(HistoryTime called, HistoryTime returned, ModelAnswer answer) {
  return {{ModelAction::lookup, {}, {}}, answer, called, returned, Completion::returned};
}
Linearizable answer(const History<RegistryModel>& history) {
  return check_linearizable<RegistryModel>(history).answer;
}

// A register of one number: no part of Photon, which shows that the checker is generic.
struct RegisterModel {
  struct Input {
    bool write = false;
    int value = 0;
  };
  using Output = int;  // of a read
  using Key = int;
  using State = int;
  static Key key(const Input&) { return 0; }
  static State initial() { return 0; }
  static Output answer(State& state, const Input& input) {
    if (!input.write) return state;
    state = input.value;
    return 0;
  }
  static std::uint64_t hash_state(State state) { return mix(static_cast<std::uint64_t>(state)); }
};

}  // namespace

TEST_CASE("J-S4 order in time binds, overlap does not") {
  using enum ModelAnswer;
  // The look-up begins after the insert has returned: it must see it.
  CHECK(answer({insert(0, 10, kFirst, ok), lookup(11, 20, exists)}) == Linearizable::yes);
  CHECK(answer({insert(0, 10, kFirst, ok), lookup(11, 20, not_found)}) == Linearizable::no);
  // They overlap: both answers are valid.
  CHECK(answer({insert(0, 15, kFirst, ok), lookup(11, 20, not_found)}) == Linearizable::yes);
  // Two winners are never valid, however they overlap.
  CHECK(answer({insert(0, 99, kFirst, ok), insert(0, 99, kSecond, ok)}) == Linearizable::no);
  // A repetition with the same token is no second winner (B-41).
  CHECK(answer({insert(0, 10, kFirst, ok), insert(20, 30, kFirst, ok)}) == Linearizable::yes);
  // A loser needs a winner.
  CHECK(answer({insert(0, 10, kFirst, already_exists)}) == Linearizable::no);
}

TEST_CASE("J-S4 an indefinite operation may take effect late, early or never") {
  using enum ModelAnswer;
  CHECK(answer({lost_insert(0, kFirst), lookup(10, 20, exists)}) == Linearizable::yes);
  CHECK(answer({lost_insert(0, kFirst), lookup(10, 20, not_found), lookup(30, 40, exists)}) ==
        Linearizable::yes);
  CHECK(answer({lost_insert(0, kFirst), insert(10, 20, kSecond, ok)}) == Linearizable::yes);
  CHECK(answer({lost_insert(25, kFirst), lookup(10, 20, exists)}) == Linearizable::no);
  // A failed one certainly had no effect.
  Op failed = lost_insert(0, kFirst);
  failed.completion = Completion::failed;
  CHECK(answer({failed, lookup(10, 20, exists)}) == Linearizable::no);
}

TEST_CASE("J-S4 B-45 F-09 a cleared value matches no token, a removed one is absent again") {
  using enum ModelAnswer;
  const auto act = [](ModelAction action, HistoryTime at, ModelAnswer result) {
    return Op{{action, {}, kFirst}, result, at, at + 5, Completion::returned};
  };
  const Op first = insert(0, 5, kFirst, ok);
  const Op clear = act(ModelAction::clear, 10, ok);
  const Op remove = act(ModelAction::remove, 10, ok);
  CHECK(answer({first, clear, insert(20, 25, kFirst, already_exists)}) == Linearizable::yes);
  CHECK(answer({first, clear, insert(20, 25, kFirst, ok)}) == Linearizable::no);
  CHECK(answer({first, remove, insert(20, 25, kSecond, ok)}) == Linearizable::yes);
  CHECK(answer({first, clear, act(ModelAction::remove, 20, no_match)}) == Linearizable::yes);
}

TEST_CASE("J-S4 keys are decided independently, and the verdict names the unexplained operation") {
  using enum ModelAnswer;
  Op other = insert(0, 10, kSecond, ok);
  other.input.id.process = 7;
  const History<RegistryModel> history = {insert(0, 10, kFirst, ok), other,
                                          lookup(20, 30, not_found)};
  const Verdict verdict = check_linearizable<RegistryModel>(history);
  CHECK(verdict.answer == Linearizable::no);
  CHECK(verdict.blocked == 2U);
  CHECK(verdict.explained == std::vector<std::size_t>{0});
}

TEST_CASE("the checker is independent of the registry: a register, stale read") {
  using RegisterOp = Operation<RegisterModel::Input, int>;
  const auto write = [](HistoryTime from, HistoryTime to, int value) {
    return RegisterOp{{true, value}, 0, from, to, Completion::returned};
  };
  const auto read = [](HistoryTime from, HistoryTime to, int value) {
    return RegisterOp{{false, 0}, value, from, to, Completion::returned};
  };
  const auto decide = [](const History<RegisterModel>& history) {
    return check_linearizable<RegisterModel>(history).answer;
  };
  CHECK(decide({write(0, 100, 1), read(10, 20, 1), read(30, 40, 1)}) == Linearizable::yes);
  // Once seen, the new value stays.
  CHECK(decide({write(0, 100, 1), read(10, 20, 1), read(30, 40, 0)}) == Linearizable::no);
}

TEST_CASE("running into a limit is undecided, never linearizable, and says which limit") {
  const auto history = legal_history(1, {.operations = 200, .clients = 30, .indefinite = 0});
  const auto decide = [&](const CheckLimits& limits) {
    return check_linearizable<RegistryModel>(history, limits);
  };
  const Verdict whole = decide({});
  CHECK(whole.answer == Linearizable::yes);
  CHECK(whole.undecided.empty());
  const Verdict few = decide({.configurations_per_key = 10});
  CHECK(few.answer == Linearizable::undecided);
  REQUIRE(few.undecided.size() == 1);
  CHECK(few.undecided[0].limit == SearchLimit::configurations);
  CHECK(few.configurations == 11);
  const Verdict small = decide({.bytes_per_key = 5'000});
  CHECK(small.answer == Linearizable::undecided);
  REQUIRE(small.undecided.size() == 1);
  CHECK(small.undecided[0].limit == SearchLimit::bytes);
  CHECK(small.bytes > 5'000);
  CHECK(small.bytes < 5'300);
  SECTION("what a verdict needs is the least limit that suffices") {
    const Verdict exact = decide({.bytes_per_key = whole.bytes});
    CHECK(exact.answer == Linearizable::yes);
    CHECK(decide({.bytes_per_key = whole.bytes - 1}).answer == Linearizable::undecided);
  }
}

TEST_CASE("J-S4 cheap keys come first: an offending one is found whatever its neighbours cost") {
  const auto of_key = [](History<RegistryModel> history, std::uint32_t key) {
    for (auto& op : history) op.input.id.process = key;
    return history;
  };
  // Twelve inserts without answer and an answer that none explains: 4,095 subsets.
  const auto hard = [&](std::uint32_t key) {
    History<RegistryModel> history;
    for (std::uint32_t i = 1; i <= 12; ++i) {
      history.push_back(lost_insert(i, {1, 1, i}));
      history.push_back({.input = {ModelAction::remove, {}, {1, 1, i}}, .called = i});
    }
    history.push_back(lookup(50, 60, ModelAnswer::cleared));
    return of_key(history, key);
  };
  const auto bad =
      of_key({insert(0, 10, kFirst, ModelAnswer::ok), lookup(20, 30, ModelAnswer::not_found)}, 9);
  const Verdict alone = check_linearizable<RegistryModel>(hard(1));
  REQUIRE(alone.answer == Linearizable::no);
  REQUIRE(alone.configurations > 9'000);
  History<RegistryModel> history = hard(1);
  history.insert(history.end(), bad.begin(), bad.end());
  const Verdict verdict = check_linearizable<RegistryModel>(history);
  CHECK(verdict.answer == Linearizable::no);
  CHECK(verdict.blocked == history.size() - 1);
  CHECK(verdict.configurations < 1'010);
  SECTION("keys that stay open are named, in their order") {
    History<RegistryModel> both = hard(2);
    const auto first = hard(1);
    const std::size_t second = both.size();
    both.insert(both.end(), first.begin(), first.end());
    const Verdict open = check_linearizable<RegistryModel>(both, {.configurations_per_key = 2'000});
    CHECK(open.answer == Linearizable::undecided);
    REQUIRE(open.undecided.size() == 2);
    CHECK(open.undecided[0].operation == second);
    CHECK(open.undecided[1].operation == 0);
    CHECK(open.configurations == 2 * (1'001 + 2'001));
  }
}

TEST_CASE("J-S4 1000 operations on one key, 10 of them indefinite, are decided") {
  std::uint64_t most = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto history = legal_history(seed, {.operations = 1000,
                                        .clients = 4 + static_cast<std::uint32_t>(seed % 5),
                                        .tokens = 5,
                                        .indefinite = 0,
                                        .removals = true});
    for (std::size_t i = 50; i < history.size(); i += 100) {  // the answers of ten get lost
      history[i].completion = Completion::indefinite;
      history[i].returned = kNeverReturned;
    }
    const bool broken = seed % 2 == 1;
    if (broken) {
      // An answer near the end that no state explains: everything before must be searched.
      for (auto op = history.rbegin(); op != history.rend(); ++op) {
        if (op->completion != Completion::returned) continue;
        op->output = ModelAnswer::too_old;
        break;
      }
    }
    const Verdict verdict = check_linearizable<RegistryModel>(history);
    most = std::max(most, verdict.configurations);
    INFO("seed " << seed << ", configurations " << verdict.configurations);
    CHECK(verdict.answer == (broken ? Linearizable::no : Linearizable::yes));
  }
  CHECK(most > 5000);       // there was something to search
  CHECK(most < 1'000'000);  // and the search stays bounded
}

}  // namespace photon::analysis::testing
