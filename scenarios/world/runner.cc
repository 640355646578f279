#include "scenarios/world/runner.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "analysis/oracles/b_18_redundancy.h"
#include "core_impl/base/check.h"
#include "core_impl/base/time_text.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/consequences.h"
#include "scenarios/faults/random_plan.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/adapters.h"
#include "scenarios/world/core.h"
#include "scenarios/world/environment.h"
#include "scenarios/world/event_limit.h"
#include "scenarios/world/event_names.h"
#include "scenarios/world/fault_plan.h"
#include "scenarios/world/fault_report.h"
#include "scenarios/world/forced_crash.h"
#include "scenarios/world/importance.h"
#include "scenarios/world/judging.h"
#include "scenarios/world/master_watch.h"
#include "scenarios/world/moments.h"
#include "scenarios/world/operation_report.h"
#include "scenarios/world/output_retention.h"
#include "scenarios/world/outside_checks.h"
#include "scenarios/world/photon_probe.h"
#include "scenarios/world/places.h"
#include "scenarios/world/processes.h"
#include "scenarios/world/quiescence.h"
#include "scenarios/world/record_tee.h"
#include "scenarios/world/scripted_faults.h"
#include "scenarios/world/service_times.h"
#include "scenarios/world/share_of_work.h"
#include "scenarios/world/staged_judge.h"
#include "scenarios/world/state_watch.h"
#include "scenarios/world/storage_facts.h"
#include "scenarios/world/trace_warnings.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {
namespace {

namespace analysis = photon::analysis;
namespace sim = photon::sim;
using photon::SimTime;

constexpr Duration kSlice = std::chrono::seconds(1);
// Bounds the delay of a stop request when a second has many events.
constexpr std::uint64_t kEventsBetweenReports = 100'000;
// The run continues after the last click is settled: late duplicates must be judged too.
constexpr Duration kDrainPeriod = std::chrono::seconds(5);

std::vector<photon::VolumeId> cells_of(const Deployment& deployment) {
  std::vector<photon::VolumeId> cells;
  for (const Pipeline& pipeline : deployment.pipelines) cells.push_back(pipeline.cell);
  return cells;
}

Duration sample_interval(const Run& run, Duration generation) {
  constexpr int kSamples = 120;
  return run.sample_interval.value_or(std::max<Duration>(generation / kSamples, 100ms));
}

class SingleRun {
 public:
  SingleRun(const RunRequest& request, Deployment deployment,
            std::unique_ptr<Environment> environment, const photon::MarkCounts& marks)
      : config_(*request.config),
        request_(request),
        marks_(marks),
        deployment_(std::move(deployment)),
        environment_(std::move(environment)),
        adapter_(adapter_of(config_)),
        judge_(judge_config(config_, deployment_), places(deployment_.topology), stage_of_judge()),
        states_(deployment_.groups(), deployment_.topology.processes().size(),
                [this](std::uint32_t fault) { return kind_of(fault); }),
        importance_(judge_.settled(), config_.rare.importance, level_of(request),
                    [this] { simulation_.kernel().stop(); }),
        tee_(request.judging == Judging::full ? &judge_.records() : nullptr,
             watches_importance() ? &importance_ : nullptr, masters_, states_, request.trace),
        simulation_(deployment_.topology, environment_->models(), options(),
                    sim::Observers{&tee_, &storage_facts_}),
        retention_(simulation_.volumes(), cells_of(deployment_), config_.cell.keep_output) {
    generation_end_ = environment_->generation_end(config_);
    plan_ = plan_faults(config_, deployment_, generation_end_ - SimTime{}, request.seed,
                        environment_->numbers());
    environment_->attach(simulation_, deployment_);
    install_processes(config_, deployment_, {*adapter_, environment_->registry_load()},
                      simulation_);
    if (config_.cell.keep_output > Duration::zero()) simulation_.add(retention_);
    simulation_.set_faults(plan_.list);
    simulation_.set_chooser(masters_);
    simulation_.set_probe(probe_);
    simulation_.set_service_times(service_times(config_));
    if (request.watched) {
      simulation_.kernel().fingerprints().watch(request.watched->first, request.watched->count);
    }
  }

