// Carries out a run's fault list and records which faults took effect.
//
// Each fault has an effect flag, set when it takes effect; the caller reports configured faults
// that are inert (DESIGN 6).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/fault.h"
#include "sim/fault_effects.h"
#include "sim/fault_scene.h"
#include "sim/kernel.h"
#include "sim/tap.h"
#include "sim/topology.h"

namespace photon::sim {

class QuietRounds;

class FaultInjector final : public Actor, public FaultEffects {
 public:
  FaultInjector(Kernel& kernel, const Topology& topology, Tap& tap, Processes& processes);

  // These are created after the injector to which they report.
  void connect(Network& network, Volumes& volumes, Slowness& slowness, QuietRounds& rounds);

  void set_faults(std::vector<Fault> faults);
  // Needed by faults with a chosen victim; must outlive the run.
  void set_chooser(VictimChooser& chooser) { chooser_ = &chooser; }
  // Needed by some faults; must outlive the run.
  void set_probe(const Probe& probe) { probe_ = &probe; }
  const std::vector<Fault>& list() const { return faults_; }
  // Begins to inject: schedules one event per fault.
  void start();
  // Ends all active faults and drops the later ones. A process that was asked to stop is ended when
  // it allows that, and started again at once.
  void heal_all();

  // Begins another fault at once, also after heal_all; the next heal_all ends it.
  void begin_now(Fault fault);

  // Faults that have begun and not ended.
  std::size_t active() const { return active_; }

  bool effective(std::uint32_t fault) const { return effective_[fault] != 0; }

  void took_effect(std::uint32_t fault) override;
  bool had_effect(std::uint32_t fault) const override {
    return fault == kNoFault || effective(fault);
  }
  void on_event(Kernel& kernel, const Event& event) override;

 private:
  enum class State : std::uint8_t { waiting, active, over };

  void prepare(std::uint32_t index);
  FaultScene scene_of(std::uint32_t index);
  void schedule(EventKind kind, std::uint32_t index, SimTime at);
  bool is_ready(std::uint32_t index, FaultScene& scene);
  void begin(std::uint32_t index);
  void end(std::uint32_t index);
  void cut_short(std::uint32_t index);

  Kernel& kernel_;
  const Topology& topology_;
  Tap& tap_;
  Processes& processes_;
  Network* network_ = nullptr;
  Volumes* volumes_ = nullptr;
  Slowness* slowness_ = nullptr;
  QuietRounds* rounds_ = nullptr;
  VictimChooser* chooser_ = nullptr;
  const Probe* probe_ = nullptr;
  ActorId self_;
  std::vector<Fault> faults_;
  std::vector<State> state_;
  std::size_t active_ = 0;
  std::vector<std::uint8_t> effective_;
  std::map<std::uint32_t, std::uint32_t> first_of_series_;  // that took effect
  bool healed_ = false;
};

}  // namespace photon::sim
