#include "scenarios/world/operation_report.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "core_impl/base/check.h"
#include "core_impl/paxos/master_mover.h"
#include "core_impl/photon/dispatcher/state_operator.h"
#include "core_impl/photon/sharding/sharding_operator.h"
#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"

namespace photonsim::scenarios {
namespace {

using photon::ShardingCode;
using photon::paxos::MoveOutcome;

// How an operation ended, and in words why.
template <class End>
struct Ending {
  End end{};
  std::string_view words{};
};

// `End::kAny` where nothing is known: neither done nor anything else that can be expected.
Ending<ReshardEnd> ending(const std::optional<ShardingCode>& outcome, bool restarted) {
  if (!outcome) {
    return {ReshardEnd::kAny, restarted ? "its operator died before it had an answer"
                                        : "it had no answer yet when the run ended"};
  }
  switch (*outcome) {
    case ShardingCode::ok:
      return {ReshardEnd::kDone, "it is in force"};
    case ShardingCode::cancelled:
      return {ReshardEnd::kRefused, "cancelled, it was announced too late to be confirmed"};
    case ShardingCode::too_early:
      return {ReshardEnd::kRefused, "refused, it would have started too early"};
    case ShardingCode::refused:
      return {ReshardEnd::kRefused, "refused, it would have changed nothing or the past"};
    case ShardingCode::conflict:
    case ShardingCode::undecided:
    case ShardingCode::not_master:
      break;
  }
  PHOTON_CHECK(false, "an operator asks again until there is a definitive answer");
  return {};
}

Ending<MoveEnd> ending(const std::optional<MoveOutcome>& outcome, bool elected) {
  if (!outcome) return {MoveEnd::kAny, "it was under way when the run ended"};
  if (*outcome == MoveOutcome::given_up) return {MoveEnd::kGivenUp, "given up"};
  if (!elected) return {MoveEnd::kAny, "the master was there already"};
  return {MoveEnd::kDone, "done"};
}

template <class End>
bool as_expected(End expected, End end) {
  return expected == End::kAny || expected == end;
}

std::string_view name_of(ReshardEnd end) {
  switch (end) {
    case ReshardEnd::kDone:
      return "done";
    case ReshardEnd::kRefused:
      return "refused";
    case ReshardEnd::kAny:
      break;
  }
  return "any";
}

std::string_view name_of(MoveEnd end) { return end == MoveEnd::kDone ? "done" : "given_up"; }

// Null while the process is down.
template <class NodeType>
const NodeType* node_of(photon::sim::Simulation& simulation, photon::NodeId id) {
  return dynamic_cast<const NodeType*>(simulation.processes().at(id).woken_node());
}

// Takes down how an operation ended, and whether it should have ended otherwise.
template <class End>
void put(const std::string& what, const Ending<End>& ending, End expected,
         OperationReport& report) {
  report.ends.push_back(fmt::format("{}: {}", what, ending.words));
  if (as_expected(expected, ending.end)) return;
  report.unexpected.push_back(
      expected == End::kDone
          ? report.ends.back()
          : fmt::format("{}; expected: {}", report.ends.back(), name_of(expected)));
}

void report_reshards(const Config& config, const Deployment& deployment,
                     photon::sim::Simulation& simulation, OperationReport& report) {
  for (std::size_t i = 0; i < deployment.operators.size(); ++i) {
    const ReshardOperation& planned = config.operations.reshards[i];
    const photon::NodeId node = deployment.operators[i];
    const auto* found = node_of<photon::ShardingOperator>(simulation, node);
    const bool restarted = simulation.processes().at(node).incarnation().value() > 1;
    const auto end = ending(found == nullptr ? std::nullopt : found->outcome(), restarted);
    put(fmt::format("reshard to {} at {}", planned.shards, format_duration(planned.at)), end,
        planned.expect, report);
  }
}

void report_moves(const Config& config, const Deployment& deployment, const MasterWatch& masters,
                  photon::sim::Simulation& simulation, OperationReport& report) {
  for (std::size_t i = 0; i < deployment.movers.size(); ++i) {
    const MoveMasterOperation& planned = config.operations.moves[i];
    const auto group = static_cast<std::uint32_t>(*group_number(config, planned.group));
    const auto& replicas = config.registry.replicas;
    const auto place = std::ranges::find(replicas, planned.to) - replicas.begin();
    const photon::NodeId target = deployment.group(group)[static_cast<std::size_t>(place)].node;
    // The operator uses its own clock.
    const photon::SimTime asked(planned.at - config.clocks.epsilon);
    const auto* found = node_of<photon::paxos::MasterMover>(simulation, deployment.movers[i]);
    const auto end = ending(found == nullptr ? std::nullopt : found->outcome(),
                            masters.elected_since(group, target, asked));
    put(fmt::format("move of the master of {} to {} at {}", planned.group, planned.to,
                    format_duration(planned.at)),
        end, planned.expect, report);
  }
}

void report_forgets(const Config& config, const Deployment& deployment,
                    photon::sim::Simulation& simulation, OperationReport& report) {
  for (std::size_t i = 0; i < deployment.forgetters.size(); ++i) {
    const ForgetStateOperation& planned = config.operations.forgets[i];
    const auto* found = node_of<photon::StateOperator>(simulation, deployment.forgetters[i]);
    const std::string what = fmt::format("state of the dispatchers of {} to be forgotten at {}",
                                         planned.datacenter, format_duration(planned.at));
    if (found == nullptr || !found->outcome()) {
      report.ends.push_back(what +
                            ": its operator crashed, or had not finished when the run ended");
    } else if (found->outcome()->bytes == 0) {
      report.ends.push_back(what + ": the logs were empty, so nothing was skipped");
    } else {
      report.ends.push_back(fmt::format("{}: {} bytes of {} files were skipped", what,
                                        photon::analysis::grouped(found->outcome()->bytes),
                                        photon::analysis::grouped(found->outcome()->files)));
      continue;
    }
    report.unexpected.push_back(report.ends.back());
  }
}

}  // namespace

OperationReport report_operations(const Config& config, const Deployment& deployment,
                                  const MasterWatch& masters, photon::sim::Simulation& simulation) {
  OperationReport report;
  report_reshards(config, deployment, simulation, report);
  report_moves(config, deployment, masters, simulation, report);
  report_forgets(config, deployment, simulation, report);
  return report;
}

}  // namespace photonsim::scenarios
