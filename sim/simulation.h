// One run: a topology, models, processes, environment and faults under the kernel.
//
//   Simulation run(topology, models, options, observers);
//   run.set_factory(node, [] { return std::make_unique<Joiner>(...); });
//   run.attach(input_logs, external_volume);
//   Environment& acts = run.add(environment_actor);
//   run.set_faults(faults);
//   run.start();
//   run.run_until(end of generation);  run.heal_all();  run.run_until(...)   in slices, J-P0
//
// A failed check inside run_until, start or heal_all throws CheckFailed and ends this run: the
// object may then only be inspected and destroyed. The borrowed models, sinks, actors, the
// chooser and the probe must outlive it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core_impl/runtime/context.h"
#include "sim/check_failed.h"
#include "sim/environment.h"
#include "sim/fault.h"
#include "sim/fault_injector.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/processes.h"
#include "sim/quiet_rounds.h"
#include "sim/tap.h"
#include "sim/topology.h"
#include "sim/use_meter.h"
#include "sim/volumes.h"

namespace photon::sim {

struct Models {
  const DelayModel& delays;
  const ClockModel& clocks;
  const StorageModel& storage;
};

struct Observers {
  trace::Sink* sink = nullptr;
  StorageProjector* projector = nullptr;
};

struct Options {
  std::uint64_t seed = 0;
  LinkFaults links{};  // of every pair of datacenters; single pairs through network().set_link
  Duration unavailable_after = std::chrono::milliseconds(500);
  Duration sample_interval{};  // between records of the use of resources; 0: there are none
  bool shuffle_ties = false;   // events of equal time have another order, drawn from the seed
  Duration tick{1};            // events happen at multiples of it only
  IdleRounds idle_rounds = IdleRounds::carried_out;
};

class Simulation final {
 public:
  // The topology is complete: no process, host or volume is added later.
  Simulation(Topology topology, const Models& models, const Options& options,
             const Observers& observers);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  // Before start(). Every process needs a factory; every input log volume needs its content.
  void set_factory(NodeId node, NodeFactory factory);
  void attach(VolumeId volume, ExternalVolume& external) { volumes_.attach(volume, external); }
  // Returns the handle through which the actor acts; it is also passed to each call of it.
  Environment& add(EnvironmentActor& actor);
  void set_faults(std::vector<Fault> faults) { injector_.set_faults(std::move(faults)); }
  void set_service_times(ServiceTimes times) { processes_.set_service_times(std::move(times)); }
  void set_chooser(VictimChooser& chooser) { injector_.set_chooser(chooser); }
  void set_probe(const Probe& probe) { injector_.set_probe(probe); }

  // Records Phase::started, starts every process at the current time in id order and every
  // environment actor, schedules the faults.
  void start();
  // Runs everything up to and including `limit`; returns the number of events dispatched. Ends
  // early after kernel().stop(), and after `most` events. Call it in slices to check a condition
  // in between.
  std::uint64_t run_until(SimTime limit,
                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  // Between two events: every draw of the simulator from here on comes from another seed. What was
  // drawn before stays: messages under way, requests in service, the list of faults, the order of
  // ties, and which bytes a fault damages.
  void renew(std::uint64_t seed);
  // Ends every fault as heal_all does, and begins others that last until heal_all. The
  // phase continues.
  void heal_but(std::vector<Fault> lasting);
  // Carries out what was left out so far (quiet_rounds.h): before counters are read.
  void catch_up();
  // J-P0: ends every fault, drops the later ones, heals the network, restarts all processes that
  // are down, and records Phase::faults_ended.
  void heal_all();
  void mark_phase(trace::Phase phase);

  SimTime now() const { return kernel_.now(); }
  std::uint64_t events() const { return kernel_.events(); }
  std::uint64_t fingerprint() const { return kernel_.fingerprints().value(); }
  Kernel& kernel() { return kernel_; }
  Network& network() { return network_; }
  Volumes& volumes() { return volumes_; }
  const Network& network() const { return network_; }
  const Volumes& volumes() const { return volumes_; }
  Tap& tap() { return tap_; }
  const Topology& topology() const { return topology_; }
  const FaultInjector& faults() const { return injector_; }
  Processes& processes() { return processes_; }
  const QuietRounds& rounds() const { return rounds_; }
  std::uint64_t seed() const { return seed_; }

 private:
  const Topology topology_;
  std::uint64_t seed_;
  Duration sample_interval_;
  Kernel kernel_;
  Tap tap_;
  UseMeter meter_;
  Processes processes_;
  FaultInjector injector_;
  Slowness slowness_;
  Network network_;
  Volumes volumes_;
  QuietRounds rounds_;
  std::vector<std::unique_ptr<Environment>> environment_;
  bool started_ = false;
};

}  // namespace photon::sim
