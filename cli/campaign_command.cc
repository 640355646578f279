// fuzz: a campaign over many seeds, reported as text and to CI, with its first failures minimized.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/results/file_names.h"
#include "campaigns/campaign_ci.h"
#include "campaigns/random_campaign.h"
#include "campaigns/reduce/minimize.h"
#include "campaigns/reduce/time_share.h"
#include "campaigns/requirements.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/triage.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
using campaigns::RandomCampaign;
using End = RandomCampaign::End;

campaigns::CampaignSpec spec_of(const CampaignCommand& command) {
  campaigns::CampaignSpec spec;
  spec.swarm = command.swarm;
  spec.overrides = command.overrides;
  spec.first = command.first;
  spec.last = command.last;
  spec.limits.jobs = command.jobs;
  spec.limits.memory = command.memory;
  spec.determinism_share = command.self_check;
  spec.time = command.time;
  spec.min_runs = command.min_runs.value_or(command.time ? 0 : command.last - command.first + 1);
  spec.fail_fast = command.fail_fast;
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

// Prints what the user must know besides the report; returns the exit code of the program. Adds
// failures other than those of runs to `others`.
int explain(const CampaignCommand& command, const RandomCampaign& campaign,
            std::vector<analysis::CiFailure>& others, Console& console) {
  if (campaign.end() == End::interrupted) {
    const std::string rest = campaign.is_kept() ? "they are in " + command.results +
                                                      ", and the same command does the rest"
                                                : std::string();
    complain("interrupted; these are the runs that had ended" + (rest.empty() ? "" : "; " + rest));
    others.push_back({"the campaign", campaign.error_code(),
                      fmt::format("it was interrupted after {} of {} runs", campaign.sum().runs(),
                                  campaign.plan().runs()),
                      rest.empty() ? "run it again" : rest});
    return campaign.error_code();
  }
  if (campaign.end() == End::error) {
    for (const std::string& each : campaign.errors()) complain(each);
    if (!campaign.replay().empty()) say("replay: " + campaign.replay() + "\n");
    others.push_back({"the campaign", campaign.error_code(),
                      fmt::format("{}", fmt::join(campaign.errors(), "; ")), campaign.replay()});
    return campaign.error_code();
  }
  const int verdict = campaign.verdict();
  if (const analysis::RunRecord* first = campaign.sum().first_failure()) {
    const std::size_t causes = analysis::failure_groups(campaign.sum()).size();
    const std::string by = causes > 1 ? fmt::format(", {} distinct causes", causes) : std::string();
    complain(fmt::format("{} of {} failed{}. First failure: {}, seed {}: {}",
                         campaign.sum().failed(), analysis::counted(campaign.sum().runs(), "run"),
                         by, campaign.sum().scenario_name(first->scenario), first->seed,
                         first->what));
    say("replay: " + first->replay + "\n");
  }
  others = campaigns::unmet_requirements(requirements_of(command), campaign.plan().spec(),
                                         campaign.sum(), console);
  if (campaign.is_incomplete()) {
    const std::string what = fmt::format(
        "the campaign is incomplete: {} of {} runs have ended, at least {} were asked for",
        campaign.sum().runs(), campaign.plan().runs(), campaign.plan().spec().min_runs);
    const std::string remedy = campaign.is_kept()
                                   ? "the same command does the rest"
                                   : "give more --time, or --out FILE to do the rest later";
    complain(what + "; " + remedy);
    others.push_back({"--min-runs", kIncomplete, what, remedy});
    // Other shortfalls may follow from the missing runs.
    if (verdict == kOk) return kIncomplete;
  }
  return others.empty() ? verdict : campaigns::worse_of(verdict, kInertFault);
}

// The minimized repros of the first failures, one by one, until a stop request. Prints the result
// of each on stderr.
analysis::ReproFiles minimize_failures(const CampaignCommand& command,
                                       const RandomCampaign& campaign,
                                       const std::vector<std::uint64_t>& runs,
                                       campaigns::WallClock::time_point began, Console& console) {
  const campaigns::CampaignPlan& plan = campaign.plan();
  const campaigns::TimeShare time(command.shrink_time, command.time, began, runs.size());
  analysis::ReproFiles files;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const scenarios::Config config = plan.spec_of(runs[i]).config;
    const std::string replay = plan.replay_of(runs[i]);
    const std::string file = campaigns::repro_file(
        fmt::format("{}/{}-{}", command.repro_folder, config.scenario.name, config.run.seed),
        replay);
    std::optional<campaigns::MinimizedRepro> repro;
    if (!interrupted()) {
      repro = campaigns::minimize(
          {config, file, replay, model_version(), plan.spec().limits, time.share(runs.size() - i)},
          console);
    }
    if (!repro) {
      complain(campaigns::repros_left_out(runs.size() - i, runs.size()));
      break;
    }
    say("minimized: " + repro->line + "\n");
    if (repro->file.empty()) continue;
    files[{plan.scenario_of(runs[i]), plan.seed_of(runs[i])}] = repro->file;
  }
  return files;
}

