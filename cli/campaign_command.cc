// fuzz: many seeds of a few scenarios, or worlds of the swarm, in as many processes as asked for.
// This one adds up what they say, keeps it, says what it comes to, for people and for CI, and has
// the first failures made small.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/campaign.h"
#include "campaigns/campaign_ci.h"
#include "campaigns/worker_message.h"
#include "cli/campaign_plan.h"
#include "cli/campaign_results.h"
#include "cli/campaign_worker.h"
#include "cli/commands.h"
#include "cli/coverage_gate.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/shrink_failures.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
using Clock = std::chrono::steady_clock;
using End = analysis::CampaignFrame::End;

constexpr auto kGrace = std::chrono::seconds(2);  // between asking a process to end and ending it

class Campaign {
 public:
  Campaign(CampaignPlan plan, CampaignResults& results)
      : plan_(std::move(plan)),
        results_(results),
        kept_(!plan_.command.results.empty()),
        sum_(plan_.command.names()) {}

  // Adds up what the results file has of the plan already. False: the file does not tell, and why
  // is known to it.
  bool recall() {
    const bool told = results_.read([this](analysis::RunRecord run) {
      const auto number = plan_.run_of(run.scenario, run.seed);
      if (!number) return;
      if (run.end == analysis::RunEnd::died) {
        died_before_[*number].death = std::move(run);
        return;
      }
      note_end(*number, run.exit_code);
      plan_.done.resize(plan_.runs());
      plan_.done[*number] = true;
      run.replay = replay_of(*number, run);  // its files may have other names by now
      add(std::move(run));
    });
    recalled_ = sum_.runs();
    return told;
  }
  std::uint64_t recalled() const { return recalled_; }
  // All that has ended is in the results file.
  bool is_kept() const { return kept_; }

  // Until all runs have ended, or it was told to stop.
  void carry_out() {
    ProgressLine line("campaign");
    if (!is_enough()) hire_all();
    while (any_open()) {
      listen();
      if (results_.due()) save();
      if (interrupted() && is_going_on()) stop(End::interrupted, kInterrupted);
      if (end_ == End::complete && is_enough()) {
        end_ = End::ended_early;
        counter_.close();
      }
      if (!is_going_on() && Clock::now() > deadline_) signal_all(SIGKILL);
      if (line.due()) show_progress(line);
    }
    save();
    tell_deaths();
    if (is_going_on()) conclude();
  }

  // Runs whose process had died before, and what became of them when they were done again.
  const std::vector<std::string>& died_before() const { return deaths_; }

  End end() const { return end_; }
  // Of the campaign itself, when it did not come to its end.
  int error_code() const { return error_code_; }
  const std::vector<std::string>& errors() const { return errors_; }
  const std::string& replay() const { return replay_; }  // of a run that cannot be done; or empty
  // The worst that a run came to.
  int verdict() const { return verdict_; }
  const analysis::CampaignSum& sum() const { return sum_; }
  const CampaignPlan& plan() const { return plan_; }

 private:
  bool is_going_on() const { return end_ == End::complete || end_ == End::ended_early; }
  bool is_enough() const {
    const auto& time = plan_.command.time;
    const bool failed = plan_.command.fail_fast && sum_.failed() > 0;
    return failed || (time && Clock::now() - began_ > *time);
  }

  void conclude() {
    if (sum_.runs() == plan_.runs()) {
      end_ = End::complete;
    } else if (is_enough()) {
      end_ = End::ended_early;
    } else {
      fail(kInternal, {fmt::format("only {} of {} runs ended", sum_.runs(), plan_.runs())});
    }
  }

  void note_end(std::uint64_t number, int exit_code) {
    const auto found = died_before_.find(number);
    if (found != died_before_.end()) found->second.end = exit_code;
  }

  // A run whose process died before has failed unless it was done again since.
  void tell_deaths() {
    for (auto& [number, before] : died_before_) {
      if (!before.end) {
        before.death.replay = plan_.replay_of(number);
        add(std::move(before.death));
        continue;
      }
      deaths_.push_back(fmt::format(
          "{}, seed {}: {} before; done again, it {}", plan_.command.names()[before.death.scenario],
          before.death.seed, before.death.what, *before.end == kOk ? "went well" : "failed"));
    }
  }

  // What cannot be kept is not worth going on for.
  void save() {
    if (results_.save()) return;
    kept_ = false;
    if (!is_going_on()) return complain(results_.error());
    fail(kEnvironment,
         {results_.error(),
          "the runs saved until then are in the file: the same command does the rest"});
  }