  // Once it is over. This object refers to the environment until its end.
  std::unique_ptr<Environment> take_environment() { return std::move(environment_); }

  RunOutcome go() {
    RunOutcome outcome;
    try {  // a failed check ends the run by unwinding it
      const bool stopped = phases() == StopRequest::stop;
      judge_.settled();
      outcome.interrupted = stopped && exceeded_.empty();
      outcome.importance = importance_.most();
      const bool at_level = request_.stop_at && importance_.reached() && !branched_;
      if (at_level) outcome.entrance = simulation_.events();
      outcome.over_limit = exceeded_;
    } catch (const sim::CheckFailed& failure) {
      outcome.failed_check = failed_check(failure);
      settle_after_failure();
    }
    if (outcome.is_complete() && request_.judging == Judging::full) judge_.finish();
    report(outcome);
    return outcome;
  }

 private:
  // The first failed check is the one reported.
  void settle_after_failure() const {
    try {
      judge_.settled();
    } catch (const sim::CheckFailed&) {
    }
  }

  sim::Options options() const {
    sim::Options options;
    options.sample_interval =
        sample_interval(config_.run, environment_->generation_end(config_) - SimTime{});
    options.seed = request_.seed;
    options.shuffle_ties = config_.run.shuffle_ties;
    options.tick = config_.run.time_step();
    // Of a replica whose disk may be damaged it counts when it was last heard. What happens late by
    // the rest of a tick is not what quiet rounds compute.
    if (config_.run.leave_out_rounds && options.tick == Duration(1) &&
        judge_.settled().config().unsound.empty()) {
      options.idle_rounds = sim::IdleRounds::left_out;
    }
    options.links.loss = photon::Chance(config_.network.loss);
    options.links.duplicate = photon::Chance(config_.network.duplication);
    options.links.reorder = photon::Chance(config_.network.reordering);
    options.links.reorder_delay = config_.network.reorder_delay;
    return options;
  }

  StopRequest phases() {
    simulation_.start();
    if (advance_to(generation_end_) == StopRequest::stop) return StopRequest::stop;
    if (request_.stop_at && !branched_) return StopRequest::stop;
    simulation_.mark_phase(photon::trace::Phase::generation_ended);
    if (core_alone() == StopRequest::stop) return StopRequest::stop;
    simulation_.heal_all();
    const SimTime limit = simulation_.now() + quiesce_limit(config_);
    // While the run drains, verification may return unregistered clicks.
    do {
      while (awaits_anything(limit)) {
        const SimTime next = simulation_.now() + kSlice;
        const bool in_time = simulation_.now() < limit;
        if (advance_to(in_time ? std::min(limit, next) : next) == StopRequest::stop)
          return StopRequest::stop;
      }
      if (advance_to(simulation_.now() + kDrainPeriod) == StopRequest::stop)
        return StopRequest::stop;
    } while (awaits_anything(limit));
    simulation_.catch_up();
    simulation_.mark_phase(photon::trace::Phase::finished);
    return StopRequest::go_on;
  }

  // DESIGN 6: some must do all that they can without the others.
  StopRequest core_alone() {
    if (config_.run.core.empty()) return StopRequest::go_on;
    const Core core = core_of(config_, simulation_.topology());
    simulation_.heal_but(core.lasting);
    simulation_.tap().record(photon::trace::Source::environment, sim::Party{}, core.chosen);
    const SimTime limit = simulation_.now() + quiesce_limit(config_);
    do {
      if (advance_to(std::min(limit, simulation_.now() + kSlice)) == StopRequest::stop)
        return StopRequest::stop;
    } while (simulation_.now() < limit && judge_.settled().unfinished_at_core() > 0);
    return StopRequest::go_on;
  }

