// Faults that models of the environment carry out by themselves: those of input logs and clocks. A
// model knows them before the run, by keys. In the run each is a fault like any other: it has a
// number, begins and ends as an event, and its effect is witnessed when a model reports it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/clocks.h"
#include "models/log_faults.h"
#include "sim/fault_effects.h"
#include "sim/fault_scene.h"

namespace photonsim::scenarios {

// The faults that models receive. Their member `fault` is the key.
struct ModelFaults {
  std::vector<photon::models::PlannedDamage> damages{};
  std::vector<photon::models::PlannedStall> stalls{};
  std::vector<photon::models::PlannedTruncation> truncations{};
  std::vector<photon::models::TrueTimeOutage> truetime{};
  std::vector<photon::models::ClockFault> clocks{};
};

// Receives the effects that models report by keys, and reports them to the run by numbers.
class FaultNumbers final : public photon::sim::FaultEffects {
 public:
  // Before the first event. `run` must outlive the run.
  void bind(std::uint32_t key, std::uint32_t number, photon::sim::FaultEffects& run);
  void took_effect(std::uint32_t key) override;
  bool had_effect(std::uint32_t key) const override;

 private:
  struct Bound {
    std::uint32_t number = 0;
    photon::sim::FaultEffects* run = nullptr;
  };
  const Bound& bound(std::uint32_t key) const;

  std::map<std::uint32_t, Bound> bound_{};  // by key
};

struct ModelledFault {
  static constexpr std::string_view kName = "modelled";  // each has a kind of its own
  std::uint32_t key = 0;
  FaultNumbers* numbers = nullptr;
  std::string concerned{};  // what it concerns, for reports
  photon::DatacenterId where{};

  std::string text(const photon::sim::Topology& /*topology*/) const { return concerned; }
  photon::DatacenterId place(const photon::sim::Topology& /*topology*/) const { return where; }
  void prepare(photon::sim::FaultScene& scene) const {
    numbers->bind(key, scene.fault, scene.effects);
  }
  // The model begins and ends it at the same instants.
  void begin(photon::sim::FaultScene& /*scene*/) const {}
  void end(photon::sim::FaultScene& /*scene*/) const {}
  friend bool operator==(const ModelledFault&, const ModelledFault&) = default;
};

}  // namespace photonsim::scenarios