// Reports as text and to CI, and minimizes the first failures, which takes minutes. The text and
// the JUnit file are written before that. Afterwards the JUnit file is written again, with the
// names of the minimized repros, and annotations and JSON are printed once. Returns the exit code
// of the program.
int report(const CampaignCommand& command, const RandomCampaign& campaign,
           analysis::CampaignFrame frame, const std::vector<analysis::CiFailure>& others,
           campaigns::WallClock::time_point began, Console& console) {
  const auto ci = [&] { return analysis::ci_report(campaign.sum(), others, frame); };
  const bool written = command.ci.write_file(ci());
  int code = written ? frame.exit_code : kEnvironment;
  const bool json = command.form == OutputForm::json;
  if (!json) code = print_and_exit_with(campaign.sum().text(frame), code);
  const std::vector<std::uint64_t> runs = campaign.runs_to_minimize(command.shrunk);
  if (!runs.empty()) {
    frame.repros = minimize_failures(command, campaign, runs, began, console);
    if (written && !command.ci.write_file(ci())) code = kEnvironment;
  }
  command.ci.annotate(ci());
  if (!json) return code;
  frame.exit_code = code;
  return print_and_exit_with(campaign.sum().json(frame) + "\n", code);
}

// Prints an error and returns false if some scenarios would get no seed.
bool enough_seeds(const CampaignCommand& command) {
  const std::size_t many = command.scenarios.size();
  const std::uint64_t after_first = command.last - command.first;  // their number may be 2^64
  if (many == 0 || after_first >= many - 1) return true;
  complain(
      fmt::format("--seeds {}..{}: {} of the {} scenarios would never be run, as they take "
                  "turns; give at least as many seeds as scenarios, --seeds {}..{}, or fewer "
                  "scenarios",
                  command.first, command.last, many - 1 - after_first, many, command.first,
                  command.first + many - 1));
  return false;
}

// Prints an error and returns false if the required corner cases are not counted.
bool countable(const CampaignCommand& command, const campaigns::CampaignSpec& spec) {
  const auto counts = [](const auto& each) { return each.config.counts_corner_cases(); };
  if (command.required.empty() || command.swarm || std::ranges::any_of(spec.scenarios, counts)) {
    return true;
  }
  complain(
      "--require: corner cases are counted in runs of a registry alone, such as those of "
      "scenarios/registry, and where run.corner_cases is on; none of these scenarios is one: add "
      "--set run.corner_cases=true, or leave the option out");
  return false;
}

// Prints an error and returns false if the campaign also reads or writes the
// results file otherwise.
bool apart(const CampaignCommand& command, const campaigns::CampaignSpec& spec) {
  std::vector<std::string> others = command.scenarios;
  for (const auto& [name, config] : spec.scenarios) {
    if (config.workload.kind != scenarios::WorkloadKind::kTrace) continue;
    others.push_back(config.workload.primary.file);
    others.push_back(config.workload.foreign.file);
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
  if (!results.open(command.results, plan)) {
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
  const auto campaign = std::make_unique<RandomCampaign>(std::move(plan), results, console);
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
  analysis::CampaignFrame frame{command.overrides, command.first, command.last, model_version(),
                                campaign->end()};
  frame.wall_seconds = std::chrono::duration<double>(campaigns::WallClock::now() - began).count();
  frame.done_before = campaign->loaded();
  frame.names_marks = command.verbose;
  frame.died_before = campaign->died_before();
  for (const std::uint64_t run : campaign->cut_off()) {
    const campaigns::CampaignPlan& planned = campaign->plan();
    frame.cut_off.push_back(fmt::format(
        "{}, seed {}", planned.spec().names()[planned.scenario_of(run)], planned.seed_of(run)));
  }
  std::vector<analysis::CiFailure> others;
  frame.exit_code = explain(command, *campaign, others, console);
  return report(command, *campaign, std::move(frame), others, began, console);
}

}  // namespace

int fuzz(const CampaignCommand& command) {
  if (!enough_seeds(command)) return kUsage;
  campaigns::CampaignSpec spec = spec_of(command);
  for (const std::string& file : command.scenarios) {
    const scenarios::LoadResult loaded = scenarios::load(file, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    spec.scenarios.push_back({file, loaded.config()});
  }
  if (!countable(command, spec)) return kUsage;
  if (!command.ci.can_write_file()) return kEnvironment;
  const campaigns::CampaignPlan plan(std::move(spec));
  campaigns::ResultsFile results;
  if (const int opened = open(results, command, plan); opened != kOk) return opened;
  return run_campaign(command, plan, results);
}

}  // namespace photonsim::cli
