// Carries out a run's fault list and notes which faults really bit.
//
// A fault that takes processes down bites when it kills one, or when it keeps one down for longer
// than the other faults would have; the latter is known, and noted, when it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/fault_effects.h"
#include "sim/faults.h"
#include "sim/kernel.h"
#include "sim/tap.h"
#include "sim/topology.h"

namespace photon::sim {

class Network;
class Processes;
class Volumes;

// Says who plays a part in the run now. Deterministic: it decides by what the run has shown so far.
class VictimChooser {
 public:
  VictimChooser() = default;
  VictimChooser(const VictimChooser&) = delete;
  VictimChooser& operator=(const VictimChooser&) = delete;
  virtual ~VictimChooser() = default;
  virtual std::optional<NodeId> choose(const Victim& victim) = 0;
};

class FaultInjector final : public Actor, public FaultEffects {
 public:
  FaultInjector(Kernel& kernel, const Topology& topology, Tap& tap, Processes& processes);

  // Network and volumes are made later than the injector they report to.
  void connect(Network& network, Volumes& volumes);

  void set_faults(std::vector<Fault> faults);
  // Needed by faults with a chosen victim; must outlive the run.
  void set_chooser(VictimChooser& chooser) { chooser_ = &chooser; }
  const std::vector<Fault>& list() const { return faults_; }
  // Begins to inject: schedules one event per fault.
  void start();
  // Ends all that is active and forgets what was to come. A process that was asked to stop is ended
  // when it says so, and started again at once.
  void heal_all();

  bool effective(std::uint32_t fault) const { return effective_[fault] != 0; }

  void took_effect(std::uint32_t fault) override;
  void on_event(Kernel& kernel, const Event& event) override;

 private:
  enum class State : std::uint8_t { waiting, active, over };
  enum class Change : std::uint8_t { began, healed };

  // Where it strikes; of a partition, the first on its side.
  DatacenterId place_of(const Fault& fault) const;
  void begin(std::uint32_t index);
  bool choose_victim(std::uint32_t index);
  bool has_stopped(std::uint32_t index);
  void end(std::uint32_t index);
  void cut_short(std::uint32_t index);
  void let_go(std::uint32_t index, NodeId node);
  template <class Record>
  void record_outage(std::uint32_t index, const Fault& fault);
  void begin_outage(std::uint32_t index, const Fault& fault);
  void end_outage(std::uint32_t index, const Fault& fault);
  void partition(std::uint32_t index, const Fault& fault, Change change);
  void cut(std::uint32_t index, DatacenterId from, DatacenterId to, Change change);

  Kernel& kernel_;
  const Topology& topology_;
  Tap& tap_;
  Processes& processes_;
  Network* network_ = nullptr;
  Volumes* volumes_ = nullptr;
  VictimChooser* chooser_ = nullptr;
  ActorId self_;
  std::vector<Fault> faults_;
  std::vector<State> state_;
  std::vector<std::uint8_t> effective_;
  bool healed_ = false;
  std::vector<Incarnation> asked_;  // the life that a stop_process fault has asked to stop
};

}  // namespace photon::sim
