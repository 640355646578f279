#include "analysis/results/campaign_run.h"

#include "analysis/corner_cases/corner_case.h"

namespace photon::analysis {

Counts campaign_counts(const Summary& summary) {
  const RegistryFigures& registry = summary.registry;
  Counts counts{{"generated", summary.generated},
                {"joined", summary.joined},
                {"duplicates", summary.duplicates},
                {"lost", summary.lost_total()},
                {"never_joinable", summary.never_joinable_total()},
                {"borderline", summary.borderline},
                {"pending", summary.pending},
                {"wasted_joins", summary.wasted_joins},
                {"joiner_crashes", summary.joiner_ends.crashes},
                {"lost_with_joiners", summary.joiner_ends.lost},
                {"taken_from_dead_joiners", summary.joiner_ends.returned},
                {"in_their_windows", summary.joiner_ends.window},
                {"ids_removed", summary.recovery.removals},
                {"clicks_returned", summary.recovery.returned},
                {"clicks_recovered", summary.recovery.recovered},
                {"operations", summary.load.operations},
                {"answered", summary.load.answered},
                {"abandoned", summary.load.abandoned}};
  for (const std::string_view name : loss_classes()) {
    counts.emplace_back(name, count_of(summary.lost, name));
  }
  for (const std::string_view code : load_codes()) {
    counts.emplace_back(code, count_of(summary.load.codes, code));
  }
  const Counts more{{"transactions", registry.transactions},
                    {"elections", registry.elections},
                    {"failovers", registry.failovers},
                    {"lost_replies", registry.lost_replies},
                    {"reshards", registry.reshards},
                    {"reshards_cancelled", registry.reshards_cancelled},
                    {"collections", registry.collections},
                    {"ids_collected", registry.ids_collected},
                    {"boundaries_watched", summary.boundaries_watched},
                    {"snapshots", registry.snapshots},
                    {"disks_replaced", registry.disks_replaced},
                    {"disks_admitted", registry.disks_admitted},
                    {"process_crashes", summary.process_crashes},
                    {"faults_effective", summary.faults_effective},
                    {"undecided_ids", summary.undecided_ids},
                    {"core_demands", summary.core_demands},
                    {"runs_with_a_core", summary.core_demands > 0 ? 1U : 0U},
                    {"excused_stalls", summary.stall_excused ? 1U : 0U},
                    {"messages_sent", count_of(summary.network, "sent")},
                    {"messages_lost", count_of(summary.network, "lost")},
                    {"messages_duplicated", count_of(summary.network, "duplicated")},
                    {"messages_reordered", count_of(summary.network, "reordered")},
                    {"messages_cut", count_of(summary.network, "cut")}};
  counts.insert(counts.end(), more.begin(), more.end());
  counts.insert(counts.end(), summary.corner_cases.begin(), summary.corner_cases.end());
  return counts;
}

std::vector<std::string> plain_count_names() {
  std::vector<std::string> found;
  for (const auto& [name, count] : campaign_counts(Summary{})) found.push_back(name);
  return found;
}

std::vector<std::string> campaign_count_names() {
  std::vector<std::string> all = plain_count_names();
  for (const CornerRow& row : corner_rows()) all.emplace_back(row.name);
  return all;
}

}  // namespace photon::analysis
