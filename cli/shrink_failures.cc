#include "cli/shrink_failures.h"

#include <chrono>

#include <fmt/format.h>

#include "analysis/draft_file.h"
#include "cli/child_process.h"
#include "cli/exit_codes.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "scenarios/shrink/pieces.h"
#include "scenarios/shrink/shrink.h"

namespace photonsim::cli {
namespace {

namespace shrink = scenarios::shrink;
using Clock = std::chrono::steady_clock;

// In its own process: one line about what came of it.
std::string make_story(const scenarios::Config& config, const std::string& file) {
  const auto began = Clock::now();
  const auto deadline = began + std::chrono::duration<double>(kShrinkSeconds);
  const auto ran = scenarios::run_scenario({&config, config.run.seed, nullptr, nullptr});
  if (!ran) return "no story: it cannot be run";
  const auto kind = shrink::kind_of(ran.assume_value());
  if (!kind) return "no story: nothing was violated";
  const shrink::Shrunk shrunk =
      shrink::shrink(config, *kind, [&] { return Clock::now() > deadline; });
  const auto again =
      scenarios::run_scenario({&shrunk.config, shrunk.config.run.seed, nullptr, nullptr});
  const std::string fails = kind->oracle + ", " + shrink::message_of(again.assume_value(), *kind);
  const auto written =
      photon::analysis::write_file(file, shrink::story(shrunk.config, fails, repro_line(file)));
  if (!written) return "no story: " + written.assume_error().message();
  const std::chrono::duration<double> took = Clock::now() - began;
  return fmt::format("{}: {} of {} faults and operations left after {} runs in {:.1f} s{}", file,
                     shrink::events_of(shrunk.config), shrink::events_of(config), shrunk.runs,
                     took.count(), shrunk.exhausted ? "" : " (there was no time for more)");
}

}  // namespace

std::optional<std::string> tell_story(const scenarios::Config& config, const std::string& file,
                                      std::uint64_t memory) {
  ChildProcess child;
  const bool started = child.start([&](int to) {
    limit_memory(memory);
    return write_all(to, make_story(config, file)) ? kOk : kEnvironment;
  });
  if (!started) return "no story: there is no process to be had";
  std::string text;
  for (bool goes_on = true; goes_on;) {
    if (interrupted()) return std::nullopt;
    if (!readable({child.pipe()}).empty()) goes_on = child.read_some(text);
  }
  const std::string how = child.reap();
  return how.empty() ? text : "no story: the process that made it " + how;
}

std::string stories_left_out(std::size_t left_out, std::size_t all) {
  return fmt::format(
      "interrupted while failures were made small: {} of {} were left out; their replay lines show "
      "them as they are, and the same command makes them small",
      left_out, all);
}

std::vector<std::string> shrink_failures(const CampaignPlan& plan,
                                         const std::vector<std::uint64_t>& runs) {
  std::vector<std::string> lines;
  for (const std::uint64_t run : runs) {
    if (interrupted()) break;
    const scenarios::Config config = plan.config_of(run);
    const std::string file =
        fmt::format("{}/{}-{}.toml", plan.command.stories, config.scenario.name, config.run.seed);
    const std::optional<std::string> line = tell_story(config, file, plan.command.memory);
    if (!line) break;
    lines.push_back(*line);
  }
  return lines;
}

}  // namespace photonsim::cli
