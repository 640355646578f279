// Everything around Photon in one run: network, clocks, storage times, input logs and their feeds.
#pragma once

#include <memory>
#include <vector>

#include "analysis/reports/event_names.h"
#include "core_impl/base/result.h"
#include "models/clocks.h"
#include "models/feeds.h"
#include "models/registry_workload.h"
#include "models/shipping.h"
#include "models/storage.h"
#include "models/tables/input_fault.h"
#include "models/trace_workload.h"
#include "models/wan.h"
#include "models/workload.h"
#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/modelled_fault.h"
#include "scenarios/world/calendar.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {

class Environment {
 public:
  // Fails only on a trace workload whose files are bad.
  static photon::Result<std::unique_ptr<Environment>, photon::models::InputFaults> create(
      const Config& config, const Deployment& deployment, std::uint64_t seed,
      const ModelFaults& faults);

  photon::sim::Models models() const { return {*wan_, *clocks_, *storage_}; }
  // With a registry workload: the operations of all clients, numbered over the sites.
  const photon::models::RegistryWorkload* registry_load() const { return registry_load_.get(); }
  // When the workload ends.
  photon::SimTime end() const {
    return registry_load_ != nullptr ? registry_load_->end() : workload_->end();
  }
  // The end of clicks and faults: not before the stated duration of the run is over.
  photon::SimTime generation_end(const Config& config) const {
    return std::max(end(), photon::SimTime(config.run.duration.value_or(Duration::zero())));
  }
  // Gives the simulation its input logs and its feeds. This object must outlive it.
  void attach(photon::sim::Simulation& simulation, const Deployment& deployment);
  std::uint64_t generated() const { return clicks_ == nullptr ? 0 : clicks_->generated(); }
  // True once everything generated can be read in every pipeline's datacenter.
  bool all_shipped();
  // The numbers of the faults that the models carry out.
  FaultNumbers& numbers() { return numbers_; }
  // That is replayed; null: none.
  const photon::models::TraceLog* log() const {
    return trace_ == nullptr ? nullptr : &trace_->log();
  }
  // Of a replayed log, which this object must outlive; else null.
  std::unique_ptr<photon::analysis::EventNames> names() const;
  // Draws of the workload and of log shipping that are still open come from another seed.
  void renew(std::uint64_t seed);
  // Events that their servers could not name, in the whole run.
  photon::models::UnnamedEvents unnamed() const {
    return workload_ == nullptr ? photon::models::UnnamedEvents{} : workload_->unnamed();
  }

 private:
  Environment() = default;
  void make_models(const Config& config, const Deployment& deployment, std::uint64_t seed,
                   const ModelFaults& faults);
  photon::Result<void, photon::models::InputFaults> make_workload(const Config& config,
                                                                  const Deployment& deployment,
                                                                  std::uint64_t seed);
  void make_logs(const Config& config, const Deployment& deployment, std::uint64_t seed,
                 const ModelFaults& faults);

  FaultNumbers numbers_;
  std::unique_ptr<photon::models::WanModel> wan_;
  std::unique_ptr<photon::models::HostClocks> clocks_;
  std::unique_ptr<photon::models::StorageTimes> storage_;
  // One of the two; without a workload of clicks there are no logs.
  std::unique_ptr<photon::models::Workload> workload_;
  const photon::models::TraceWorkload* trace_ = nullptr;  // the workload, if it is one
  std::unique_ptr<photon::models::RegistryWorkload> registry_load_;
  std::unique_ptr<photon::models::Shipping> shipping_;
  photon::models::LogDamage damage_;
  std::unique_ptr<photon::models::ClickFeed> clicks_;
  std::unique_ptr<photon::models::ClockFeed> clock_steps_;
  std::unique_ptr<photon::models::TrueTimeFeed> truetime_;            // only with outages of it
  std::unique_ptr<photon::models::ClockFaultFeed> clock_faults_;      // only with such
  std::vector<std::unique_ptr<photon::models::InputLogs>> logs_;      // per pipeline
  std::vector<std::unique_ptr<photon::models::ShippingFeed>> feeds_;  // per pipeline
};

}  // namespace photonsim::scenarios
