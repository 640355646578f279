// Is the history of one key linearizable so far? The generic procedure for a running system.
//
//   OnlineCheck<Model> check;
//   const auto op = check.call(input);        // when an operation is called
//   if (!check.returned(op, output)) ...      // when it returns: no order explains the answers
//
// Keeps the configurations that explain all answers so far: the state of the model, the open
// operations that have changed it, and the answers they could have had in the states since their
// calls. When an operation returns, open ones take effect only as far as its answer needs it
// (just-in-time linearization); configurations that do not give the answer are dropped. An
// operation that changes nothing never makes a second configuration. Requirements on the model,
// besides those of specification.h:
//
//   static bool is_read(const Input&);            // never changes the state
//   bool operator==(const Input&, const Input&)
//
// Memory and work follow the operations that are open at the same time, not the history: with none
// open a configuration is one state. Exponential in those of them that can change the state. Beyond
// a number of configurations, of steps or of bytes (`OnlineLimits`) the check gives up, accepts
// everything, and reports which limit it met. All three follow from the history alone, so a verdict
// does not depend on the machine.
//
// Copies of an operation are interchangeable, so they are counted and not distinguished: only the
// number of those that have taken effect matters. The one answer that is read may be any copy's.
// Operations whose answers are not awaited any more are counted together by input. So dozens of
// copies of a few operations make few configurations.
//
// Calls and returns must be given in the order of time; at equal times calls first. Indefinite
// operations are never returned. SPEC J-S4; Lowe 2017 for the just-in-time idea. Agrees with
// check_linearizable (property test).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "analysis/linearizability/specification.h"
#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon::analysis {

struct OnlineLimits {
  std::size_t configurations = 2048;
  // Of one check from its beginning to its end. A step compares two configurations, tries one
  // operation in one, or copies or compares one answer that an operation could have had.
  std::uint64_t steps = 250'000'000;
  // Of all configurations together, with the answers that they keep. Vectors may hold twice that.
  std::uint64_t bytes = 512U << 20U;
};

template <class Model>
class OnlineCheck {
 public:
  using Input = typename Model::Input;
  using Output = typename Model::Output;
  using State = typename Model::State;
  using Handle = std::uint32_t;

  explicit OnlineCheck(State initial = Model::initial(), OnlineLimits limits = {})
      : limits_(limits) {
    configurations_.push_back({std::move(initial), {}, {}});
  }

  Handle call(const Input& input) {
    open_.push_back({++last_handle_, input});
    return last_handle_;
  }
  // A copy of an open operation can take effect from now on, and give its answer.
  void call_again(Handle handle) { ++find(handle)->copies; }
  // The same for an operation whose answer is not awaited.
  void call_unanswered(const Input& input) {
    const auto same = std::ranges::find_if(
        open_, [&](const Open& op) { return !op.awaited && op.input == input; });
    if (same != open_.end()) {
      ++same->copies;
    } else {
      open_.push_back({++last_handle_, input, 1, false});
    }
  }

  // False if no order explains this answer after all earlier ones. The check must not be used
  // afterwards. Copies of the operation that have not taken effect yet may still do so.
  bool returned(Handle handle, const Output& output) {
    if (!undecided()) configurations_ = explain(handle, output);
    const auto op = find(handle);
    if (--op->copies == 0) {
      open_.erase(op);
    } else {
      abandon(handle);
    }
    return undecided() || !configurations_.empty();
  }

  // An answer of this operation will not be read; it may still take effect.
  void abandon(Handle handle) {
    const auto op = find(handle);
    op->awaited = false;
    const auto same = std::ranges::find_if(open_, [&](const Open& other) {
      return other.handle != handle && !other.awaited && other.input == op->input;
    });
    const bool merged = same != open_.end();
    const Handle into = merged ? same->handle : handle;
    if (merged) {
      same->copies += op->copies;
      open_.erase(op);
    }
    rebuild([&](Configuration& configuration) {
      configuration.drop(handle);
      if (merged) configuration.move_effects(handle, into);
    });
  }

  // Leaves an open operation out from now on. Valid only for operations that never change the
  // state: of others, effects so far are kept and no later one is allowed.
  void forget(Handle handle) {
    open_.erase(find(handle));
    rebuild([&](Configuration& configuration) {
      configuration.drop(handle);
      configuration.take_effects(handle);
    });
  }

  bool undecided() const { return limit_ != SearchLimit::none; }
  SearchLimit limit() const { return limit_; }  // that it met
  std::size_t open() const { return open_.size(); }
  std::size_t configurations() const { return configurations_.size(); }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

