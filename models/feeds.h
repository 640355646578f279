// Environment actors: they generate clicks, make logs readable and step clocks.
//
// Each keeps one wake-up pending: its next change (of each host's clock). Records:
// trace::ClickGenerated per click, trace::LogVisible per change of a file's readable length in one
// datacenter, trace::InputDamaged per record that comes damaged, trace::FaultEffect when a clock
// fault or an outage of TrueTime ends that took effect, trace::ClockStepped per step. The effects
// of faults of the logs are in input_logs.h.
#pragma once

#include "models/clocks.h"
#include "models/input_logs.h"
#include "models/workload.h"
#include "sim/environment.h"
#include "sim/fault_effects.h"

namespace photon::models {

class ClickFeed final : public sim::EnvironmentActor {
 public:
  explicit ClickFeed(Workload& workload) : workload_(workload) {}

  void on_start(sim::Environment& environment) override;
  void on_wake(sim::Environment& environment, std::uint64_t argument) override;
  std::uint64_t generated() const { return generated_; }

 private:
  void arm(sim::Environment& environment);

  Workload& workload_;
  std::optional<GeneratedClick> next_;
  std::uint64_t generated_ = 0;
};

// Reports, when an outage of TrueTime ends, and no later than at `end`, whether it took effect.
class TrueTimeFeed final : public sim::EnvironmentActor {
 public:
  TrueTimeFeed(const HostClocks& clocks, SimTime end, sim::FaultEffects& effects)
      : clocks_(clocks), end_(end), effects_(effects) {}

  void on_start(sim::Environment& environment) override;
  void on_wake(sim::Environment& environment, std::uint64_t outage) override;

 private:
  const HostClocks& clocks_;
  SimTime end_;
  sim::FaultEffects& effects_;
};

// Reports the steps of a host's calendar clock.
class ClockFeed final : public sim::EnvironmentActor {
 public:
  struct Place {
    sim::HostId host{};
    DatacenterId datacenter{};
  };
  ClockFeed(const HostClocks& clocks, std::vector<Place> places)
      : clocks_(clocks), places_(std::move(places)), next_(places_.size()) {}

  void on_start(sim::Environment& environment) override;
  void on_wake(sim::Environment& environment, std::uint64_t place) override;

 private:
  void arm(sim::Environment& environment, std::size_t place);

  const HostClocks& clocks_;
  std::vector<Place> places_;
  std::vector<std::optional<HostClocks::Step>> next_;  // per place, if one is near
};

// Reports when a clock fault sets a host's calendar clock, and, at its end, whether it took effect.
class ClockFaultFeed final : public sim::EnvironmentActor {
 public:
  // `places`: hosts of processes.
  ClockFaultFeed(const HostClocks& clocks, std::vector<ClockFeed::Place> places,
                 sim::FaultEffects& effects)
      : clocks_(clocks), places_(std::move(places)), effects_(effects) {}

  void on_start(sim::Environment& environment) override;
  void on_wake(sim::Environment& environment, std::uint64_t moment) override;

 private:
  const HostClocks& clocks_;
  std::vector<ClockFeed::Place> places_;
  sim::FaultEffects& effects_;
};

// Moves the readable part of one datacenter's input logs forward.
class ShippingFeed final : public sim::EnvironmentActor {
 public:
  // `effects` receives the faults that readers of the logs meet.
  ShippingFeed(InputLogs& logs, DatacenterId datacenter, sim::FaultEffects& effects)
      : logs_(logs), datacenter_(datacenter), effects_(effects) {}

  void on_start(sim::Environment& environment) override;
  void on_wake(sim::Environment& environment, std::uint64_t argument) override;
  // True once every byte that will ever be generated can be read here.
  bool finished() { return !logs_.copies().next().has_value(); }

 private:
  void arm(sim::Environment& environment);

  InputLogs& logs_;
  DatacenterId datacenter_;
  sim::FaultEffects& effects_;
};

}  // namespace photon::models
