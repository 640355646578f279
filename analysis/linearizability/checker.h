// Is a concurrent history linearizable? A generic decision procedure.
//
//   struct Model {
//     using Input = ...; using Output = ...; using Key = ...;   // Key: ordered by <
//     using State = ...;                                       // copyable, == and hash_state()
//     static Key key(const Input&);                             // operations of different keys are
//     independent static State initial();
//     // Applies `input`. With `output`, says whether the model answers exactly that.
//     // Without (the operation is indefinite), any answer is valid: false only if it cannot apply.
//     static bool step(State&, const Input&, const Output* output);
//     static std::uint64_t hash_state(const State&);
//   };
//   const Verdict verdict = check_linearizable<Model>(history);
//
// The search is Wing and Gong's with Lowe's memory: a configuration (set of operations that have
// taken effect, state of the model) is never entered twice. Indefinite operations have a call but
// no return; they may be left out. The history is cut by key first, and each key is decided alone.
//
// Exact, not probabilistic: configurations are remembered whole, as the first operation that has
// not taken effect and the set from there on. Worst case exponential in the number of operations
// that are concurrent; `limit` bounds the configurations of one key, and running into it is a
// verdict of its own, never "linearizable".
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

namespace photon::analysis {

enum class Linearizable : std::uint8_t { yes, no, undecided };

struct Verdict {
  Linearizable answer = Linearizable::yes;
  // `no`: operations of the offending key, as indices into the history: the longest order that
  // could be explained, and the operation whose answer no order explains after it.
  std::vector<std::size_t> explained{};
  std::optional<std::size_t> blocked{};
  std::uint64_t configurations = 0;  // visited, over all keys
};

struct CheckLimits {
  std::uint64_t configurations_per_key = 20'000'000;
};

namespace detail {

template <class Model>
class Search {
 public:
  using Op = Operation<typename Model::Input, typename Model::Output>;

  // `members`: the operations of one key, as indices into `history`, in order of their calls.
  Search(const History<Model>& history, std::span<const std::size_t> members, CheckLimits limits)
      : history_(history),
        members_(members),
        limits_(limits),
        events_(intervals(history, members)),
        done_(members.size()) {}

  Verdict run() {
    auto event = events_.first();
    while (event != LinkedEvents::kEnd) {
      if (events_.is_call(event)) {
        if (advance(events_.operation(event))) {
          if (entered_ > limits_.configurations_per_key) return verdict(Linearizable::undecided);
          event = events_.first();
        } else {
          event = events_.next(event);
        }
        continue;
      }
      // This answer had to be explained before now, and is not: undo the last step.
      note_blocked(events_.operation(event));
      if (path_.empty()) return verdict(Linearizable::no);
      event = events_.next(retreat());
    }
    return verdict(Linearizable::yes);  // only indefinite operations are left
  }

 private:
  struct Step {
    std::uint32_t operation = 0;
    typename Model::State before{};
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

  // Lets `operation` take effect now, unless the model forbids it or the result is known.
  bool advance(std::uint32_t operation) {
    const Op& op = history_[members_[operation]];
    typename Model::State after = state_;
    const auto* output = op.completion == Completion::returned ? &op.output : nullptr;
    if (!Model::step(after, op.input, output)) return false;
    // An operation without answer and without effect need not be in the order.
    if (output == nullptr && after == state_) return false;
    done_.insert(operation);
    if (!known_.insert({done_.trimmed(), after}).second) {
      done_.erase(operation);
      return false;
    }
    ++entered_;
    path_.push_back({operation, std::exchange(state_, std::move(after))});
    events_.lift(operation);
    return true;
  }

  // Undoes the last step and returns the call event of its operation.
  LinkedEvents::Index retreat() {
    Step step = std::move(path_.back());
    path_.pop_back();
    state_ = std::move(step.before);
    done_.erase(step.operation);
    events_.unlift(step.operation);
    return events_.call(step.operation);
  }

  void note_blocked(std::uint32_t operation) {
    if (blocked_ && path_.size() <= longest_.size()) return;
    blocked_ = operation;
    longest_.clear();
    for (const Step& step : path_) longest_.push_back(step.operation);
  }

  Verdict verdict(Linearizable answer) const {
    Verdict result{.answer = answer, .configurations = entered_};
    if (answer != Linearizable::no) return result;
    for (const std::uint32_t operation : longest_) result.explained.push_back(members_[operation]);
    result.blocked = members_[*blocked_];
    return result;
  }

  struct Configuration {
    TrimmedSet done{};
    typename Model::State state{};
    friend bool operator==(const Configuration&, const Configuration&) = default;
  };
  struct ConfigurationHash {
    using is_avalanching = void;
    std::size_t operator()(const Configuration& configuration) const {
      return configuration.done.hash(Model::hash_state(configuration.state));
    }
  };

  const History<Model>& history_;
  std::span<const std::size_t> members_;
  CheckLimits limits_;
  LinkedEvents events_;
  OperationSet done_;
  typename Model::State state_ = Model::initial();
  std::vector<Step> path_{};
  boost::unordered_flat_set<Configuration, ConfigurationHash> known_{};
  std::uint64_t entered_ = 0;
  std::vector<std::uint32_t> longest_{};
  std::optional<std::uint32_t> blocked_{};
};

}  // namespace detail

// Decides `history`. Failed operations are left out. With several offending keys the verdict names
// the smallest; a key that could not be decided counts only if no other key is offending.
template <class Model>
Verdict check_linearizable(const History<Model>& history, CheckLimits limits = {}) {
  std::map<typename Model::Key, std::vector<std::size_t>> keys;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].completion != Completion::failed)
      keys[Model::key(history[i].input)].push_back(i);
  }
  Verdict total;
  for (auto& [key, members] : keys) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t left, std::size_t right) {
      return history[left].called < history[right].called;
    });
    Verdict one = detail::Search<Model>(history, members, limits).run();
    const std::uint64_t entered = total.configurations + one.configurations;
    const bool worse = one.answer == Linearizable::no ||
                       (one.answer == Linearizable::undecided && total.answer == Linearizable::yes);
    if (worse) total = std::move(one);
    total.configurations = entered;
    if (total.answer == Linearizable::no) break;
  }
  return total;
}

}  // namespace photon::analysis
