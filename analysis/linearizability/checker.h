// Is a concurrent history linearizable? A generic decision procedure.
//
//   struct Model {                              // specification.h, and besides:
//     using Key = ...;                          // ordered by <
//     static Key key(const Input&);             // operations of different keys are independent
//     static std::uint64_t hash_state(const State&);
//     static std::size_t heap_bytes(const State&);  // only if a state owns memory
//   };
//   const Verdict verdict = check_linearizable<Model>(history);
//
// The search is Wing and Gong's with Lowe's memory: a configuration (set of operations that have
// taken effect, state of the model) is never entered twice. Indefinite operations have a call but
// no return; they may be left out. The history is cut by key first, and each key is decided alone.
//
// Exact, not probabilistic: configurations are remembered whole, as the first operation that has
// not taken effect and the set from there on. Worst case exponential in the number of operations
// that are concurrent. `CheckLimits` bound the configurations of one key and their memory; running
// into one is a verdict of its own, never "linearizable".
//
// Cheap keys come first: all keys are searched with a small limit, and those that it leaves open
// again with eight times as much, until they are decided or at the limits. So an offending key
// costs about what it costs alone, whatever its neighbours cost. Nothing of a search is kept from
// one round to the next; all earlier rounds together cost a seventh of the last.
//
// SPEC J-S4; Wing and Gong 1993, Lowe 2017.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "analysis/linearizability/history.h"
#include "analysis/linearizability/linked_events.h"
#include "analysis/linearizability/operation_set.h"
#include "analysis/linearizability/specification.h"

namespace photon::analysis {

enum class Linearizable : std::uint8_t { yes, no, undecided };

// A key that met a limit: one of its operations, as an index into the history, names it.
struct UndecidedKey {
  std::size_t operation = 0;
  SearchLimit limit = SearchLimit::configurations;
};

struct Verdict {
  Linearizable answer = Linearizable::yes;
  // `no`: operations of the offending key, as indices into the history: the longest order that
  // could be explained, and the operation whose answer no order explains after it.
  std::vector<std::size_t> explained{};
  std::optional<std::size_t> blocked{};
  // In the order of the keys. Empty if the answer is `no`: then others have not been tried further.
  std::vector<UndecidedKey> undecided{};
  std::uint64_t configurations = 0;  // visited, over all keys and rounds
  std::uint64_t bytes = 0;           // of the configurations of the key that needed most
};

struct CheckLimits {
  std::uint64_t configurations_per_key = 20'000'000;
  // What the remembered configurations of one key may take, counted as entries of a table that may
  // be half empty, with the memory that they own. The memory of a key is free when it is decided.
  std::uint64_t bytes_per_key = std::uint64_t{4} << 30U;
  std::uint64_t first_round = 1'000;  // configurations of a key
};

namespace detail {

template <class Model>
class Search {
 public:
  using Op = Operation<typename Model::Input, typename Model::Output>;

  // `members`: the operations of one key, as indices into `history`, in order of their calls.
  Search(const History<Model>& history, std::span<const std::size_t> members,
         const CheckLimits& limits)
      : history_(history),
        members_(members),
        limits_(limits),
        events_(intervals(history, members)),
        done_(members.size()) {}

  Verdict run() {
    auto event = events_.first();
    while (event != LinkedEvents::kEnd) {
      bool entered = false;
      if (events_.is_call(event)) {
        entered = advance(events_.operation(event), 0);
      } else {
        // This answer had to be explained before now, and is not: undo the last step, and let its
        // operation choose otherwise.
        note_blocked(events_.operation(event));
        if (path_.empty()) return verdict(Linearizable::no);
        const auto [operation, choice] = retreat();
        event = events_.call(operation);
        entered = advance(operation, choice + 1);
      }
      if (const SearchLimit limit = met(); limit != SearchLimit::none) {
        Verdict result = verdict(Linearizable::undecided);
        result.undecided.push_back({members_.front(), limit});
        return result;
      }
      event = entered ? events_.first() : events_.next(event);
    }
    return verdict(Linearizable::yes);  // only indefinite operations are left
  }

 private:
  using State = typename Model::State;

  struct Step {
    std::uint32_t operation = 0;
    std::uint32_t choice = 0;  // which of its outcomes
    State before{};
  };

  static std::vector<Interval> intervals(const History<Model>& history,
                                         std::span<const std::size_t> members) {
    std::vector<Interval> result;
    result.reserve(members.size());
    for (const std::size_t member : members) {
      const Op& op = history[member];
      const bool known = op.completion == Completion::returned;
      result.push_back({op.called, known ? op.returned : kNeverReturned});
    }
    return result;
  }

  SearchLimit met() const {
    if (entered_ > limits_.configurations_per_key) return SearchLimit::configurations;
    return bytes_ > limits_.bytes_per_key ? SearchLimit::bytes : SearchLimit::none;
  }

  // The state after the outcome number `choice` of those that give the operation's answer.
  std::optional<State> outcome(const Op& op, std::uint32_t choice) const {
    std::optional<State> result;
    std::uint32_t fitting = 0;
    each_outcome<Model>(state_, op.input, [&](State after, const typename Model::Output& output) {
      if (op.completion == Completion::returned && !(output == op.output)) return;
      if (fitting++ == choice) result = std::move(after);
    });
    return result;
  }

