#include "tests/cli/program.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace photonsim::cli::testing {

namespace fs = std::filesystem;

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

RunningProgram::RunningProgram(const Arguments& arguments, std::string stdout_file,
                               std::optional<std::string> stderr_file, ProcessGroup group)
    : out_(stdout_file.empty() ? folder_.file("out") : std::move(stdout_file)),
      err_(stderr_file ? *stderr_file : folder_.file("err")) {
  std::vector<std::string> words{PHOTONSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out_.c_str(), kCreate, 0600);
  if (err_.empty()) {
    posix_spawn_file_actions_addclose(&files, STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err_.c_str(), kCreate, 0600);
  }
  posix_spawnattr_t attributes;  // the group is that of the new process unless one is named
  posix_spawnattr_init(&attributes);
  // Whatever the tests inherited (nohup ignores SIGHUP), the program gets the default actions.
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  const int own_group = group == ProcessGroup::its_own ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(own_group | POSIX_SPAWN_SETSIGDEF));
  const int error = ::posix_spawn(&process_, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("the program cannot be started: " PHOTONSIM_PROGRAM);
}

RunningProgram::~RunningProgram() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

std::vector<pid_t> RunningProgram::children() const {
  const std::string number = std::to_string(process_);
  std::istringstream list(text_of("/proc/" + number + "/task/" + number + "/children"));
  std::vector<pid_t> found;
  for (pid_t child = 0; list >> child;) found.push_back(child);
  return found;
}

void RunningProgram::signal(int number) const { ::kill(process_, number); }

void RunningProgram::signal_group(int number) const { ::kill(-process_, number); }

Ran RunningProgram::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  const bool exited = WIFEXITED(status);
  Ran ran{exited ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          fs::is_regular_file(out_) ? text_of(out_) : std::string(),
          fs::is_regular_file(err_) ? text_of(err_) : std::string()};
  ran.progress = take_progress(ran.err);
  return ran;
}

std::string take_progress(std::string& err) {
  static const std::regex progress(
      R"re([^:]+: (\d+ of \d+ runs ended, \d+ failed|)re"
      R"re(\d+ of \d+ s simulated, \d+ clicks, [\d.]+ M events|)re"
      R"re(\d+ of \d+ MB read, [\d.]+ M records))re"
      R"re((, about [\d.]+ (s|min|h) left|, adding up|, draining|, judging the end)?\n)re");
  std::string taken;
  std::string kept;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size() - 1) + 1;
    const std::string line = err.substr(begin, end - begin);
    (std::regex_match(line, progress) ? taken : kept) += line;
    begin = end;
  }
  err = std::move(kept);
  return taken;
}

unsigned long used_by(pid_t process) {
  const std::string stat = text_of("/proc/" + std::to_string(process) + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  unsigned long ticks = 0;
  fields >> ticks;
  return ticks;
}

std::string included(const std::string& file) {
  return "include = [\"" + std::filesystem::absolute(file).string() + "\"]\n";
}

std::string with_inert_fault(const Folder& folder) {
  return folder.write("inert.toml", included("scenarios/registry/quiet.toml") + R"(
[run]
duration = "6s"
warm_up = "0s"
[[faults.crash]]
process = "registry/0@us-west2"
at = "2s"
restart_after = "2s"
[[faults.crash]]
process = "registry/0@us-west2"
at = "3s"
restart_after = "500ms"
)");
}

Ran run_program(const Arguments& arguments, std::string stdout_file) {
  return RunningProgram(arguments, std::move(stdout_file)).wait();
}

Arguments short_run(const Arguments& more) {
  Arguments arguments{"run",   "scenarios/healthy.toml", "--set", "run.duration=20s",
                      "--set", "run.warm_up=2s",         "--set", "workload.synthetic.clicks=50"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string without_measurements(std::string json) {
  static const std::regex measured(R"re("(wall_seconds|peak_rss_bytes)":[^,}]*)re");
  return std::regex_replace(json, measured, "\"$1\":0");
}

std::string without_environment(std::string json) {
  static const std::regex environment(R"re("(network|storage)":\{[^}]*\},)re");
  return std::regex_replace(json, environment, "");
}

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string never_answered(const Folder& folder) {
  std::string text = "include = [\"" +
                     std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
                     "\"]\n[scenario]\nname = \"mute\"\n[run]\nduration = \"3s\"\n"
                     "warm_up = \"0s\"\n[workload.registry]\nrate = 5\n";
  for (const char* datacenter : {"us-west1", "us-west2", "us-central1"}) {
    text += "[[faults.crash]]\nprocess = \"registry/0@" + std::string(datacenter) +
            "\"\nat = \"1s\"\nrestart_after = \"100ms\"\nlose_disk = true\n";
  }
  return folder.write("mute.toml", text);
}

std::string without_clock(const std::string& report) {
  static const std::regex seconds(
      R"re("(wall|cpu|median_cpu)_seconds":[^,}]*|"runs_done_before":\d+)re");
  static const std::regex lines(
      R"re(^(\d+ runs? (\([0-9,]+ done before\) )?in [^,]*,|  (events|simulated|processor) .*))re");
  std::string kept;
  std::istringstream text(std::regex_replace(report, seconds, ""));
  for (std::string line; std::getline(text, line);) {
    kept += std::regex_replace(line, lines, "") + "\n";
  }
  return kept;
}

}  // namespace photonsim::cli::testing
