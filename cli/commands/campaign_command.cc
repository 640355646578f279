// fuzz: a campaign over many seeds, reported as text and to CI, with its first failures minimized.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/results/file_names.h"
#include "campaigns/campaign_ci.h"
#include "campaigns/conclusion.h"
#include "campaigns/engine.h"
#include "campaigns/outcome.h"
#include "campaigns/studies/gates.h"
#include "cli/cluster/launch.h"
#include "cli/commands/commands.h"
#include "cli/commands/console.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/failure_diagram.h"
#include "cli/commands/log_check.h"
#include "cli/commands/output.h"
#include "cli/commands/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
using campaigns::CampaignEngine;

std::string text_of_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

campaigns::CampaignSpec spec_of(const CampaignCommand& command) {
  campaigns::CampaignSpec spec;
  spec.swarm = command.swarm;
  spec.overrides = command.overrides;
  spec.first = command.first;
  spec.last = command.last;
  spec.limits.jobs = command.jobs;
  spec.limits.memory = command.memory;
  spec.limits.cluster = launched_cluster();
  spec.determinism_share = command.self_check;
  spec.time = command.time;
  const bool limited = command.time || command.events != 0;
  spec.min_runs = command.min_runs.value_or(limited ? 0 : command.last - command.first + 1);
  spec.fail_fast = command.fail_fast;
  spec.stop_oracle = command.oracle;
  spec.most_events = command.events;
  if (command.guided) spec.guided = {*command.guided, command.repro_folder};
  spec.model_version = model_version();
  return spec;
}

campaigns::Requirements requirements_of(const CampaignCommand& command) {
  campaigns::Requirements requirements;
  requirements.corner_cases = command.required;
  requirements.marks = command.required_marks;
  requirements.named_marks = command.named_marks;
  requirements.coverage_gate = command.coverage_gate;
  requirements.limits_exemptions = command.limits_exemptions;
  return requirements;
}

// The minimized failures with what a report shows of them.
std::vector<campaigns::MinimizedFailure> shown_failures(const CampaignEngine& campaign,
                                                        const campaigns::ReproFiles& repros) {
  std::vector<campaigns::MinimizedFailure> list;
  for (const auto& [key, file] : repros) {
    const auto run = campaign.sum().failures().find(key);
    if (run == campaign.sum().failures().end() || interrupted()) continue;
    list.push_back(
        {campaign.sum().label_of(run->second), file, text_of_file(file), failure_diagram(file)});
  }
  return list;
}

// For the report of the results file. False, after printing the reason, if it cannot be kept.
bool keep_outcome(const CampaignEngine& campaign, const campaigns::CampaignFrame& frame,
                  const std::vector<campaigns::CiFailure>& others,
                  campaigns::ResultsFile& results) {
  const auto failures = shown_failures(campaign, frame.repros);
  if (results.conclude(campaigns::campaign_outcome(frame, others, failures, version_text()))) {
    return true;
  }
  complain(results.error());
  return false;
}

// Reports as text and to CI, and minimizes the first failures, which takes minutes. The text and
// the JUnit file are written before that. Afterwards the JUnit file is written again, with the
// names of the minimized repros, and annotations and JSON are printed once. Returns the exit code
// of the program.
int report(const CampaignCommand& command, const CampaignEngine& campaign,
           campaigns::CampaignFrame frame, const std::vector<campaigns::CiFailure>& others,
           campaigns::WallClock::time_point began, campaigns::ResultsFile& results,
           Console& console) {
  const auto ci = [&] { return campaigns::ci_report(campaign.sum(), others, frame); };
  const bool written = command.ci.write_file(ci());
  int code = written ? frame.exit_code : kEnvironment;
  const bool json = command.form == OutputForm::json;
  if (!json) code = print_and_exit_with(campaign.sum().text(frame), code);
  const std::vector<std::uint64_t> runs = campaign.runs_to_minimize(command.shrunk);
  if (!runs.empty()) {
    const campaigns::MinimizeOptions options{command.shrunk, command.repro_folder,
                                             command.shrink_time};
    frame.repros = campaigns::minimize_failures(campaign, runs, options, began, console);
    if (written && !command.ci.write_file(ci())) code = kEnvironment;
  }
  command.ci.annotate(ci());
  frame.exit_code = code;
  if (results.keeps() && !keep_outcome(campaign, frame, others, results)) code = kEnvironment;
  if (!json) return code;
  frame.exit_code = code;
  return print_and_exit_with(campaign.sum().json(frame) + "\n", code);
}