  // Open clicks, up to the limit; and replicas that have not caught up yet, up to a limit of their
  // own.
  bool awaits_anything(SimTime limit) {
    if (!is_settled()) return simulation_.now() < limit;
    const analysis::Redundancy& redundancy = judge_.settled().redundancy();
    return redundancy.awaited() > 0 && simulation_.now() < limit + redundancy.longest();
  }

  // A client comes to the last operations when its own clock says so.
  bool is_settled() {
    const bool all_asked = !config_.registry_only() ||
                           simulation_.now() > generation_end_ + config_.clocks.skew_bound();
    return judge_.settled().open_clicks() == 0 && judge_.settled().open_operations() == 0 &&
           all_asked && environment_->all_shipped();
  }

  bool watches_importance() const {
    if (request_.judging != Judging::full) return false;
    return request_.stop_at.has_value() || !config_.rare.levels.empty();
  }

  JudgeStage stage_of_judge() const {
    // Importance is read from the evidence after each record.
    const bool apart = request_.workers > 1 && request_.trace == nullptr &&
                       request_.judging == Judging::full && !watches_importance();
    return apart ? JudgeStage::on_own_thread : JudgeStage::on_the_thread_of_the_run;
  }

  static std::optional<std::uint64_t> level_of(const RunRequest& request) {
    return request.stop_at ? std::optional(request.stop_at->level) : std::nullopt;
  }

  bool ends_at_level() {
    if (!request_.stop_at || !importance_.reached() || branched_) return false;
    if (!request_.stop_at->branch) return true;
    const auto seed = request_.stop_at->branch(simulation_.events());
    if (!seed) return true;
    branched_ = true;
    renew(*seed);
    return false;
  }

  void renew(std::uint64_t seed) {
    simulation_.renew(seed);
    environment_->renew(seed);
  }

  // Carries out the next change of the lineage if its event is the last that was dispatched;
  // returns the number of events until the next one.
  std::uint64_t renew_when_due() {
    const std::vector<LineageStep>& lineage = config_.rare.lineage;
    while (renewed_ < lineage.size() && lineage[renewed_].event <= simulation_.events()) {
      renew(lineage[renewed_++].seed);
    }
    if (renewed_ == lineage.size()) return std::numeric_limits<std::uint64_t>::max();
    return lineage[renewed_].event - simulation_.events();
  }

  StopRequest advance_to(SimTime target) {
    while (simulation_.now() < target) {
      const std::uint64_t until_change = renew_when_due();
      const std::int64_t second = simulation_.now().time_since_epoch() / kSlice;
      const std::uint64_t limit =
          event_limit(config_, simulation_.now(), environment_->generated());
      const std::uint64_t left = limit - std::min(limit, simulation_.events());
      simulation_.run_until(std::min(target, SimTime((second + 1) * kSlice)),
                            std::min({kEventsBetweenReports, left + 1, until_change}));
      judge_.settled();  // its failed checks name the same event with and without an observer
      if (ends_at_level()) return StopRequest::stop;
      if (request_.moments) moments_.note(second, marks_);
      if (simulation_.events() > limit) {
        exceeded_ = event_limit_text(config_, simulation_.now(), simulation_.events());
        return StopRequest::stop;
      }
      if (request_.observer == nullptr) continue;
      const RunObserver::Progress progress{seconds(simulation_.now()),
                                           seconds(generation_end_),
                                           share_done(),
                                           simulation_.events(),
                                           environment_->generated(),
                                           kept(sim::VolumeClass::host_disk),
                                           kept(sim::VolumeClass::shared_cell)};
      if (request_.observer->on_progress(progress) == StopRequest::stop) return StopRequest::stop;
    }
    return StopRequest::go_on;
  }

