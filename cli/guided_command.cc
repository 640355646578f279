// fuzz --guided: worlds that are changed a little when they have reached something new, until one
// fails or so many have run.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "analysis/reports/report_text.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/guided_runs.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/shrink_failures.h"
#include "cli/verdict.h"
#include "campaigns/guided/search.h"
#include "scenarios/language/loader.h"
#include "campaigns/reduce/shrink.h"

namespace photonsim::cli {
namespace {

namespace guided = scenarios::guided;

struct Failure {
  guided::World world{};
  std::uint64_t run = 0;     // its number, from 1
  std::uint64_t events = 0;  // of all runs up to it and of it
  int exit_code = 0;
  std::string text{};
  std::string file{};
  std::string story{};  // the file in which it stands made small; empty: none
};

// A world that could not be written has no command of its own.
std::string replay_of(const Failure& failure) {
  return failure.file.empty() ? "the same search comes by it again" : repro_line(failure.file);
}

class GuidedSearch {
 public:
  GuidedSearch(const GuidedCommand& command, guided::SearchOptions options)
      : command_(command), search_(std::move(options)) {}

  int carry_out() {
    const int verdict = generations();
    ended_ = Clock::now();
    return verdict;
  }

  // As scenarios that show them again: what is replayed depends on no later draw.
  bool write_failures() {
    if (failures_.empty()) return true;
    std::error_code ignored;
    std::filesystem::create_directories(command_.stories, ignored);
    for (Failure& each : failures_) {
      each.file = fmt::format("{}/guided-{}-{}.toml", command_.stories, command_.first, each.run);
      const std::string text =
          scenarios::shrink::story(each.world.config, {each.text, repro_line(each.file)});
      const auto written = photon::analysis::write_file(each.file, text);
      if (written) continue;
      complain(written.assume_error().message());
      for (Failure& unwritten : failures_) unwritten.file.clear();
      return false;
    }
    return true;
  }

  void name_first() const {
    if (failures_.empty()) return;
    const Failure& first = failures_.front();
    complain(fmt::format("{} of {} failed; the first: world {}: {}", failed_,
                         photon::analysis::counted(runs_, "world"), first.run, first.text));
    say("replay: " + replay_of(first) + "\n");
  }

  void tell_stories() {
    const auto wanted = std::min<std::size_t>(command_.shrunk, failures_.size());
    const ShrinkTime time(command_.shrink_time, command_.time, began_, wanted);
    for (std::size_t told = 0; told < wanted; ++told) {
      Failure& each = failures_[told];
      const std::string file = each.file.substr(0, each.file.size() - 5) + "-small.toml";
      const auto story = tell_story({each.world.config, file, repro_line(each.file),
                                     command_.memory, time.share(wanted - told)});
      if (!story) return complain(stories_left_out(wanted - told, wanted));
      say("shrunk: " + story->line + "\n");
      each.story = story->file;
    }
  }

  // The failures that were kept, how many there are besides, and why it broke off if it did.
  photon::analysis::CiReport ci_report() const {
    photon::analysis::CiReport report;
    report.suite = "photonsim fuzz --guided";
    report.runs = runs_;
    report.passed = runs_ - failed_;
    for (const Failure& each : failures_) {
      report.failures.push_back({fmt::format("world {}", each.run), each.exit_code, each.text,
                                 replay_of(each), each.story});
    }
    if (failed_ > failures_.size()) {
      report.failures.push_back({"more worlds", verdict_,
                                 fmt::format("{} more failed", failed_ - failures_.size()),
                                 "mend the first ones and run it again"});
    }
    report.failures.insert(report.failures.end(), others_.begin(), others_.end());
    report.wall_seconds = std::chrono::duration<double>(ended_ - began_).count();
    return report;
  }

  std::string text() const {
    using photon::analysis::grouped;
    std::string text = fmt::format(
        "{}{} worlds, {} kernel events, {} of them kept for what they reached, {} signals\n",
        cut_short_, grouped(runs_), grouped(events_), grouped(search_.corpus().size()),
        grouped(search_.corpus().signals()));
    text += failures_.empty() ? "no run failed\n" : fmt::format("{} failed\n", failed_);
    for (const Failure& each : failures_) {
      text += fmt::format("world {}, after {} events: {}\n  replay: {}\n", grouped(each.run),
                          grouped(each.events), each.text, replay_of(each));
    }
    return text;
  }

  std::string json() const {
    boost::json::array failures;
    for (const Failure& each : failures_) {
      failures.push_back(boost::json::object{
          {"run", each.run},
          {"events", each.events},
          {"exit_code", each.exit_code},
          {"what", each.text},
          {"file", each.file},
          {"story", each.story.empty() ? boost::json::value() : boost::json::value(each.story)}});
    }
    return boost::json::serialize(boost::json::object{{"runs", runs_},
                                                      {"events", events_},
                                                      {"failed", failed_},
                                                      {"kept", search_.corpus().size()},
                                                      {"signals", search_.corpus().signals()},
                                                      {"failures", std::move(failures)}}) +
           "\n";
  }