// Prints an error and returns false if the campaign also reads or writes the
// results file otherwise.
bool apart(const CampaignCommand& command, const campaigns::CampaignSpec& spec) {
  std::vector<std::string> others = command.scenarios;
  for (const auto& [name, config] : spec.scenarios) {
    if (config.workload.kind != scenarios::WorkloadKind::kTrace) continue;
    for (const auto* files : {&config.workload.primary.files, &config.workload.foreign.files}) {
      others.insert(others.end(), files->begin(), files->end());
    }
  }
  others.push_back(command.ci.junit);
  for (const std::string& other : others) {
    if (other.empty() || !analysis::of_results(command.results, other)) continue;
    complain("--out " + command.results + ": this file is also " +
             (other == command.ci.junit ? "that of --junit" : "one that the runs read") +
             "; choose another one with --out");
    return false;
  }
  return true;
}

// Returns kOk, or another code after printing the reason.
int open(campaigns::ResultsFile& results, const CampaignCommand& command,
         const campaigns::CampaignPlan& plan) {
  if (command.results.empty()) return kOk;
  if (!apart(command, plan.spec())) return kUsage;
  if (!results.open(command.results, campaigns::identity_of(plan))) {
    complain(results.error());
    return kEnvironment;
  }
  if (!results.about_others().empty()) say(results.about_others() + "\n");
  return kOk;
}

// Runs the campaign, from reading the results file to the report.
int run_campaign(const CampaignCommand& command, campaigns::CampaignPlan plan,
                 campaigns::ResultsFile& results) {
  watch_interrupts();
  const auto began = campaigns::WallClock::now();
  Console console("campaign");
  const auto campaign = std::make_unique<CampaignEngine>(std::move(plan), results, console);
  if (!campaign->load_results()) {
    complain(results.error());
    return kEnvironment;
  }
  if (campaign->loaded() > 0) {
    say(fmt::format("{}: of {} it has {} already\n", command.results,
                    analysis::counted(campaign->plan().runs(), "run"), campaign->loaded()));
  }
  campaign->run();
  console.clear();
  campaigns::CampaignFrame frame = campaigns::frame_of(*campaign, began);
  frame.names_marks = command.verbose;
  const campaigns::Conclusion conclusion =
      campaigns::conclude(*campaign, requirements_of(command), command.results, console);
  frame.exit_code = conclusion.exit_code;
  return report(command, *campaign, std::move(frame), conclusion.others, began, results, console);
}

}  // namespace

int fuzz(const CampaignCommand& command) {
  if (command.guided && launched_cluster() != nullptr) {
    complain(
        "fuzz --guided: a guided search learns from each round of its own processes, and ranks "
        "do not send what it learns from; run it on one machine with --jobs");
    return kUsage;
  }
  campaigns::CampaignSpec spec = spec_of(command);
  campaigns::Gates gates = campaigns::parse_gates(command.expected);
  if (!gates.problem.empty()) {
    complain("--expect: " + gates.problem);
    return kUsage;
  }
  spec.gates = std::move(gates.list);
  for (const std::string& file : command.scenarios) {
    const scenarios::LoadResult loaded = scenarios::load(file, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    spec.scenarios.push_back({file, loaded.config()});
  }
  const std::string misfit = campaigns::misfit_of(spec, requirements_of(command));
  if (!misfit.empty()) {
    complain(misfit);
    return kUsage;
  }
  LogCheck logs;
  for (const auto& [name, config] : spec.scenarios) {
    // The campaign reports a log that cannot be read, with the run that fails by it.
    if (const auto read = logs.warn_of(config); !read) break;
  }
  if (!command.ci.can_write_file()) return kEnvironment;
  const campaigns::CampaignPlan plan(std::move(spec));
  campaigns::ResultsFile results;
  if (const int opened = open(results, command, plan); opened != kOk) return opened;
  return run_campaign(command, plan, results);
}

}  // namespace photonsim::cli