  double share_done() const {
    const bool registry = config_.registry_only();
    return share_of_work(
        {.now = seconds(simulation_.now()),
         .start = std::chrono::duration<double>(config_.run.warm_up).count(),
         .end = seconds(generation_end_),
         .asked = registry ? judge_.settled().load().asked() : environment_->generated(),
         .open = judge_.settled().open_clicks() + judge_.settled().open_operations()});
  }

  std::uint64_t kept(sim::VolumeClass kind) { return simulation_.volumes().bytes_kept(kind); }

  std::string describe(const sim::WitnessedEvent& event) const {
    const auto& processes = simulation_.topology().processes();
    const bool of_process = event.target < processes.size();
    return fmt::format(
        "event {} at {}, {} for {}, life {}, digest {:016x}", event.number,
        photon::in_seconds(event.at - SimTime{}), sim::name_of(sim::kind_of(event.tag)),
        of_process ? processes[event.target].path : fmt::format("actor {}", event.target),
        event.incarnation, event.digest);
  }

  std::string_view kind_of(std::uint32_t fault) const {
    return sim::name_of(simulation_.faults().list()[fault]);
  }

  static double seconds(SimTime at) {
    return static_cast<double>(photon::nanoseconds_of(at)) / 1e9;
  }

  void report(RunOutcome& outcome) {
    analysis::Summary& summary = outcome.summary;
    outcome.expectations = expectations_of(config_);
    summary.scenario = config_.scenario.name;
    summary.seed = request_.seed;
    summary.config_hash = fmt::format("{:016x}", config_hash(config_));
    summary.fingerprint = fmt::format("{:016x}", simulation_.fingerprint());
    summary.events = simulation_.events();
    summary.sim_seconds = seconds(simulation_.now());
    report_models(config_, simulation_, summary);
    report_faults(config_, plan_, simulation_, summary);
    outcome.fault_effects = states_.effects();
    outcome.moments = moments_.take();
    outcome.safety_violations = judge_.settled().violations().total(analysis::Severity::safety);
    outcome.liveness_violations = judge_.settled().violations().total(analysis::Severity::liveness);
    for (const auto& point : simulation_.kernel().fingerprints().check_points()) {
      outcome.checkpoints.push_back({photon::nanoseconds_of(point.at), point.events,
                                     fmt::format("{:016x}", point.fingerprint)});
    }
    for (const sim::WitnessedEvent& each : simulation_.kernel().fingerprints().watched()) {
      outcome.watched.push_back({each.number, describe(each)});
    }
    if (consequences_of(config_).unsynchronised_servers) {
      const photon::models::UnnamedEvents unnamed = environment_->unnamed();
      summary.unnamed = {{"queries", unnamed.queries}, {"clicks", unnamed.clicks}};
    }
    if (!outcome.is_complete()) return;
    if (request_.judging == Judging::none) return;
    OperationReport operations = report_operations(config_, deployment_, masters_, simulation_);
    summary.operations = std::move(operations.ends);
    summary.keep_series = config_.run.keep_series;
    summary.undecided_allowed = config_.run.indeterminate == IndeterminateIds::kAllow;
    // What was drawn at random may come at a bad moment.
    const bool drawn = config_.faults.inert == InertFaults::kAllow;
    if (!drawn) summary.unexpected_ends = std::move(operations.unexpected);
    analysis::summarise(judge_.settled(), summary);
    if (plan_.forced) {
      summary.rare =
          figures_of_forced_crash(plan_.list[*plan_.forced], judge_.settled().accounting(), config_,
                                  generation_end_ - SimTime{});
    }
    if (!summary.losses.empty() || !summary.violations.empty()) {
      if (const auto names = environment_->names()) analysis::name_events(summary, *names);
    }
    outcome.histograms = analysis::histograms_of(judge_.settled());
    if (request_.latencies) outcome.latencies = judge_.settled().latency().joined();
    if (request_.pairs) {
      outcome.pairs =
          analysis::joined_pairs(judge_.settled().evidence(), judge_.settled().accounting());
    }
  }

