// Is the history of one key linearizable so far? The generic procedure for a running system.
//
//   OnlineCheck<Model> check;
//   const auto op = check.call(input);        // when an operation is called
//   if (!check.returned(op, output)) ...      // when it returns: no order explains the answers
//
// Keeps the configurations that explain all answers so far: the state of the model, which of the
// open operations have changed it, and which answers the others could have had in the states that
// were passed through since their calls. When an operation returns, open ones are let take effect
// only as far as its answer needs it (just-in-time linearization), and what does not give the
// answer is dropped. An operation that changes nothing never makes a second configuration. Needs of
// the model, beside what check_linearizable asks for:
//
//   static Output answer(State&, const Input&);   // what it answers; changes the state
//   static bool is_read(const Input&);            // never changes it
//
// so the model is deterministic. Memory and work follow the operations that are open at the same
// time, not the history: with none open a configuration is one state. Exponential in those of them
// that can change the state; beyond `kMostConfigurations` the check gives up, accepts everything,
// and says so.
//
// Calls and returns must come in the order of time; at equal times calls first. Indefinite
// operations are never returned. SPEC J-S4; Lowe 2017 for the just-in-time idea. Agrees with
// check_linearizable (property test).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon::analysis {

template <class Model>
class OnlineCheck {
 public:
  using Input = typename Model::Input;
  using Output = typename Model::Output;
  using State = typename Model::State;
  using Handle = std::uint32_t;

  static constexpr std::size_t kMostConfigurations = 2048;

  explicit OnlineCheck(State initial = Model::initial()) {
    configurations_.push_back({std::move(initial), {}});
  }

  Handle call(const Input& input) {
    open_.push_back({++last_handle_, input});
    return last_handle_;
  }

  // False if no order explains this answer after all earlier ones. Nothing can be asked afterwards.
  // `copies` are open operations with the same input, of which any may have given the answer: what
  // the operation itself did is then what that copy was thought to do.
  bool returned(Handle handle, const Output& output, std::span<const Handle> copies = {}) {
    PooledVector<Configuration> explained;
    if (!undecided_) explained = explain(handle, output);
    for (const Handle copy : copies) {
      if (undecided_) break;
      for (Configuration& configuration : explain(copy, output)) {
        for (Fate& fate : configuration.fates) {
          if (fate.handle == handle) fate.handle = copy;
        }
        add(explained, std::move(configuration));
      }
    }
    std::erase_if(open_, [&](const Open& op) { return op.handle == handle; });
    if (undecided_) return true;
    configurations_ = std::move(explained);
    return !configurations_.empty();
  }

  // Leaves an open operation out from now on. Right only for operations that never change the
  // state: of others, whatever effect they may have had so far is kept and no later one allowed.
  void forget(Handle handle) {
    std::erase_if(open_, [&](const Open& op) { return op.handle == handle; });
    const PooledVector<Configuration> before = std::exchange(configurations_, {});
    for (Configuration configuration : before) {
      configuration.drop(handle);
      add(configurations_, std::move(configuration));
    }
  }

  bool undecided() const { return undecided_; }
  std::size_t open() const { return open_.size(); }
  std::size_t configurations() const { return configurations_.size(); }

  // The state, if nothing is open and all explanations end in the same one.
  std::optional<State> settled() const {
    if (undecided_ || !open_.empty() || configurations_.size() != 1) return std::nullopt;
    return configurations_.front().state;
  }

 private:
  struct Open {
    Handle handle = 0;
    Input input{};
  };
  enum class Effect : std::uint8_t { none, changed };
  // An answer that an open operation had, or could have had without changing anything.
  struct Fate {
    Handle handle = 0;
    Effect effect = Effect::none;
    Output output{};
    friend bool operator==(const Fate&, const Fate&) = default;
  };
  struct Configuration {
    State state{};
    PooledVector<Fate> fates{};  // at most one of each operation that changed something

    bool has_changed(Handle handle) const {
      return std::ranges::any_of(fates, [&](const Fate& fate) {
        return fate.handle == handle && fate.effect == Effect::changed;
      });
    }
    bool answered(Handle handle, const Output& output) const {
      return std::ranges::any_of(
          fates, [&](const Fate& fate) { return fate.handle == handle && fate.output == output; });
    }
    void drop(Handle handle) {
      std::erase_if(fates, [&](const Fate& fate) { return fate.handle == handle; });
    }
    // Explains everything that `other` explains.
    bool covers(const Configuration& other) const {
      return state == other.state && std::ranges::all_of(other.fates, [&](const Fate& fate) {
               return std::ranges::find(fates, fate) != fates.end();
             });
    }
  };

  void add(PooledVector<Configuration>& to, Configuration configuration) {
    const auto covered = [&](const Configuration& known) { return known.covers(configuration); };
    if (std::ranges::any_of(to, covered)) return;
    if (to.size() == kMostConfigurations) {
      undecided_ = true;
      return;
    }
    to.push_back(std::move(configuration));
  }

  // Notes what the open operations would answer in this state, if they left it as it is.
  void look_around(Configuration& configuration) const {
    for (const Open& op : open_) {
      if (configuration.has_changed(op.handle)) continue;
      State after = configuration.state;
      Fate fate{op.handle, Effect::none, Model::answer(after, op.input)};
      if (!(after == configuration.state)) continue;
      if (std::ranges::find(configuration.fates, fate) == configuration.fates.end()) {
        configuration.fates.push_back(std::move(fate));
      }
    }
  }

  // What remains of the configurations when `handle` has answered `output`.
  PooledVector<Configuration> explain(Handle handle, const Output& output) {
    const auto op = std::ranges::find(open_, handle, &Open::handle);
    PHOTON_CHECK(op != open_.end(), "what returns has been called");
    const bool reads = Model::is_read(op->input);
    PooledVector<Configuration> reached;
    PooledVector<Configuration> explained;
    for (Configuration configuration : configurations_) {
      look_around(configuration);
      add(reached, std::move(configuration));
    }
    for (std::size_t next = 0; next < reached.size() && !undecided_; ++next) {
      if (reached[next].answered(handle, output)) {
        Configuration answered = reached[next];
        answered.drop(handle);
        add(explained, std::move(answered));
        // What others may do by now they may as well do later; only its own effect is at stake.
        if (reads) continue;
      }
      if (reached[next].has_changed(handle)) continue;
      for (const Open& other : open_) {
        if (reached[next].has_changed(other.handle)) continue;
        Configuration after = reached[next];
        Fate fate{other.handle, Effect::changed, Model::answer(after.state, other.input)};
        if (after.state == reached[next].state) continue;
        after.drop(other.handle);
        after.fates.push_back(std::move(fate));
        look_around(after);
        add(reached, std::move(after));
      }
    }
    return explained;
  }

  PooledVector<Open> open_{};
  PooledVector<Configuration> configurations_{};
  Handle last_handle_ = 0;
  bool undecided_ = false;
};

}  // namespace photon::analysis
