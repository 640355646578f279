// What a fault does: a value that holds any one struct with these members.
//   kName                 the kind, unless the fault says otherwise
//   text(topology)        its targets, for reports
//   place(topology)       the datacenter where its effect is recorded
//   begin(scene)          begins
//   end(scene)            ends
//   operator==
// and, where it needs them,
//   prepare(scene)        the run begins, and the fault begins at some later time
//   ready(scene)          may it begin now, later or never? It may keep what it has found
//   under_way()           it waits for something that heal_all cannot cancel
//   cut_short(scene)      heal_all ends it before its time; end(scene) follows
// A new kind of fault needs no change here: structs of the simulator are in *_faults.h and
// outage.h, others outside sim/.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"
#include "sim/fault_scene.h"
#include "sim/topology.h"

namespace photon::sim {

class Action {
 public:
  Action() = default;
  template <class Act>
  requires(!std::same_as<std::remove_cvref_t<Act>, Action>) Action(Act act)
      : held_(std::make_unique<Holder<Act>>(std::move(act))) {}  // NOLINT: a value
  Action(const Action& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  Action(Action&&) noexcept = default;
  Action& operator=(Action other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~Action() = default;

  // The struct inside, if it is one of that type.
  template <class Act>
  Act* get_if() {
    auto* const holder = dynamic_cast<Holder<Act>*>(held_.get());
    return holder == nullptr ? nullptr : &holder->act;
  }
  template <class Act>
  const Act* get_if() const {
    const auto* const holder = dynamic_cast<const Holder<Act>*>(held_.get());
    return holder == nullptr ? nullptr : &holder->act;
  }
  // Requires that it is.
  template <class Act>
  const Act& as() const {
    const Act* const found = get_if<Act>();
    PHOTON_CHECK(found != nullptr, "the action is of the type that is asked for");
    return *found;
  }

  // All of these require an action.
  std::string_view name() const { return held_->name(); }
  std::string text(const Topology& topology) const { return held_->text(topology); }
  DatacenterId place(const Topology& topology) const { return held_->place(topology); }
  void prepare(FaultScene& scene) const { held_->prepare(scene); }
  Readiness ready(FaultScene& scene) { return held_->ready(scene); }
  void begin(FaultScene& scene) const { held_->begin(scene); }
  void end(FaultScene& scene) const { held_->end(scene); }
  bool under_way() const { return held_->under_way(); }
  void cut_short(FaultScene& scene) const { held_->cut_short(scene); }

  friend bool operator==(const Action& one, const Action& other) {
    if (!one.held_ || !other.held_) return one.held_ == other.held_;
    return one.held_->equals(*other.held_);
  }

 private:
  struct Held {
    Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual bool equals(const Held& other) const = 0;
    virtual std::string_view name() const = 0;
    virtual std::string text(const Topology& topology) const = 0;
    virtual DatacenterId place(const Topology& topology) const = 0;
    virtual void prepare(FaultScene& scene) const = 0;
    virtual Readiness ready(FaultScene& scene) = 0;
    virtual void begin(FaultScene& scene) const = 0;
    virtual void end(FaultScene& scene) const = 0;
    virtual bool under_way() const = 0;
    virtual void cut_short(FaultScene& scene) const = 0;
  };

  template <class Act>
  struct Holder final : Held {
    explicit Holder(Act value) : act(std::move(value)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Holder>(act); }
    bool equals(const Held& other) const override {
      const auto* const same = dynamic_cast<const Holder*>(&other);
      return same != nullptr && same->act == act;
    }
    std::string_view name() const override { return act.kName; }
    std::string text(const Topology& topology) const override { return act.text(topology); }
    DatacenterId place(const Topology& topology) const override { return act.place(topology); }
    void prepare(FaultScene& scene) const override {
      if constexpr (requires { act.prepare(scene); }) act.prepare(scene);
    }
    Readiness ready(FaultScene& scene) override {
      if constexpr (requires { act.ready(scene); }) return act.ready(scene);
      return Readiness::now;
    }
    void begin(FaultScene& scene) const override { act.begin(scene); }
    void end(FaultScene& scene) const override { act.end(scene); }
    bool under_way() const override {
      if constexpr (requires { act.under_way(); }) return act.under_way();
      return false;
    }
    void cut_short(FaultScene& scene) const override {
      if constexpr (requires { act.cut_short(scene); }) act.cut_short(scene);
    }
    Act act;
  };

  std::unique_ptr<Held> held_{};
};

}  // namespace photon::sim
