// The registry's answers that were lost, its new disks and the lag of its boundaries, beside a
// second computation from the raw trace.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/trace/consensus.h"
#include "scenarios/world/calendar.h"
#include "tests/scenarios/recount/recounts.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;
using trace::Kind;

// Attempts whose OK was sent, and had not arrived when they asked again or when the trace ended.
double lost_replies(const Trace& run) {
  double count = 0;
  for (const auto& [of, attempt] : run.facts.tries) {
    if (!attempt.ok_sent) continue;
    const Place arrived = attempt.answered(trace::RegistryCode::inserted);
    bool lost = arrived == kNowhere;
    for (const Place asked : attempt.asked) {
      const bool after = run.records[asked].header.at > run.records[*attempt.ok_sent].header.at;
      lost = lost || (after && asked < arrived);
    }
    count += lost ? 1 : 0;
  }
  return count;
}

// Slots of each group that were applied with a value that admits a disk.
double disks_admitted(const Trace& run) {
  std::set<std::pair<std::uint32_t, std::uint64_t>> values, slots;
  for (const trace::Record& record : run.records) {
    if (record.header.kind != Kind::paxos_admission) continue;
    if (record.header.source != trace::Source::durable) continue;
    const auto& admission = record.as<trace::PaxosAdmission>();
    values.insert({admission.group.value(), admission.value_hash});
  }
  for (const trace::Record& record : run.records) {
    if (record.header.kind != Kind::slot_applied) continue;
    const auto& applied = record.as<trace::SlotApplied>();
    if (!values.contains({applied.group.value(), applied.value_hash})) continue;
    slots.insert({applied.group.value(), applied.slot});
  }
  return static_cast<double>(slots.size());
}

// The lag of one shard's boundary: true time - N less the boundary.
struct Lag {
  struct Move {
    std::int64_t at = 0, boundary = 0;
  };
  std::map<std::uint64_t, Move> moves{};  // by slot, as the first replica applied it
};

Figures boundary_lag(const Trace& run) {
  std::map<std::uint32_t, Lag> shards;
  std::int64_t finished = 0;
  for (const trace::Record& record : run.records) {
    const std::int64_t at = photon::nanoseconds_of(record.header.at);
    if (record.header.kind == Kind::run_phase) {
      if (record.as<trace::RunPhase>().phase == trace::Phase::finished) finished = at;
    } else if (record.header.kind == Kind::boundary_moved) {
      const auto& moved = record.as<trace::BoundaryMoved>();
      auto& moves = shards[moved.shard.value()].moves;
      // A replica that was left behind applies what others applied long ago.
      moves.try_emplace(moved.slot, Lag::Move{at, photon::nanoseconds_of(moved.boundary)});
    }
  }
  const std::int64_t due = scenarios::kCalendarEpoch.count() - run.config.registry.gc_age.count();
  double area = 0, time = 0, greatest = 0;
  for (const auto& [shard, lag] : shards) {
    for (auto move = lag.moves.begin(); move != lag.moves.end(); ++move) {
      const auto next = std::next(move);
      const std::int64_t until = next == lag.moves.end() ? finished : next->second.at;
      const double begin = static_cast<double>(move->second.at + due - move->second.boundary) / 1e9;
      const double end = static_cast<double>(until + due - move->second.boundary) / 1e9;
      const double length = static_cast<double>(until - move->second.at) / 1e9;
      area += length * (begin + end) / 2;
      time += length;
      greatest = std::max(greatest, end);
    }
  }
  return {{"registry.boundary_lag_mean", time > 0 ? area / time : 0},
          {"registry.boundary_lag_max", greatest}};
}

}  // namespace

Figures registry_faults_again(const Trace& run) {
  Figures figures = boundary_lag(run);
  figures["registry.lost_replies"] = lost_replies(run);
  figures["registry.disks_admitted"] = disks_admitted(run);
  return figures;
}

}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: lost answers, admitted disks and boundaries are those of the raw trace") {
  check_runs({{"scenarios/fault_kinds.toml", {}},
              {"scenarios/lost_answers.toml", {}},
              {"scenarios/corner/BC-28.toml", {}},
              {"scenarios/corner/BC-31.toml", {}},
              {"scenarios/registry/campaign_three.toml", {}},
              {"tests/mutants/scenarios/lost_disks.toml", {}},
              {"tests/mutants/scenarios/gc_regress.toml", {}}},
             registry_faults_again,
             {"registry.lost_replies", "registry.disks_admitted", "registry.boundary_lag_mean",
              "registry.boundary_lag_max"});
}
