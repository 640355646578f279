// Many seeds of a few scenarios, in as many processes as asked for: each child runs its share one
// after the other and says of each run one line on a pipe; the parent adds them up. Processes, not
// threads: a run that kills its process kills no other, and nothing is shared.
#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/campaign.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

struct Share {
  const CampaignCommand& command;
  const std::vector<scenarios::Config>& configs;
  unsigned worker = 0;
};

std::string replay_line(const CampaignCommand& command, std::size_t scenario, std::uint64_t seed) {
  std::string line = "photonsim run " + command.scenarios[scenario];
  for (const std::string& each : command.overrides) line += " --set '" + each + "'";
  return line + " --seed " + std::to_string(seed);
}

// What is wrong with a run; empty if nothing is.
std::string complaint_of(const scenarios::RunOutcome& outcome) {
  if (outcome.failed_check) return "a check of the code failed: " + outcome.failed_check->text;
  if (outcome.summary.violations.empty()) return analysis::checks_not_made(outcome.summary);
  const auto& first = outcome.summary.violations.front();
  return fmt::format("{} violations; the first: {}, {}", outcome.summary.violations_total,
                     first.oracle, first.message);
}

// "count count ...", and behind a tab what is wrong and how to see it again.
std::string line_of(const scenarios::RunOutcome& outcome, const std::string& replay) {
  std::string line;
  for (const auto& [name, count] : analysis::campaign_counts(outcome.summary)) {
    line += std::to_string(count) + " ";
  }
  std::string complaint = complaint_of(outcome);
  if (!complaint.empty()) {
    for (char& each : complaint) {
      if (each == '\n' || each == '\t') each = ' ';
    }
    line += "\t" + complaint + "\t" + replay;
  }
  return line + "\n";
}

bool write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The life of a child. Seeds are dealt in turn, and so are the scenarios to the seeds.
int work(const Share& share, int to) {
  const CampaignCommand& command = share.command;
  for (std::uint64_t at = share.worker; at <= command.last - command.first; at += command.jobs) {
    const std::uint64_t seed = command.first + at;
    const auto scenario = static_cast<std::size_t>(at % share.configs.size());
    scenarios::Config config = share.configs[scenario];
    config.run.seed = seed;
    const auto finished = scenarios::run_scenario({&config, seed, nullptr, nullptr});
    if (!finished) return kUsage;
    if (!write_all(to, line_of(finished.assume_value(), replay_line(command, scenario, seed)))) {
      return kEnvironment;
    }
  }
  return kOk;
}

struct Worker {
  pid_t process = -1;
  int from = -1;
  std::string text{};  // read and not yet a whole line
};

void take_line(std::string_view line, analysis::CampaignSum& sum) {
  const std::size_t tab = line.find('\t');
  std::string_view counts = line.substr(0, tab);
  std::vector<std::uint64_t> numbers;
  while (!counts.empty()) {
    const std::size_t blank = counts.find(' ');
    std::uint64_t number = 0;
    std::from_chars(counts.data(), counts.data() + std::min(blank, counts.size()), number);
    numbers.push_back(number);
    counts.remove_prefix(blank == std::string_view::npos ? counts.size() : blank + 1);
  }
  sum.add(numbers);
  if (tab == std::string_view::npos) return;
  const std::string_view rest = line.substr(tab + 1);
  const std::size_t second = rest.find('\t');
  sum.add({std::string(rest.substr(second + 1)), std::string(rest.substr(0, second))});
}

// False at the end of what the worker says.
bool take_some(Worker& worker, analysis::CampaignSum& sum) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t got = ::read(worker.from, buffer.data(), buffer.size());
  if (got <= 0) return false;
  worker.text.append(buffer.data(), static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = worker.text.find('\n', begin)) != std::string::npos;) {
    take_line(std::string_view(worker.text).substr(begin, end - begin), sum);
    begin = end + 1;
  }
  worker.text.erase(0, begin);
  return true;
}

bool start(const Share& share, Worker& worker) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return false;
  worker.process = ::fork();
  if (worker.process == 0) {
    ::close(ends[0]);
    ::_exit(work(share, ends[1]));
  }
  ::close(ends[1]);
  worker.from = ends[0];
  return worker.process > 0;
}

void listen(std::vector<Worker>& workers, analysis::CampaignSum& sum) {
  std::vector<pollfd> waited;
  for (const Worker& each : workers) waited.push_back({each.from, POLLIN, 0});
  for (std::size_t open = workers.size(); open > 0;) {
    if (::poll(waited.data(), waited.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < waited.size(); ++i) {
      if (waited[i].revents == 0 || take_some(workers[i], sum)) continue;
      ::close(waited[i].fd);
      waited[i].fd = -1;  // poll passes over it
      --open;
    }
  }
}

}  // namespace

int campaign(const CampaignCommand& command) {
  std::vector<scenarios::Config> configs;
  for (const std::string& file : command.scenarios) {
    const scenarios::LoadResult loaded = scenarios::load(file, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    configs.push_back(loaded.config());
  }
  const auto began = std::chrono::steady_clock::now();
  std::vector<Worker> workers(command.jobs);
  for (unsigned i = 0; i < command.jobs; ++i) {
    if (start({command, configs, i}, workers[i])) continue;
    complain("cannot start a process for the campaign");
    return kEnvironment;
  }
  analysis::CampaignSum sum;
  listen(workers, sum);
  bool broken = false;
  for (const Worker& each : workers) {
    int status = 0;
    ::waitpid(each.process, &status, 0);
    broken |= status != 0;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const int verdict = sum.failed() > 0 ? kSafetyViolation : kOk;
  if (broken) {
    complain(fmt::format("a process of the campaign died; {} of {} runs ended", sum.runs(),
                         command.last - command.first + 1));
  }
  const std::string text =
      command.form == OutputForm::json ? sum.json(seconds) + "\n" : sum.text(seconds);
  return print_and_exit_with(text, broken ? kInternal : verdict);
}

}  // namespace photonsim::cli