  void hire_all() {
    const auto wanted = std::min<std::uint64_t>(plan_.command.jobs, plan_.runs() - sum_.runs());
    for (std::uint64_t i = 0; i < wanted && end_ == End::complete; ++i) {
      workers_.push_back(std::make_unique<CampaignWorker>());
      hire(*workers_.back());
    }
  }

  void hire(CampaignWorker& worker) {
    if (counter_.usable() && worker.start(plan_, counter_)) return;
    fail(kEnvironment, {"cannot start a process for the campaign; ask for fewer with --jobs"});
  }

  bool any_open() const {
    return std::ranges::any_of(workers_, [](const auto& each) { return each->pipe() >= 0; });
  }

  void listen() {
    std::vector<int> pipes;
    for (const auto& each : workers_) pipes.push_back(each->pipe());
    for (const std::size_t i : readable(pipes)) {
      std::vector<campaigns::WorkerMessage> messages;
      const bool goes_on = workers_[i]->take(messages);
      for (campaigns::WorkerMessage& each : messages) take(std::move(each));
      if (!goes_on) lose(*workers_[i]);
    }
  }

  void take(campaigns::WorkerMessage message) {
    if (message.kind == campaigns::WorkerMessage::Kind::ended) {
      analysis::RunRecord run = std::move(message.record);
      run.scenario = static_cast<std::uint32_t>(plan_.scenario_of(message.run));
      run.seed = plan_.seed_of(message.run);
      run.replay = replay_of(message.run, run);
      keep(message.run, std::move(run));
    } else if (message.kind == campaigns::WorkerMessage::Kind::refused) {
      const std::string where = fmt::format("so {} cannot be run with seed {}",
                                            plan_.command.names()[plan_.scenario_of(message.run)],
                                            plan_.seed_of(message.run));
      fail(message.exit_code, {std::move(message.text), where}, plan_.replay_of(message.run));
    }
  }

  std::string replay_of(std::uint64_t number, const analysis::RunRecord& run) const {
    const bool diverged = run.determinism == analysis::Determinism::diverged;
    return plan_.replay_of(number,
                           diverged ? CampaignPlan::Shows::twice : CampaignPlan::Shows::the_run);
  }

  void keep(std::uint64_t number, analysis::RunRecord run) {
    note_end(number, run.exit_code);
    results_.add(run);
    add(std::move(run));
  }

  void add(analysis::RunRecord run) {
    verdict_ = worse_of(verdict_, run.exit_code);
    if (!sum_.add(std::move(run)))
      fail(kInternal, {"a process of the campaign sent a record that does not fit the others"});
  }

  // The worker says nothing more. That its process died is the fault of the run that it had in
  // hand; the others go on with a new one.
  void lose(CampaignWorker& worker) {
    const std::optional<std::uint64_t> run = worker.in_hand();
    const std::string how = worker.reap();
    if (!is_going_on() || how.empty()) return;
    if (!run) return fail(kInternal, {"a process of the campaign " + how + " between two runs"});
    analysis::RunRecord death;
    death.scenario = static_cast<std::uint32_t>(plan_.scenario_of(*run));
    death.seed = plan_.seed_of(*run);
    death.exit_code = kInternal;
    death.what = "its process " + how;
    death.replay = plan_.replay_of(*run);
    death.end = analysis::RunEnd::died;
    keep(*run, std::move(death));
    hire(worker);
  }

  void fail(int code, std::vector<std::string> why, std::string replay = {}) {
    if (!is_going_on()) return;
    errors_ = std::move(why);
    replay_ = std::move(replay);
    stop(End::error, code);
  }

  void stop(End end, int code) {
    end_ = end;
    error_code_ = code;
    deadline_ = Clock::now() + kGrace;
    signal_all(SIGTERM);
  }

  void signal_all(int number) const {
    for (const auto& each : workers_) each->signal(number);
  }

  void show_progress(ProgressLine& line) const {
    const auto by_now = static_cast<double>(sum_.runs() - recalled_);
    line.show(
        by_now / static_cast<double>(plan_.runs() - recalled_),
        fmt::format("{} of {} runs ended, {} failed", sum_.runs(), plan_.runs(), sum_.failed()),
        "adding up");
  }

  CampaignPlan plan_;
  CampaignResults& results_;
  std::uint64_t recalled_ = 0;  // runs that the results file had
  struct DiedBefore {
    analysis::RunRecord death{};
    std::optional<int> end{};  // the exit code of the run when it was done again
  };
  std::map<std::uint64_t, DiedBefore> died_before_{};  // by the number of the run
  std::vector<std::string> deaths_{};
  bool kept_;
  RunCounter counter_;
  std::vector<std::unique_ptr<CampaignWorker>> workers_{};
  analysis::CampaignSum sum_;
  End end_ = End::complete;
  int error_code_ = kOk;
  std::vector<std::string> errors_{};
  std::string replay_{};
  int verdict_ = kOk;
  Clock::time_point began_ = Clock::now();
  Clock::time_point deadline_{};
};

