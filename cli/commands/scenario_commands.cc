// check and explain: scenarios and names in reports, without a run.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/explain/explain.h"
#include "analysis/explain/mark_texts/mark_texts.h"
#include "analysis/explain/metric_texts.h"
#include "analysis/explain/wrapped.h"
#include "analysis/results/series_metrics.h"
#include "campaigns/mark_tally.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/study_keys.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic_suggest.h"
#include "scenarios/world/trace_facts.h"
#include "scenarios/world/trace_input.h"
#include "scenarios/world/trace_warnings.h"

namespace photonsim::cli {

int check(const CheckCommand& command) {
  const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
  if (!loaded) {
    say(scenarios::format(loaded.diagnostics()));
    return kUsage;
  }
  say(scenarios::format(loaded.warnings()));
  if (loaded.config().workload.kind == scenarios::WorkloadKind::kTrace) {
    const auto log = scenarios::read_trace(loaded.config());
    if (!log) {
      complain_of(log.assume_error());
      return kUsage;
    }
    say(scenarios::facts_text(loaded.config(), log.assume_value()));
    warn(scenarios::trace_warnings(loaded.config(), log.assume_value()));
  }
  return print_and_exit_with(scenarios::to_toml(loaded.config()), kOk);
}

namespace {

std::string exit_codes_text() {
  std::string text;
  for (const ExitCodeMeaning& each : kExitCodes) {
    text += fmt::format("{:>3}  {}\n", each.code, each.text);
  }
  return text;
}

std::size_t distance_to(const std::string& name, const std::string& candidate) {
  return candidate.empty() ? std::numeric_limits<std::size_t>::max()
                           : scenarios::edit_distance(name, candidate);
}

// For a name that is neither a key nor a name of a report: suggests the nearest.
std::string not_explained(const std::string& name) {
  std::vector<std::string> names = photon::analysis::explained_names();
  names.insert(names.end(), campaigns::metric_names().begin(), campaigns::metric_names().end());
  const std::vector<std::string> of_studies = campaigns::study_key_names();
  names.insert(names.end(), of_studies.begin(), of_studies.end());
  const std::string near = photon::analysis::is_of_series(name) ? campaigns::closest_metric(name)
                                                                : scenarios::closest(name, names);
  const std::string key = scenarios::closest(name, scenarios::all_keys());
  if (near.empty() || distance_to(name, key) < distance_to(name, near)) {
    return scenarios::explain(name);
  }
  return fmt::format("nothing is named \"{}\"; did you mean \"{}\"?\n", scenarios::printable(name),
                     near);
}

// For a coverage mark: its rarity. Empty for all other names.
std::string how_often(const std::string& name) {
  const auto marks = photon::all_marks();
  if (std::ranges::find(marks, name, &photon::MarkPlace::name) == marks.end()) return {};
  const std::string_view exemption = campaigns::exemption_of(name);
  std::string_view share = "";
  switch (campaigns::rarity_of(name)) {
    case campaigns::MarkRarity::common:
      share = "Common: at least one generated configuration in a hundred reaches it.";
      break;
    case campaigns::MarkRarity::rare:
      share = "Rare: at least three of two thousand generated configurations reach it.";
      break;
    case campaigns::MarkRarity::very_rare:
      share = "Very rare: fewer than three of two thousand generated configurations reach it.";
      break;
    case campaigns::MarkRarity::exempt:
      share = "Exempt: no simulated run reaches it.";
      break;
  }
  return fmt::format("\nHow often\n  {}{}{}\n", share, exemption.empty() ? "" : " ", exemption);
}

std::string meaning_of(const std::string& metric) {
  return photon::analysis::meaning_of_metric(campaigns::stored_name(metric));
}

// The figures of a run that --expect and study files may name: two lines each, with unit and
// meaning.
std::string metrics_text() {
  std::string text;
  for (const std::string& name : campaigns::metric_names()) {
    const auto unit = campaigns::unit_of_metric(name);
    text += fmt::format("{:<44} {}\n    {}\n", campaigns::listed_name(name),
                        photon::analysis::name_of(*unit), meaning_of(name));
  }
  return text;
}

std::string metric_text(const std::string& name) {
  constexpr std::size_t kColumns = 94;
  const std::string stored = campaigns::listed_name(campaigns::stored_name(name));
  return fmt::format(
      "{}: metric, {}\n\nWhat it is\n{}\n\nWhere it stands\n{}\n", campaigns::listed_name(name),
      photon::analysis::name_of(*campaigns::unit_of_metric(name)),
      photon::analysis::wrapped(meaning_of(name), kColumns, "  "),
      photon::analysis::wrapped("In --expect, in gates and answers of studies, in reports and "
                                "comparisons; in results files and CSV it is " +
                                    stored + ".",
                                kColumns, "  "));
}

}  // namespace

int explain(const std::string& name) {
  if (name == kMetricsTopic) return print_and_exit_with(metrics_text(), kOk);
  if (name == kStudyKeysTopic) return print_and_exit_with(campaigns::study_keys_text(), kOk);
  if (name == kExitCodesTopic) return print_and_exit_with(exit_codes_text(), kOk);
  if (!name.empty()) {
    if (scenarios::is_known(name)) return print_and_exit_with(scenarios::explain(name), kOk);
    if (const auto text = photon::analysis::explain(name)) {
      return print_and_exit_with(*text + how_often(name), kOk);
    }
    if (const std::string metric = campaigns::of_listed_name(name); campaigns::is_metric(metric)) {
      return print_and_exit_with(metric_text(metric), kOk);
    }
    if (const auto text = campaigns::explain_study_key(name)) {
      return print_and_exit_with(*text, kOk);
    }
    if (const auto text = scenarios::explain_fault(name)) return print_and_exit_with(*text, kOk);
    say("photonsim: error: " + not_explained(name));
    return kUsage;
  }
  std::string text;
  for (const std::string& each : scenarios::all_keys()) text += each + "\n";
  return print_and_exit_with(text, kOk);
}

int explain_marks() {
  std::string text;
  for (const photon::MarkPlace& each : photon::all_marks()) {
    const std::string_view exemption = campaigns::exemption_of(each.name);
    text += campaigns::line_of(each);
    text += exemption.empty() ? "\n" : fmt::format("  ({})\n", exemption);
    text += fmt::format("    {}\n", photon::analysis::sentence_of(each.name));
  }
  return print_and_exit_with(text, kOk);
}

}  // namespace photonsim::cli