  FailedCheck failed_check(const sim::CheckFailed& failure) const {
    FailedCheck failed = scenarios::failed_check(failure.site, failure.message);
    const auto& processes = deployment_.topology.processes();
    if (failure.target.value() < processes.size()) {
      failed.process = processes[failure.target.value()].path;
    }
    failed.text = failure.what();
    if (!failed.process.empty()) failed.text += ", " + failed.process;
    return failed;
  }

  const Config& config_;
  RunRequest request_;
  const photon::MarkCounts& marks_;
  Deployment deployment_;
  std::unique_ptr<Environment> environment_;
  std::unique_ptr<photon::Adapter> adapter_;
  StagedJudge judge_;
  MasterWatch masters_;
  StateWatch states_;
  Moments moments_;
  PhotonProbe probe_;
  ImportanceWatch importance_;
  RecordTee tee_;
  StorageFacts storage_facts_;
  sim::Simulation simulation_;
  OutputRetention retention_;
  SimTime generation_end_{};
  FaultPlan plan_;
  bool branched_ = false;    // it goes on beyond a level that was reached
  std::size_t renewed_ = 0;  // steps of the lineage that are done
  std::string exceeded_{};   // the limit of events, in words; empty: it was not
};

// Without what the marks have counted.
photon::Result<RunOutcome, photon::models::InputFaults> carry_out(const RunRequest& request,
                                                                  const photon::MarkCounts& marks) {
  OutsideCheckSink checks;
  const photon::ScopedCheckSink scope(checks);
  try {
    Deployment deployment = deploy(*request.config);
    const ModelFaults faults = model_faults(*request.config, deployment);
    auto environment = Environment::create(*request.config, deployment, request.seed, faults);
    if (!environment) return std::move(environment).assume_error();
    auto& around = *environment.assume_value();
    auto excessive =
        excessive_faults(*request.config, around.generation_end(*request.config) - SimTime{});
    if (!excessive.empty()) return excessive;
    if (around.log() != nullptr && request.observer != nullptr) {
      request.observer->on_warnings(trace_warnings(*request.config, *around.log()));
    }
    SingleRun run(request, std::move(deployment), std::move(environment).assume_value(), marks);
    RunOutcome outcome = run.go();
    if (request.pairs) outcome.names = names_of(run.take_environment());
    return outcome;
  } catch (const OutsideCheckFailed& failure) {
    RunOutcome outcome;
    outcome.summary.scenario = request.config->scenario.name;
    outcome.summary.seed = request.seed;
    outcome.failed_check = failure.check;
    return outcome;
  }
}

photon::Result<RunOutcome, photon::models::InputFaults> run_once(const RunRequest& request) {
  photon::MarkCounts marks;
  const photon::ScopedMarkCounts scope(marks);
  auto finished = carry_out(request, marks);
  if (finished) finished.assume_value().marks = marks.hits();
  return finished;
}

// After a stage has failed: on one core the run ends at the event at which it fails, and says so.
photon::Result<RunOutcome, photon::models::InputFaults> run_alone(RunRequest request) {
  request.workers = 1;
  auto finished = run_once(request);
  if (!finished || !finished.assume_value().is_complete()) return finished;
  const photon::CheckSite here{__FILE__, __LINE__, "a run fails with any number of workers"};
  finished.assume_value().failed_check = failed_check(
      here, "a stage failed where one core does not: a race, or memory that only the stage lacked");
  return finished;
}

}  // namespace

analysis::JudgeConfig judge_config_of(const Config& config) {
  return judge_config(config, deploy(config));
}

analysis::TracePlaces places_of(const Config& config) { return places(deploy(config).topology); }

photon::Result<RunOutcome, photon::models::InputFaults> run_scenario(const RunRequest& request) {
  try {
    return run_once(request);
  } catch (const StageFailed&) {
    return run_alone(request);
  }
}

}  // namespace photonsim::scenarios
