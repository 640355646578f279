#include "cli/shrink_failures.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "analysis/reports/report_text.h"
#include "cli/child_process.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"
#include "campaigns/reduce/pieces.h"
#include "campaigns/reduce/shrink.h"

namespace photonsim::cli {
namespace {

namespace shrink = scenarios::shrink;
using Clock = ShrinkTime::Clock;

constexpr const char* kNoTime = "no story: there was no time for it; --shrink-time gives more";

// What the runs of a story depend on, besides the machine: if it is the same, so is the story.
std::string origin_of(const StoryTask& task) {
  return fmt::format("{} (scenario {:016x}, model {})", task.command,
                     scenarios::config_hash(task.config), model_version());
}

// How a story of that run stands in the file.
enum class Told : std::uint8_t {
  no,
  cut_short,  // with no more time than it had, it would not become smaller
  more_time,  // cut short, and there is more time now
  wholly,
};

// How long a story may take is what others leave: only a quarter more is more.
Told told(const StoryTask& task) {
  std::ifstream file(task.file);
  const std::string wanted = shrink::origin_line(origin_of(task));
  Told found = Told::no;
  std::string line;
  while (std::getline(file, line) && line.starts_with('#')) {
    if (line == wanted) found = Told::wholly;
    const auto had = shrink::cut_short_in(line);
    if (found == Told::no || !had) continue;
    found = task.time / 5 * 4 > *had ? Told::more_time : Told::cut_short;
  }
  return found;
}

// Is it a story of the run that this command shows, by whatever version of the program?
bool is_of(const std::string& file, const std::string& command) {
  std::ifstream story(file);
  const std::string wanted = shrink::origin_line(command + " (scenario ");
  std::string line;
  while (std::getline(story, line) && line.starts_with('#')) {
    if (line.starts_with(wanted)) return true;
  }
  return false;
}

// What has the name and is not of that run stays: worlds of different tiers have the same names and
// seeds, and a scenario that fails may be a story itself.
std::string story_file(const std::string& name, const std::string& command) {
  std::string file = name + ".toml";
  for (int number = 2; std::filesystem::exists(file) && !is_of(file, command); ++number) {
    file = fmt::format("{}-{}.toml", name, number);
  }
  return file;
}

// When no further run should begin, as it would not end in time: a run takes about as long as the
// one before it, and one more is needed to tell the story.
class Enough {
 public:
  Enough(Clock::time_point began, Clock::time_point deadline) : last_(began), deadline_(deadline) {}

  bool operator()() {
    const auto now = Clock::now();
    const auto took = now - last_;
    last_ = now;
    return now + 2 * took > deadline_;
  }

 private:
  Clock::time_point last_;
  Clock::time_point deadline_;
};

// In its own process: one line about what came of it, which is a story if it does not say no.
std::string make_story(const StoryTask& task) {
  const auto began = Clock::now();
  const auto deadline = began + task.time / 10 * 9;
  const scenarios::Config& config = task.config;
  const auto ran = scenarios::run_scenario({&config, config.run.seed, nullptr, nullptr});
  if (!ran) return "no story: it cannot be run";
  const auto kind = shrink::kind_of(ran.assume_value());
  if (!kind) return "no story: nothing was violated";
  Enough enough(began, deadline);
  const shrink::Shrunk shrunk = shrink::shrink(config, *kind, [&] { return enough(); });
  const auto again =
      scenarios::run_scenario({&shrunk.config, shrunk.config.run.seed, nullptr, nullptr});
  const std::string fails = kind->oracle + ", " + shrink::message_of(again.assume_value(), *kind);
  std::optional<std::chrono::nanoseconds> time_of_cut;
  if (!shrunk.exhausted) time_of_cut = task.time;
  const auto written = photon::analysis::write_file(
      task.file,
      shrink::story(shrunk.config, {fails, repro_line(task.file), origin_of(task), time_of_cut}));
  if (!written) return "no story: " + written.assume_error().message();
  const std::chrono::duration<double> took = Clock::now() - began;
  return fmt::format("{}: {} of {} faults and operations left after {} in {:.1f} s{}", task.file,
                     shrink::events_of(shrunk.config), shrink::events_of(config),
                     photon::analysis::counted(shrunk.runs, "run"), took.count(),
                     shrunk.exhausted ? "" : " (there was no time for more)");
}

}  // namespace

std::optional<Story> tell_story(const StoryTask& task) {
  const Told before = told(task);
  if (before == Told::wholly) {
    return Story{task.file,
                 task.file + ": it was made from this run before; remove it to have it made anew"};
  }
  if (before == Told::cut_short) {
    return Story{task.file, task.file +
                                ": it was made from this run before, in no less time; "
                                "--shrink-time gives more"};
  }
  const auto deadline = Clock::now() + task.time;
  ChildProcess child;
  const bool started = child.start([&](int to) {
    limit_memory(task.memory);
    return write_all(to, make_story(task)) ? kOk : kEnvironment;
  });
  if (!started) return Story{{}, "no story: there is no process to be had"};
  std::string text;
  for (bool goes_on = true; goes_on;) {
    if (interrupted()) return std::nullopt;
    if (Clock::now() > deadline) {
      child.signal(SIGKILL);
      child.reap();
      if (before != Told::no) {
        return Story{task.file, task.file +
                                    ": there was no time to make it smaller than it is; "
                                    "--shrink-time gives more"};
      }
      return told(task) != Told::no ? Story{task.file, task.file} : Story{{}, kNoTime};
    }
    if (!readable({child.pipe()}).empty()) goes_on = child.read_some(text);
  }
  const std::string how = child.reap();
  if (!how.empty()) return Story{{}, "no story: the process that made it " + how};
  return Story{text.starts_with("no story") ? std::string() : task.file, text};
}

std::string stories_left_out(std::size_t left_out, std::size_t all) {
  return fmt::format(
      "interrupted while failures were made small: {} of {} were left out; their replay lines show "
      "them as they are, and the same command makes them small",
      left_out, all);
}

photon::analysis::StoryFiles shrink_failures(const CampaignPlan& plan,
                                             const std::vector<std::uint64_t>& runs,
                                             Clock::time_point began) {
  const CampaignCommand& command = plan.command;
  const ShrinkTime time(command.shrink_time, command.time, began, runs.size());
  photon::analysis::StoryFiles files;
  for (std::size_t told = 0; told < runs.size(); ++told) {
    const scenarios::Config config = plan.config_of(runs[told]);
    const std::string replay = plan.replay_of(runs[told]);
    const std::string file = story_file(
        fmt::format("{}/{}-{}", command.stories, config.scenario.name, config.run.seed), replay);
    std::optional<Story> story;
    if (!interrupted()) {
      story = tell_story({config, file, replay, command.memory, time.share(runs.size() - told)});
    }
    if (!story) {
      complain(stories_left_out(runs.size() - told, runs.size()));
      break;
    }
    say("shrunk: " + story->line + "\n");
    if (story->file.empty()) continue;
    files[{plan.scenario_of(runs[told]), plan.seed_of(runs[told])}] = story->file;
  }
  return files;
}

}  // namespace photonsim::cli