  // The state, if nothing is open and all explanations end in the same one.
  std::optional<State> settled() const {
    if (undecided() || !open_.empty() || configurations_.size() != 1) return std::nullopt;
    return configurations_.front().state;
  }

 private:
  // All copies of one operation; or, if their answers are not awaited, all such operations of
  // one input.
  struct Open {
    Handle handle = 0;
    Input input{};
    std::uint32_t copies = 1;
    bool awaited = true;
  };
  enum class Effect : std::uint8_t { none, changed };
  // An answer that some copy of an awaited operation had, or could have had without changing
  // anything.
  struct Fate {
    Handle handle = 0;
    Effect effect = Effect::none;
    Output output{};
    friend bool operator==(const Fate&, const Fate&) = default;
  };
  // How many copies of an operation have changed the state; only if any.
  struct Effects {
    Handle handle = 0;
    std::uint32_t times = 0;
  };
  struct Configuration {
    State state{};
    PooledVector<Fate> fates{};  // by handle: thousands, if thousands of operations are open
    PooledVector<Effects> effects{};

    std::uint64_t bytes() const {
      return sizeof(Configuration) + fates.size() * sizeof(Fate) + effects.size() * sizeof(Effects);
    }
    std::uint32_t changes(Handle handle) const {
      const auto found = std::ranges::find(effects, handle, &Effects::handle);
      return found == effects.end() ? 0 : found->times;
    }
    bool can_change(const Open& op) const { return changes(op.handle) < op.copies; }
    bool answered(Handle handle, Effect effect, const Output& output) const {
      const auto first = std::ranges::lower_bound(fates, handle, {}, &Fate::handle);
      const auto last = std::ranges::upper_bound(fates, handle, {}, &Fate::handle);
      return std::find(first, last, Fate{handle, effect, output}) != last;
    }
    void note(const Fate& fate) {
      const auto first = std::ranges::lower_bound(fates, fate.handle, {}, &Fate::handle);
      const auto last = std::ranges::upper_bound(fates, fate.handle, {}, &Fate::handle);
      if (std::find(first, last, fate) == last) fates.insert(last, fate);
    }
    void add_effects(Handle handle, std::uint32_t times) {
      const auto found = std::ranges::find(effects, handle, &Effects::handle);
      if (found == effects.end()) {
        effects.push_back({handle, times});
      } else {
        found->times += times;
      }
    }
    // Returns how many there were.
    std::uint32_t take_effects(Handle handle) {
      const std::uint32_t times = changes(handle);
      std::erase_if(effects, [&](const Effects& each) { return each.handle == handle; });
      return times;
    }
    void move_effects(Handle from, Handle to) {
      if (const std::uint32_t times = take_effects(from); times > 0) add_effects(to, times);
    }
    void drop(Handle handle) {
      std::erase_if(fates, [&](const Fate& fate) { return fate.handle == handle; });
    }
    // It explains everything that `other` explains if it has more to come and knows all its
    // answers.
    bool has_more_to_come(const Configuration& other) const {
      return state == other.state && std::ranges::all_of(effects, [&](const Effects& each) {
               return each.times <= other.changes(each.handle);
             });
    }
    bool knows_answers_of(const Configuration& other) const {
      auto own = fates.begin();
      for (const Fate& fate : other.fates) {
        while (own != fates.end() && own->handle < fate.handle) ++own;
        auto same = own;
        while (same != fates.end() && same->handle == fate.handle && !(*same == fate)) ++same;
        if (same == fates.end() || same->handle != fate.handle) return false;
      }
      return true;
    }
  };

  void spend(std::size_t steps) {
    steps_ += steps;
    if (steps_ > limits_.steps) give_up(SearchLimit::steps);
  }
  void give_up(SearchLimit limit) {
    if (!undecided()) limit_ = limit;
  }

  auto find(Handle handle) {
    const auto op = std::ranges::find(open_, handle, &Open::handle);
    PHOTON_CHECK(op != open_.end(), "what is asked about has been called");
    return op;
  }

  template <class Change>
  void rebuild(Change&& change) {
    const PooledVector<Configuration> before = std::exchange(configurations_, {});
    for (Configuration configuration : before) {
      spend(configuration.fates.size());
      change(configuration);
      add(configurations_, std::move(configuration));
      if (undecided()) break;
    }
    keep_only(configurations_);
  }

  // The others are dropped: their bytes do not count any more.
  void keep_only(PooledVector<Configuration>& configurations) {
    if (undecided()) configurations = {};
    bytes_ = 0;
    for (const Configuration& each : configurations) bytes_ += each.bytes();
  }