// What the runs should have shown together and did not: said, and kept for CI.
class Demands {
 public:
  Demands(const CampaignCommand& command, const analysis::CampaignSum& sum)
      : command_(command), sum_(sum) {}

  // All of them; empty if nothing is missing.
  std::vector<analysis::CiFailure> unmet() {
    scenarios();
    corners();
    marks();
    coverage();
    return std::move(unmet_);
  }

 private:
  void add(std::string title, std::string what, const std::string& remedy) {
    unmet_.push_back({std::move(title), kInertFault, std::move(what), remedy});
  }

  // Each is to be run. That a failure ended the campaign before is told by the failure.
  void scenarios() {
    if (command_.fail_fast && sum_.failed() > 0) return;
    std::vector<std::string> never;
    const std::vector<std::string> names = command_.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (sum_.runs_of_scenario(i) == 0) never.push_back(names[i]);
    }
    if (never.empty()) return;
    const std::string what =
        fmt::format("{} of {} {} never run: {}", never.size(), names.size(),
                    names.size() == 1 ? "scenario was" : "scenarios were", fmt::join(never, ", "));
    const std::string remedy = "give more --time";
    complain(what + "; " + remedy);
    add("scenarios", what, remedy);
  }

  void corners() {
    if (command_.required.empty()) return;
    const auto missing = sum_.missing();
    if (!missing) {
      const std::string what = "no run counted corner cases";
      const std::string remedy = "give every scenario a run: more --time";
      complain(what + "; " + remedy);
      return add("--require", what, remedy);
    }
    std::vector<std::string> wanting;
    std::ranges::copy_if(*missing, std::back_inserter(wanting), [&](const std::string& name) {
      return std::ranges::count(command_.required, name) > 0;
    });
    if (wanting.empty()) return;
    const std::string remedy = "run more seeds, or scenarios that show them";
    complain(fmt::format("never occurred: {}; {}", fmt::join(wanting, ", "), remedy));
    for (const std::string& each : wanting) {
      add("--require " + each, "this corner case never occurred: " + each, remedy);
    }
  }

  void marks() {
    std::set<std::size_t> unreached;
    if (command_.required_marks) {
      for (const std::size_t mark : sum_.marks().unreached(*command_.required_marks)) {
        unreached.insert(mark);
      }
    }
    for (const std::size_t mark : command_.named_marks) {
      if (sum_.marks().hits(mark) == 0) unreached.insert(mark);
    }
    if (unreached.empty()) return;
    const std::string remedy = "run more seeds, or scenarios that come by";
    complain(fmt::format("never reached: {} of the required marks; {}", unreached.size(), remedy));
    for (const std::size_t mark : unreached) {
      const photon::MarkPlace& place = photon::all_marks()[mark];
      const std::string line = analysis::line_of(place);
      say("  " + line + "\n");
      const bool named =
          std::ranges::find(command_.named_marks, mark) != command_.named_marks.end();
      add(fmt::format("{} {}", named ? "--require-mark" : "--require-marks", place.name),
          "this mark was never reached: " + line, remedy);
    }
  }

  // What it should have shown by its size.
  void coverage() {
    std::vector<Shortfall> shortfalls;
    if (command_.coverage_gate) shortfalls = coverage_shortfalls(sum_);
    if (command_.limits_excuses) {
      for (Shortfall& each : excused_too_often(sum_)) shortfalls.push_back(std::move(each));
    }
    if (shortfalls.empty()) return;
    const std::string remedy = "--no-coverage-gate lets it pass";
    for (const Shortfall& each : shortfalls) {
      say("  " + each.what + "\n");
      add("coverage: " + each.name, each.what,
          fmt::format("{} runs should have shown it: mend the swarm or the code; {}", sum_.runs(),
                      remedy));
    }
    complain(fmt::format(
        "{} things that {} runs should have shown were never seen, or were excused too often; {}",
        shortfalls.size(), sum_.runs(), remedy));
  }

  const CampaignCommand& command_;
  const analysis::CampaignSum& sum_;
  std::vector<analysis::CiFailure> unmet_{};
};

// What a person must know besides the report; returns the exit code of the program. What fails
// besides the runs goes to `others`.
int explain(const CampaignCommand& command, const Campaign& campaign,
            std::vector<analysis::CiFailure>& others) {
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
    complain(fmt::format("{} of {} failed; the first: {}, seed {}: {}", campaign.sum().failed(),
                         analysis::counted(campaign.sum().runs(), "run"),
                         command.names()[first->scenario], first->seed, first->what));
    say("replay: " + first->replay + "\n");
  }
  others = Demands(command, campaign.sum()).unmet();
  return others.empty() ? verdict : worse_of(verdict, kInertFault);
}