  // Lets `operation` take effect now, by the first of its outcomes from `choice` on that the model
  // allows and whose result is not known.
  bool advance(std::uint32_t operation, std::uint32_t choice) {
    if (Deterministic<Model> && choice > 0) return false;
    const Op& op = history_[members_[operation]];
    for (;; ++choice) {
      std::optional<State> after = outcome(op, choice);
      if (!after) return false;
      // An operation without answer and without effect need not be in the order.
      const bool idle = op.completion != Completion::returned && *after == state_;
      if (!idle && remember(operation, *after)) {
        path_.push_back({operation, choice, std::exchange(state_, *std::move(after))});
        events_.lift(operation);
        return true;
      }
      if (Deterministic<Model>) return false;
    }
  }

  // False, and nothing has changed, if the configuration is known.
  bool remember(std::uint32_t operation, const State& after) {
    done_.insert(operation);
    Configuration next{done_.trimmed(), after};
    const std::uint64_t owned = owned_by(next);
    if (!known_.insert(std::move(next)).second) {
      done_.erase(operation);
      return false;
    }
    ++entered_;
    bytes_ += 2 * sizeof(Configuration) + owned;
    return true;
  }

  // Undoes the last step.
  struct Choice {
    std::uint32_t operation = 0;
    std::uint32_t choice = 0;
  };
  Choice retreat() {
    Step step = std::move(path_.back());
    path_.pop_back();
    state_ = std::move(step.before);
    done_.erase(step.operation);
    events_.unlift(step.operation);
    return {step.operation, step.choice};
  }

  void note_blocked(std::uint32_t operation) {
    if (blocked_ && path_.size() <= longest_.size()) return;
    blocked_ = operation;
    longest_.clear();
    for (const Step& step : path_) longest_.push_back(step.operation);
  }

  Verdict verdict(Linearizable answer) const {
    Verdict result{.answer = answer, .configurations = entered_, .bytes = bytes_};
    if (answer != Linearizable::no) return result;
    for (const std::uint32_t operation : longest_) result.explained.push_back(members_[operation]);
    result.blocked = members_[*blocked_];
    return result;
  }

  struct Configuration {
    TrimmedSet done{};
    State state{};
    friend bool operator==(const Configuration&, const Configuration&) = default;
  };
  struct ConfigurationHash {
    using is_avalanching = void;
    std::size_t operator()(const Configuration& configuration) const {
      return configuration.done.hash(Model::hash_state(configuration.state));
    }
  };

  static std::uint64_t owned_by(const Configuration& configuration) {
    std::uint64_t bytes = configuration.done.rest.capacity() * sizeof(std::uint64_t);
    if constexpr (requires { Model::heap_bytes(configuration.state); }) {
      bytes += Model::heap_bytes(configuration.state);
    }
    return bytes;
  }

  const History<Model>& history_;
  std::span<const std::size_t> members_;
  CheckLimits limits_;
  LinkedEvents events_;
  OperationSet done_;
  State state_ = Model::initial();
  std::vector<Step> path_{};
  boost::unordered_flat_set<Configuration, ConfigurationHash> known_{};
  std::uint64_t entered_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint32_t> longest_{};
  std::optional<std::uint32_t> blocked_{};
};

}  // namespace detail

// Decides `history`. Failed operations are left out. With several offending keys the verdict names
// one of the cheapest round, the smallest of them. A key that could not be decided counts only if
// no other key is offending.
template <class Model>
Verdict check_linearizable(const History<Model>& history, const CheckLimits& limits = {}) {
  std::map<typename Model::Key, std::vector<std::size_t>> keys;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].completion != Completion::failed)
      keys[Model::key(history[i].input)].push_back(i);
  }
  struct Open {
    std::span<const std::size_t> members;
    SearchLimit limit = SearchLimit::configurations;  // of the last round
  };
  std::vector<Open> open;
  for (auto& [key, members] : keys) {
    std::ranges::stable_sort(members, {}, [&](std::size_t i) { return history[i].called; });
    open.push_back({members});
  }
  Verdict total;
  CheckLimits round = limits;
  for (std::uint64_t most = limits.first_round;; most *= 8) {
    round.configurations_per_key = std::min(most, limits.configurations_per_key);
    for (Open& key : open) {
      if (key.limit == SearchLimit::bytes) continue;  // would meet it again
      Verdict one = detail::Search<Model>(history, key.members, round).run();
      total.configurations += one.configurations;
      total.bytes = std::max(total.bytes, one.bytes);
      if (one.answer == Linearizable::no) {
        one.configurations = total.configurations;
        one.bytes = total.bytes;
        return one;
      }
      key.limit = one.undecided.empty() ? SearchLimit::none : one.undecided.front().limit;
    }
    std::erase_if(open, [](const Open& key) { return key.limit == SearchLimit::none; });
    if (open.empty() || most >= limits.configurations_per_key) break;
  }
  if (!open.empty()) total.answer = Linearizable::undecided;
  for (const Open& key : open) total.undecided.push_back({key.members.front(), key.limit});
  return total;
}

}  // namespace photon::analysis
