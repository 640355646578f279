// fuzz --guided: a guided campaign, told to people and to CI.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/trace_files/draft_file.h"
#include "campaigns/guided/guided_campaign.h"
#include "campaigns/reduce/minimize.h"
#include "campaigns/reduce/shrink.h"
#include "campaigns/reduce/time_share.h"
#include "campaigns/runs/verdict.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace guided = scenarios::guided;
using campaigns::GuidedFailure;
using campaigns::GuidedResult;
using End = GuidedResult::End;

campaigns::PoolLimits limits_of(const GuidedCommand& command) {
  campaigns::PoolLimits limits;
  limits.jobs = command.jobs;
  limits.memory = command.memory;
  return limits;
}

class GuidedReport {
 public:
  GuidedReport(const GuidedCommand& command, GuidedResult result)
      : command_(command), result_(std::move(result)), stories_(result_.failures.size()) {}

  // Says why it broke off, if it did; returns its exit code.
  int explain_end() {
    for (const std::string& each : result_.why) complain(each);
    if (result_.end == End::refused) {
      others_.push_back({"the search", kUsage, result_.why.front(), result_.why.back()});
    }
    if (result_.end == End::interrupted) {
      complain("interrupted; this is what the generations before it have shown");
      others_.push_back({"the search", interrupt_exit_code(), "it was interrupted", "run it again"});
    }
    switch (result_.end) {
      case End::complete:
        return result_.verdict;
      case End::interrupted:
        return interrupt_exit_code();
      case End::refused:
        return kUsage;
      case End::no_process:
        break;
    }
    return kEnvironment;
  }

  // As scenarios that show them again: what is replayed depends on no later draw.
  bool write_failures() {
    if (result_.failures.empty()) return true;
    std::error_code ignored;
    std::filesystem::create_directories(command_.stories, ignored);
    for (const GuidedFailure& each : result_.failures) {
      const std::string file =
          fmt::format("{}/guided-{}-{}.toml", command_.stories, command_.first, each.run);
      const std::string text = scenarios::shrink::repro_text(
          each.world.config, {each.text, campaigns::repro_line(file)});
      const auto written = analysis::write_file(file, text);
      if (!written) {
        complain(written.assume_error().message());
        files_.clear();
        return false;
      }
      files_.push_back(file);
    }
    return true;
  }

  void name_first() const {
    if (result_.failures.empty()) return;
    const GuidedFailure& first = result_.failures.front();
    complain(fmt::format("{} of {} failed; the first: configuration {}: {}", result_.failed,
                         analysis::counted(result_.runs, "configuration"), first.run, first.text));
    say("replay: " + replay_of(0) + "\n");
  }

  void minimize(Console& console, campaigns::WallClock::time_point began) {
    const auto wanted = std::min<std::size_t>(command_.shrunk, result_.failures.size());
    const campaigns::TimeShare time(command_.shrink_time, command_.time, began, wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
      const std::string file = files_[i].substr(0, files_[i].size() - 5) + "-small.toml";
      const auto repro =
          campaigns::minimize({result_.failures[i].world.config, file, replay_of(i),
                               model_version(), limits_of(command_), time.share(wanted - i)},
                              console);
      if (!repro) return complain(campaigns::repros_left_out(wanted - i, wanted));
      say("minimized: " + repro->line + "\n");
      stories_[i] = repro->file;
    }
  }

  // The failures that were kept, how many there are besides, and why it broke off if it did.
  analysis::CiReport ci() const {
    analysis::CiReport report;
    report.suite = "photonsim fuzz --guided";
    report.runs = result_.runs;
    report.passed = result_.runs - result_.failed;
    for (std::size_t i = 0; i < result_.failures.size(); ++i) {
      const GuidedFailure& each = result_.failures[i];
      report.failures.push_back({fmt::format("configuration {}", each.run), each.exit_code,
                                 each.text, replay_of(i), stories_[i]});
    }
    if (result_.failed > result_.failures.size()) {
      report.failures.push_back(
          {"more configurations", result_.verdict,
           fmt::format("{} more failed", result_.failed - result_.failures.size()),
           "mend the first ones and run it again"});
    }
    report.failures.insert(report.failures.end(), others_.begin(), others_.end());
    report.wall_seconds = result_.wall_seconds;
    return report;
  }