// The first failures, which are to be made small.
std::vector<std::uint64_t> to_be_told(const Campaign& campaign) {
  std::vector<std::uint64_t> runs;
  if (campaign.end() != End::complete && campaign.end() != End::ended_early) return runs;
  for (const auto& [key, failure] : campaign.sum().failures()) {
    if (runs.size() == campaign.plan().command.shrunk) break;
    if (failure.exit_code != kNotDeterministic && failure.exit_code != kInertFault) {
      runs.push_back(failure.seed - campaign.plan().command.first);
    }
  }
  return runs;
}

// Tells people and CI, and has the first failures made small. That takes minutes: the JUnit file
// and the text are there before it, and the file once more behind it, with the names of the
// stories; annotations and JSON cannot be said twice. Returns the exit code of the program.
int report(const CampaignCommand& command, const Campaign& campaign, analysis::CampaignFrame frame,
           const std::vector<analysis::CiFailure>& others, Clock::time_point began) {
  const auto ci = [&] { return analysis::ci_report(campaign.sum(), others, frame); };
  const bool written = command.ci.write_file(ci());
  int code = written ? frame.exit_code : kEnvironment;
  const bool json = command.form == OutputForm::json;
  if (!json) code = print_and_exit_with(campaign.sum().text(frame), code);
  const std::vector<std::uint64_t> runs = to_be_told(campaign);
  if (!runs.empty()) {
    frame.stories = shrink_failures(campaign.plan(), runs, began);
    if (written && !command.ci.write_file(ci())) code = kEnvironment;
  }
  command.ci.annotate(ci());
  if (!json) return code;
  frame.exit_code = code;
  return print_and_exit_with(campaign.sum().json(frame) + "\n", code);
}

// Says so and returns false if some scenarios would get no seed.
bool enough_seeds(const CampaignCommand& command) {
  const std::size_t many = command.scenarios.size();
  const std::uint64_t behind_first = command.last - command.first;  // their number may be 2^64
  if (many == 0 || behind_first >= many - 1) return true;
  complain(
      fmt::format("--seeds {}..{}: {} of the {} scenarios would never be run, as they take "
                  "turns; give at least as many seeds as scenarios, --seeds {}..{}, or fewer "
                  "scenarios",
                  command.first, command.last, many - 1 - behind_first, many, command.first,
                  command.first + many - 1));
  return false;
}

// Says so and returns false if what is required cannot be counted.
bool countable(const CampaignCommand& command, const std::vector<scenarios::Config>& configs) {
  const auto counts = [](const scenarios::Config& each) { return each.counts_corner_cases(); };
  if (command.required.empty() || command.swarm || std::ranges::any_of(configs, counts))
    return true;
  complain(
      "--require: corner cases are counted in runs of a registry alone, such as those of "
      "scenarios/registry, and where run.corner_cases is on; none of these scenarios is one: add "
      "--set run.corner_cases=true, or leave the option out");
  return false;
}

}  // namespace

int fuzz(const CampaignCommand& command) {
  if (!enough_seeds(command)) return kUsage;
  CampaignPlan plan{command};
  for (const std::string& file : command.scenarios) {
    const scenarios::LoadResult loaded = scenarios::load(file, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    plan.configs.push_back(loaded.config());
  }
  if (!countable(command, plan.configs)) return kUsage;
  if (!command.ci.can_write_file()) return kEnvironment;
  CampaignResults results;
  if (const int opened = results.open(plan); opened != kOk) return opened;
  watch_interrupts();
  const auto began = Clock::now();
  const auto campaign = std::make_unique<Campaign>(std::move(plan), results);
  if (!campaign->recall()) {
    complain(results.error());
    return kEnvironment;
  }
  if (campaign->recalled() > 0) {
    say(fmt::format("{}: of {} it has {} already\n", command.results,
                    analysis::counted(campaign->plan().runs(), "run"), campaign->recalled()));
  }
  campaign->carry_out();
  analysis::CampaignFrame frame{command.overrides, command.first, command.last, model_version(),
                                campaign->end()};
  frame.wall_seconds = std::chrono::duration<double>(Clock::now() - began).count();
  frame.done_before = campaign->recalled();
  frame.names_marks = command.verbose;
  frame.died_before = campaign->died_before();
  std::vector<analysis::CiFailure> others;
  frame.exit_code = explain(command, *campaign, others);
  return report(command, *campaign, std::move(frame), others, began);
}

}  // namespace photonsim::cli
