#include "campaigns/conclusion.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/guided_strategy.h"
#include "campaigns/reduce/minimize.h"
#include "campaigns/reduce/time_share.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/triage.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using End = CampaignEngine::End;

class Concluding {
 public:
  Concluding(const CampaignEngine& campaign, const Requirements& requirements,
             const std::string& results, Listener& listener)
      : campaign_(campaign), requirements_(requirements), results_(results), listener_(listener) {}

  Conclusion conclude() {
    Conclusion conclusion;
    if (campaign_.end() == End::interrupted) {
      conclusion.exit_code = interrupted();
    } else if (campaign_.end() == End::error) {
      conclusion.exit_code = error();
    } else {
      conclusion.exit_code = ended();
    }
    conclusion.others = std::move(others_);
    return conclusion;
  }

 private:
  int interrupted() {
    const std::string rest =
        campaign_.can_resume() ? "they are in " + results_ + ", and the same command does the rest"
                               : std::string();
    listener_.on_problem("interrupted; these are the runs that had ended" +
                         (rest.empty() ? "" : "; " + rest));
    others_.push_back({"the campaign", campaign_.error_code(),
                       fmt::format("it was interrupted after {} of {} runs", campaign_.sum().runs(),
                                   campaign_.plan().runs()),
                       rest.empty() ? "run it again" : rest});
    return campaign_.error_code();
  }

  int error() {
    for (const std::string& each : campaign_.errors()) listener_.on_problem(each);
    if (!campaign_.replay().empty()) listener_.on_note("replay: " + campaign_.replay());
    others_.push_back({"the campaign", campaign_.error_code(),
                       fmt::format("{}", fmt::join(campaign_.errors(), "; ")), campaign_.replay()});
    return campaign_.error_code();
  }

  int ended() {
    name_first_failure();
    const CampaignSpec& spec = campaign_.plan().spec();
    const int verdict = campaign_.verdict();
    others_ = unmet_requirements(requirements_, spec, campaign_.sum(), listener_);
    if (campaign_.is_incomplete()) {
      const std::string what = fmt::format(
          "the campaign is incomplete: {} of {} runs have ended, at least {} were asked for",
          campaign_.sum().runs(), campaign_.plan().runs(), spec.min_runs);
      const std::string remedy = campaign_.can_resume() ? "the same command does the rest"
                                 : spec.guided
                                     ? "give more --time or --events"
                                     : "give more --time, or --out FILE to do the rest later";
      listener_.on_problem(what + "; " + remedy);
      others_.push_back({"--min-runs", kIncomplete, what, remedy});
      // Other shortfalls may follow from the missing runs.
      if (verdict == kOk) return kIncomplete;
    }
    const int code = others_.empty() ? verdict : worse_of(verdict, kInertFault);
    const bool missed = name_missed_gates();
    return code == kOk && missed ? kGateMissed : code;
  }

  // Repeats the run with its gate. A generated configuration is run without: its figures tell.
  static std::string with_gate(std::string replay, std::string_view gate) {
    constexpr std::string_view kRepro = "photonsim repro ";
    if (!replay.starts_with(kRepro) || replay.find("--swarm") != std::string::npos) return replay;
    replay.replace(0, kRepro.size(), "photonsim run ");
    return fmt::format("{} --expect '{}'", replay, gate);
  }

  bool name_missed_gates() {
    for (const auto& [gate, misses] : campaign_.misses()) {
      const std::string what =
          fmt::format("--expect: {} of {} missed a gate; the first, {} {}: {}", misses.runs,
                      analysis::counted(campaign_.sum().runs(), "run"),
                      campaign_.plan().spec().numbered(), misses.first, misses.why);
      listener_.on_problem(what);
      others_.push_back({"--expect " + gate, kGateMissed, what, with_gate(misses.replay, gate)});
    }
    return !campaign_.misses().empty();
  }

  void name_first_failure() {
    const CampaignSum& sum = campaign_.sum();
    const analysis::RunRecord* first = sum.first_failure();
    if (first == nullptr) return;
    const std::size_t causes = failure_groups(sum).size();
    const std::string by = causes > 1 ? fmt::format(", {} distinct causes", causes) : std::string();
    listener_.on_problem(fmt::format("{} of {} failed{}. First failure: {}: {}", sum.failed(),
                                     analysis::counted(sum.runs(), "run"), by, sum.label_of(*first),
                                     first->what));
    listener_.on_note("replay: " + first->replay);
  }

  const CampaignEngine& campaign_;
  const Requirements& requirements_;
  const std::string& results_;
  Listener& listener_;
  std::vector<CiFailure> others_{};
};