  bool has_failures() const { return !failures_.empty(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostTold = 20;

  int generations() {
    ProgressLine line("guided search");
    while (!over()) {
      const std::vector<guided::World> worlds = search_.plan();
      const std::vector<GuidedRun> runs =
          run_generation(worlds, search_.rare_marks(), {command_.jobs, command_.memory});
      if (runs.empty() && !interrupted()) {
        complain("cannot start a process for the search; ask for fewer with --jobs");
        return kEnvironment;
      }
      for (std::size_t i = 0; i < runs.size() && !enough(); ++i) {
        if (runs[i].exit_code == kUsage) return break_off(worlds[i], runs[i]);
        learn(worlds[i], runs[i]);
      }
      if (line.due()) show(line);
    }
    if (!interrupted()) return verdict_;
    complain("interrupted; this is what the generations before it have shown");
    cut_short_ = "INTERRUPTED after ";
    others_.push_back({"the search", kInterrupted, "it was interrupted", "run it again"});
    return kInterrupted;
  }

  bool enough() const {
    const bool failed = command_.fail_fast && meant_ > 0;
    const bool costs = command_.events != 0 && events_ >= command_.events;
    return failed || costs || runs_ > command_.last - command_.first;
  }
  bool over() const {
    const bool late = command_.time && Clock::now() - began_ > *command_.time;
    return enough() || late || interrupted();
  }

  // A world that cannot be run says nothing of the system, and the next would be no better.
  int break_off(const guided::World& world, const GuidedRun& run) {
    complain(run.text);
    const std::string where =
        fmt::format("so {} cannot be run with seed {}",
                    command_.scenario.empty() ? "swarm" : command_.scenario, world.config.run.seed);
    complain(where);
    others_.push_back({"the search", kUsage, run.text, where});
    cut_short_ = "BROKEN OFF after ";
    return kUsage;
  }

  void learn(const guided::World& world, const GuidedRun& run) {
    ++runs_;
    events_ += run.events;
    if (run.exit_code != kInertFault) verdict_ = worse_of(verdict_, run.exit_code);
    search_.learn(world, run.signals, run.events);
    // That something could not be checked (7) is no find.
    if (run.exit_code == kOk || run.exit_code == kInertFault) return;
    ++failed_;
    if (command_.oracle.empty() || run.text.find(command_.oracle + ",") != std::string::npos) {
      ++meant_;
    }
    if (failures_.size() == kMostTold) return;
    failures_.push_back({world, runs_, events_, run.exit_code, run.text, {}});
  }

  void show(ProgressLine& line) const {
    const auto planned = static_cast<double>(command_.last - command_.first + 1);
    line.show(static_cast<double>(runs_) / planned,
              fmt::format("{} worlds, {} kept, {} failed", runs_, search_.corpus().size(), failed_),
              "adding up");
  }

  const GuidedCommand& command_;
  guided::Search search_;
  std::uint64_t runs_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t meant_ = 0;  // of them: by the oracle that is asked for
  int verdict_ = kOk;
  std::string cut_short_{};  // how the report begins then
  std::vector<Failure> failures_{};
  std::vector<photon::analysis::CiFailure> others_{};
  Clock::time_point began_ = Clock::now();
  Clock::time_point ended_ = began_;
};

}  // namespace

namespace {

// Says so and returns false if faults cannot be drawn for it as for the worlds of the swarm.
bool searchable(const std::string& file, const scenarios::Config& config) {
  constexpr std::chrono::seconds kShortest{2};
  std::string lack;
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    lack = "its load is a trace; take one with a synthetic load";
  } else if (!config.run.duration || *config.run.duration < kShortest) {
    lack = "it is too short; give it a run.duration of two seconds at least";
  } else if (config.registry.replicas.size() < 3) {
    lack = "no replica of its registry may fail; give it three at least";
  }
  if (lack.empty()) return true;
  complain(file + " cannot be searched with drawn faults: " + lack);
  return false;
}

}  // namespace

int guided_search(const GuidedCommand& command) {
  guided::SearchOptions options;
  options.seed = command.first;
  options.feedback = command.feedback ? guided::Feedback::on : guided::Feedback::off;
  if (command.scenario.empty()) {
    options.draw = [&](std::uint64_t seed) {
      return scenarios::swarm::scenario(command.swarm, seed);
    };
  } else {
    const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    if (!searchable(command.scenario, loaded.config())) return kUsage;
    options.draw = [config = loaded.config()](std::uint64_t seed) {
      return guided::with_drawn_faults(config, seed);
    };
  }
  if (!command.ci.can_write_file()) return kEnvironment;
  watch_interrupts();
  GuidedSearch search(command, std::move(options));
  int code = search.carry_out();
  const bool kept = search.write_failures();
  if (!kept) code = kEnvironment;
  search.name_first();
  const bool written = command.ci.write_file(search.ci_report());
  if (!written) code = kEnvironment;
  if (kept && command.shrunk > 0 && search.has_failures()) {
    search.tell_stories();
    if (written && !command.ci.write_file(search.ci_report())) code = kEnvironment;
  }
  command.ci.annotate(search.ci_report());
  return print_and_exit_with(command.form == OutputForm::json ? search.json() : search.text(),
                             code);
}

}  // namespace photonsim::cli