  std::string text() const {
    using analysis::grouped;
    const char* const cut_short = result_.end == End::interrupted ? "INTERRUPTED after "
                                  : result_.end == End::complete  ? ""
                                                                  : "BROKEN OFF after ";
    std::string text = fmt::format(
        "{}{} configurations, {} kernel events, a corpus of {} configurations with {} features\n",
        cut_short, grouped(result_.runs), grouped(result_.events), grouped(result_.corpus),
        grouped(result_.features));
    text +=
        result_.failures.empty() ? "no run failed\n" : fmt::format("{} failed\n", result_.failed);
    for (std::size_t i = 0; i < result_.failures.size(); ++i) {
      const GuidedFailure& each = result_.failures[i];
      text += fmt::format("configuration {}, after {} events: {}\n  replay: {}\n",
                          grouped(each.run), grouped(each.events), each.text, replay_of(i));
    }
    return text;
  }

  std::string json() const {
    boost::json::array failures;
    for (std::size_t i = 0; i < result_.failures.size(); ++i) {
      const GuidedFailure& each = result_.failures[i];
      const auto name = [](const std::string& file) {
        return file.empty() ? boost::json::value() : boost::json::value(file);
      };
      failures.push_back(boost::json::object{{"run", each.run},
                                             {"events", each.events},
                                             {"exit_code", each.exit_code},
                                             {"what", each.text},
                                             {"file", files_.empty() ? "" : files_[i]},
                                             {"story", name(stories_[i])}});
    }
    return boost::json::serialize(boost::json::object{{"runs", result_.runs},
                                                      {"events", result_.events},
                                                      {"failed", result_.failed},
                                                      {"corpus", result_.corpus},
                                                      {"features", result_.features},
                                                      {"failures", std::move(failures)}}) +
           "\n";
  }

  bool has_failures() const { return !result_.failures.empty(); }

 private:
  // A configuration that could not be written has no command of its own.
  std::string replay_of(std::size_t failure) const {
    return files_.empty() ? "the same search comes by it again"
                          : campaigns::repro_line(files_[failure]);
  }

  const GuidedCommand& command_;
  GuidedResult result_;
  std::vector<std::string> files_{};  // of the failures; empty if they cannot be written
  std::vector<std::string> stories_;  // minimized repros of them; empty name: none
  std::vector<analysis::CiFailure> others_{};
};

}  // namespace

int guided_search(const GuidedCommand& command) {
  campaigns::GuidedSpec spec;
  spec.name = command.scenario.empty() ? "swarm" : command.scenario;
  spec.first = command.first;
  spec.most_runs = command.last - command.first + 1;
  spec.most_events = command.events;
  spec.limits = limits_of(command);
  spec.time = command.time;
  spec.fail_fast = command.fail_fast;
  spec.oracle = command.oracle;
  spec.search.seed = command.first;
  spec.search.feedback = command.feedback ? guided::Feedback::on : guided::Feedback::off;
  spec.search.draw = [&](std::uint64_t seed) {
    return scenarios::swarm::scenario(command.swarm, seed);
  };
  if (!command.scenario.empty()) {
    const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    if (const std::string lack = campaigns::not_searchable(loaded.config()); !lack.empty()) {
      complain(command.scenario + " cannot be searched with drawn faults: " + lack);
      return kUsage;
    }
    spec.search.draw = [config = loaded.config()](std::uint64_t seed) {
      return guided::with_drawn_faults(config, seed);
    };
  }
  if (!command.ci.can_write_file()) return kEnvironment;
  watch_interrupts();
  const auto began = campaigns::WallClock::now();
  Console console("guided search");
  GuidedResult result = campaigns::run_guided(spec, console);
  console.clear();
  GuidedReport report(command, std::move(result));
  int code = report.explain_end();
  const bool kept = report.write_failures();
  if (!kept) code = kEnvironment;
  report.name_first();
  const bool written = command.ci.write_file(report.ci());
  if (!written) code = kEnvironment;
  if (kept && command.shrunk > 0 && report.has_failures()) {
    report.minimize(console, began);
    if (written && !command.ci.write_file(report.ci())) code = kEnvironment;
  }
  command.ci.annotate(report.ci());
  return print_and_exit_with(command.form == OutputForm::json ? report.json() : report.text(),
                             code);
}

}  // namespace photonsim::cli
