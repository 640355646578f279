#include "cli/shrink_failures.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/draft_file.h"
#include "cli/progress.h"
#include "scenarios/shrink/pieces.h"
#include "scenarios/shrink/shrink.h"

namespace photonsim::cli {
namespace {

namespace shrink = scenarios::shrink;
using Clock = std::chrono::steady_clock;

// In its own process: one line about what came of it.
std::string make_story(const scenarios::Config& config, const std::string& file, double seconds) {
  const auto began = Clock::now();
  const auto deadline = began + std::chrono::duration<double>(seconds);
  const auto ran = scenarios::run_scenario({&config, config.run.seed, nullptr, nullptr});
  if (!ran) return "no story: it cannot be run";
  const auto kind = shrink::kind_of(ran.assume_value());
  if (!kind) return "no story: nothing was violated";
  const shrink::Shrunk shrunk =
      shrink::shrink(config, *kind, [&] { return Clock::now() > deadline; });
  const auto again =
      scenarios::run_scenario({&shrunk.config, shrunk.config.run.seed, nullptr, nullptr});
  const std::string message = shrink::message_of(again.assume_value(), *kind);
  const auto written =
      photon::analysis::write_file(file, shrink::story(shrunk.config, *kind, message));
  if (!written) return "no story: " + written.assume_error().message();
  const std::chrono::duration<double> took = Clock::now() - began;
  return fmt::format("{}: {} of {} faults and operations left after {} runs in {:.1f} s{}", file,
                     shrink::events_of(shrunk.config), shrink::events_of(config), shrunk.runs,
                     took.count(), shrunk.exhausted ? "" : " (there was no time for more)");
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(from, buffer.data(), buffer.size())) != 0;) {
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  return text;
}

}  // namespace

std::string tell_story(const scenarios::Config& config, const std::string& file, double seconds) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no story: there is no pipe to be had";
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    const std::string text = make_story(config, file, seconds);
    const bool said = ::write(ends[1], text.data(), text.size()) >= 0;
    ::_exit(said ? 0 : 1);
  }
  ::close(ends[1]);
  const std::string text = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text.empty() ? "no story: the process that made it died" : text;
}

std::vector<std::string> shrink_failures(const CampaignPlan& plan,
                                         const std::vector<std::uint64_t>& runs, double seconds) {
  std::vector<std::string> lines;
  for (const std::uint64_t run : runs) {
    if (interrupted()) break;
    const scenarios::Config config = plan.config_of(run);
    const std::string file =
        fmt::format("{}/{}-{}.toml", plan.command.stories, config.scenario.name, config.run.seed);
    lines.push_back(tell_story(config, file, seconds));
  }
  return lines;
}

}  // namespace photonsim::cli