// Some scenarios would get no seed.
std::string too_few_seeds(const CampaignSpec& spec) {
  const std::size_t many = spec.scenarios.size();
  const std::uint64_t after_first = spec.last - spec.first;  // their number may be 2^64
  if (many == 0 || after_first >= many - 1) return {};
  return fmt::format(
      "--seeds {}..{}: {} of the {} scenarios would never be run, as they take turns; give at "
      "least as many seeds as scenarios, --seeds {}..{}, or fewer scenarios",
      spec.first, spec.last, many - 1 - after_first, many, spec.first, spec.first + many - 1);
}

// The campaign would be incomplete whatever happens.
std::string too_few_runs(const CampaignSpec& spec) {
  const std::uint64_t after_first = spec.last - spec.first;  // their number may be 2^64
  if (spec.min_runs == 0 || spec.min_runs - 1 <= after_first) return {};
  return fmt::format("--min-runs {}: the campaign has only {}; give more --seeds, or require fewer",
                     spec.min_runs, analysis::counted(after_first + 1, "run"));
}

// The required corner cases are not counted.
std::string uncounted(const CampaignSpec& spec, const Requirements& requirements) {
  const auto counts = [](const auto& each) { return each.config.counts_corner_cases(); };
  if (requirements.corner_cases.empty() || spec.swarm ||
      std::ranges::any_of(spec.scenarios, counts)) {
    return {};
  }
  return "--require: corner cases are counted in runs of a registry alone, such as those of "
         "scenarios/registry, and where run.corner_cases is on; none of these scenarios is one: "
         "add --set run.corner_cases=true, or leave the option out";
}

}  // namespace

Conclusion conclude(const CampaignEngine& campaign, const Requirements& requirements,
                    const std::string& results, Listener& listener) {
  return Concluding(campaign, requirements, results, listener).conclude();
}

CampaignFrame frame_of(const CampaignEngine& campaign, WallClock::time_point began) {
  const CampaignSpec& spec = campaign.plan().spec();
  CampaignFrame frame{spec.overrides, spec.first, spec.last, spec.model_version, campaign.end()};
  for (const auto& [gate, misses] : campaign.misses()) {
    frame.missed_gates.push_back(fmt::format("{}: missed by {}, first {} {}", gate,
                                             analysis::counted(misses.runs, "run"), spec.numbered(),
                                             misses.first));
  }
  frame.wall_seconds = std::chrono::duration<double>(WallClock::now() - began).count();
  frame.done_before = campaign.loaded();
  frame.died_before = campaign.died_before();
  for (const std::uint64_t run : campaign.cut_off()) {
    frame.cut_off.push_back(campaign.plan().label_of(run));
  }
  if (const auto figures = campaign.strategy().figures()) {
    frame.corpus_and_features = {figures->corpus, figures->features};
  }
  for (const auto& [key, run] : campaign.sum().failures()) {
    const std::string file = campaign.strategy().file_of(run.seed - spec.first);
    if (!file.empty()) frame.files[key] = file;
  }
  return frame;
}

ReproFiles minimize_failures(const CampaignEngine& campaign, const std::vector<std::uint64_t>& runs,
                             const MinimizeOptions& options, WallClock::time_point began,
                             Listener& listener) {
  const CampaignPlan& plan = campaign.plan();
  const CampaignSpec& spec = plan.spec();
  const Strategy& strategy = campaign.strategy();
  const TimeShare time(options.time, spec.time, began, runs.size());
  ReproFiles files;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const scenarios::Config config = strategy.spec_of(runs[i]).config;
    const std::string replay = strategy.replay_of(runs[i], Strategy::Shows::the_run);
    const std::string file =
        repro_file(fmt::format("{}/{}", options.folder, strategy.repro_name(runs[i])), replay);
    std::optional<MinimizedRepro> repro;
    if (!listener.stop_requested()) {
      repro = minimize(
          {config, file, replay, spec.model_version, spec.limits, time.share(runs.size() - i)},
          listener);
    }
    if (!repro) {
      listener.on_problem(repros_left_out(runs.size() - i, runs.size()));
      break;
    }
    listener.on_note("minimized: " + repro->line);
    if (repro->file.empty()) continue;
    files[{plan.scenario_of(runs[i]), plan.seed_of(runs[i])}] = repro->file;
  }
  return files;
}

std::string misfit_of(const CampaignSpec& spec, const Requirements& requirements) {
  if (spec.guided && !spec.swarm) {
    const CampaignSpec::Scenario& scenario = spec.scenarios.front();
    const std::string lack = not_searchable(scenario.config);
    if (!lack.empty()) return scenario.name + " cannot be searched with drawn faults: " + lack;
  }
  for (std::string misfit : {too_few_seeds(spec), too_few_runs(spec)}) {
    if (!misfit.empty()) return misfit;
  }
  return uncounted(spec, requirements);
}

}  // namespace photonsim::campaigns
