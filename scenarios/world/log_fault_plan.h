// What a scenario orders for its logs and its output: damage, stalls, lost records, how long output
// stays, and clocks: those of the servers that write the logs, and of processes. These faults are
// numbered far behind those of the simulator (fault_plan.h), in this order: [[faults.log_damage]],
// [[faults.log_stall]], [[faults.log_truncation]], [[faults.output_loss]],
// [[faults.truetime_outage]], [[faults.clock]].
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core_impl/trace/pipeline.h"
#include "models/clocks.h"
#include "models/log_faults.h"
#include "scenarios/language/config.h"
#include "scenarios/world/deployment.h"
#include "sim/environment.h"
#include "sim/volumes.h"

namespace photonsim::scenarios {

struct LogFaultPlan {
  std::vector<photon::models::DamageOrder> damages{};
  std::vector<photon::models::StallOrder> stalls{};
  std::vector<photon::models::TruncationOrder> truncations{};
  std::vector<photon::models::TrueTimeOutage> truetime{};
  std::vector<photon::models::ClockFault> clocks{};
  std::uint32_t first_fault = 0;  // number of the first of all
  std::uint32_t first_loss = 0;   // number of the first [[faults.output_loss]]
  struct LogFault {
    std::string_view kind{};  // "log_damage", ...
    std::string text{};       // for people
    photon::SimTime at{};
  };
  std::vector<LogFault> facts{};  // by number of the fault, from first_fault on
};

// `first_fault`: above the numbers of the simulator's faults.
LogFaultPlan log_fault_plan(const Config& config, const Deployment& deployment,
                            std::uint32_t first_fault);

// Makes cells lose joined records that are durable, drawn at random from those that are there; some
// losses are taken back later. Records: trace::OutputLost for each; one that is there again is
// durable once more (sim/volumes.h).
class OutputLoss final : public photon::sim::EnvironmentActor {
 public:
  struct Order {
    std::uint32_t fault = 0;
    photon::DatacenterId datacenter{};
    photon::VolumeId cell{};
    photon::SimTime at{};
    std::uint64_t records = 0;
    std::optional<Duration> returns_after{};
  };
  OutputLoss(std::uint64_t seed, photon::sim::Volumes& volumes, std::vector<Order> plan)
      : seed_(seed),
        volumes_(volumes),
        plan_(std::move(plan)),
        lost_(plan_.size()),
        done_(plan_.size()) {}

  void on_start(photon::sim::Environment& environment) override;
  // `moment`: the number of an order, or, behind them all, of one whose records return.
  void on_wake(photon::sim::Environment& environment, std::uint64_t moment) override;
  // A loss that is to be taken back counts when it is.
  bool had_effect(std::uint32_t fault) const;

 private:
  struct Stored {
    photon::FileName file{};
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    photon::trace::OutputLost fact{};
    std::uint64_t rank = 0;
  };
  std::vector<Stored> records_of(const Order& order);
  void lose(photon::sim::Environment& environment, std::uint64_t order);
  void give_back(photon::sim::Environment& environment, std::uint64_t order);

  std::uint64_t seed_;
  photon::sim::Volumes& volumes_;
  std::vector<Order> plan_;
  // By order: the records that are lost; and whether it has done all that it is to do.
  std::vector<std::vector<Stored>> lost_;
  std::vector<bool> done_;
};

std::vector<OutputLoss::Order> output_losses(const Config& config, const Deployment& deployment,
                                             std::uint32_t first_loss);

// Joined records leave the cells some time after they were written, as if their readers had taken
// them: between `keep` and twice that (cell.keep_output).
class OutputRetention final : public photon::sim::EnvironmentActor {
 public:
  OutputRetention(photon::sim::Volumes& volumes, std::vector<photon::VolumeId> cells, Duration keep)
      : volumes_(volumes), cells_(std::move(cells)), keep_(keep) {}

  void on_start(photon::sim::Environment& environment) override;
  void on_wake(photon::sim::Environment& environment, std::uint64_t argument) override;

 private:
  photon::sim::Volumes& volumes_;
  std::vector<photon::VolumeId> cells_;
  Duration keep_;
  // How long each file was at the last look.
  std::map<std::pair<photon::VolumeId, photon::FileName>, std::uint64_t> before_;
};

}  // namespace photonsim::scenarios