  void add(PooledVector<Configuration>& to, Configuration configuration) {
    for (const Configuration& known : to) {
      spend(1 + known.effects.size());
      if (undecided()) return;
      if (!known.has_more_to_come(configuration)) continue;
      spend(known.fates.size());
      if (known.knows_answers_of(configuration)) return;
    }
    if (to.size() == limits_.configurations) give_up(SearchLimit::configurations);
    bytes_ += configuration.bytes();
    most_bytes_ = std::max(most_bytes_, bytes_);
    if (bytes_ > limits_.bytes) give_up(SearchLimit::bytes);
    if (!undecided()) to.push_back(std::move(configuration));
  }

  // Records the answers of the open operations in this state, if they left it unchanged. Both the
  // operations and the answers are in the order of the handles.
  void look_around(Configuration& configuration) {
    spend(open_.size() + configuration.fates.size());
    const PooledVector<Fate> before = std::exchange(configuration.fates, {});
    auto& fates = configuration.fates;
    fates.reserve(before.size() + open_.size());
    auto known = before.begin();
    for (const Open& op : open_) {
      const auto first = known;
      while (known != before.end() && known->handle == op.handle) fates.push_back(*known++);
      if (!op.awaited || !configuration.can_change(op)) continue;
      const auto begin = static_cast<std::ptrdiff_t>(fates.size()) - (known - first);
      detail::each_outcome<Model>(
          configuration.state, op.input, [&](const State& after, Output output) {
            const Fate fate{op.handle, Effect::none, std::move(output)};
            if (!(after == configuration.state)) return;
            if (std::find(fates.begin() + begin, fates.end(), fate) == fates.end()) {
              fates.push_back(fate);
            }
          });
    }
    PHOTON_CHECK(known == before.end(), "answers are of open operations");
  }

  // Adds the configurations after one more copy of `op` took effect in `here`, and changed the
  // state.
  void add_effect(PooledVector<Configuration>& to, const Configuration& here, const Open& op) {
    detail::each_outcome<Model>(here.state, op.input, [&](State after, Output output) {
      if (undecided() || after == here.state) return;
      Configuration there = here;
      there.state = std::move(after);
      there.add_effects(op.handle, 1);
      // With the last of them no copy remains that could have changed nothing.
      if (!there.can_change(op)) {
        std::erase_if(there.fates, [&](const Fate& each) {
          return each.handle == op.handle && each.effect == Effect::none;
        });
      }
      if (op.awaited) there.note({op.handle, Effect::changed, std::move(output)});
      look_around(there);
      add(to, std::move(there));
    });
  }

  // What remains of the configurations when `handle` has answered `output`.
  PooledVector<Configuration> explain(Handle handle, const Output& output) {
    const Open returning = *find(handle);
    const bool reads = Model::is_read(returning.input);
    PooledVector<Configuration> reached;
    PooledVector<Configuration> explained;
    for (Configuration configuration : configurations_) {
      if (undecided()) break;
      look_around(configuration);
      add(reached, std::move(configuration));
    }
    for (std::size_t next = 0; next < reached.size() && !undecided(); ++next) {
      const bool by_effect = reached[next].answered(handle, Effect::changed, output);
      const bool by_none = reached[next].answered(handle, Effect::none, output);
      if (by_effect) add(explained, without(reached[next], handle, 1));
      if (by_none) add(explained, without(reached[next], handle, 0));
      // Effects of other operations may also come later; only its own effect decides here.
      if (by_effect || (by_none && reads)) continue;
      if (!reached[next].can_change(returning)) continue;  // none is left that could answer
      const Configuration here = reached[next];            // which moves when others are added
      for (const Open& other : open_) {
        spend(1 + here.effects.size());
        if (undecided()) break;
        if (here.can_change(other)) add_effect(reached, here, other);
      }
    }
    reached = {};
    keep_only(explained);
    return explained;
  }

  // After a copy of the operation has answered: it is removed, together with its effect, if it had
  // one.
  Configuration without(const Configuration& reached, Handle handle, std::uint32_t effects) {
    spend(reached.fates.size());
    Configuration answered = reached;
    answered.drop(handle);
    const std::uint32_t changes = answered.take_effects(handle) - effects;
    if (changes > 0) answered.add_effects(handle, changes);
    return answered;
  }

  PooledVector<Open> open_{};
  PooledVector<Configuration> configurations_{};
  Handle last_handle_ = 0;
  OnlineLimits limits_{};
  std::uint64_t steps_ = 0;
  std::uint64_t bytes_ = 0;  // of all configurations that are kept now
  std::uint64_t most_bytes_ = 0;
  SearchLimit limit_ = SearchLimit::none;
};

}  // namespace photon::analysis
