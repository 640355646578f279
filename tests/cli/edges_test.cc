// The edges of the program: mistyped words, closed pipes, signals, terminals, memory, hostile
// input.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string refused_with_2(const Arguments& arguments) {
  const Ran ran = run_program(arguments);
  CAPTURE(arguments, ran.out, ran.err);
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(std::ranges::count(ran.err, '\n') == 1);
  return ran.err;
}

// The program with a standard output that has no reader.
Ran run_without_reader(const Arguments& arguments) {
  const Folder folder;
  const std::string err = folder.file("err");
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  ::close(ends[0]);
  std::vector<std::string> words{PHOTONSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(126);
  }
  ::close(ends[1]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), {}, text_of(err), {}};
}

// Sets a variable of the environment, or removes it, until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> before_{};
};

// What a line of progress writes on a terminal.
std::string drawn_on_terminal(const std::string& what) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  const int usual = ::dup(STDERR_FILENO);
  const int slave = ::open(::ptsname(terminal), O_WRONLY | O_NOCTTY);
  REQUIRE(::dup2(slave, STDERR_FILENO) == STDERR_FILENO);
  {
    ProgressLine line(what);
    line.show(0.01, "1 of 9", "adding up");
  }
  ::dup2(usual, STDERR_FILENO);
  ::close(usual);
  std::array<char, 4096> buffer{};
  const ssize_t got = ::read(terminal, buffer.data(), buffer.size());
  ::close(slave);
  ::close(terminal);
  return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

// True if a terminal would interpret part of it.
bool has_controls(const std::string& text) {
  return std::ranges::any_of(text, [](char each) {
    const auto byte = static_cast<unsigned char>(each);
    return (byte < 0x20 && each != '\n' && each != '\t') || byte == 0x7F;
  });
}

}  // namespace

TEST_CASE("an unknown command or option is named, with the nearest that exists") {
  CHECK_THAT(refused_with_2({"fuz"}), Contains("no command 'fuz'; did you mean fuzz?"));
  CHECK_THAT(refused_with_2({"fly"}), Contains("no command 'fly'; `photonsim --help` lists them"));
  CHECK_THAT(refused_with_2({"db", "verfy", "x"}), Contains("photonsim db has no command 'verfy'; "
                                                            "did you mean verify?"));
  CHECK_THAT(refused_with_2({"--verison"}), Contains("did you mean --version?"));
  CHECK_THAT(refused_with_2(short_run({"--sead", "3"})),
             Contains("photonsim run has no option '--sead'; did you mean --seed? "
                      "`photonsim run --help` lists them"));
  CHECK_THAT(refused_with_2(short_run({"--jsn=1"})), Contains("'--jsn'; did you mean --json?"));
  CHECK_THAT(refused_with_2({"check", "a.toml", "b.toml"}),
             Contains("no further argument 'b.toml'"));
  CHECK_THAT(refused_with_2({}), Contains("name a command, one of run, plan, sweep, fuzz, "));
  CHECK_THAT(refused_with_2({"db"}), Contains("name a command, one of verify"));
}

TEST_CASE("an unknown option is reported before anything else that is wrong") {
  CHECK_THAT(refused_with_2({"run", "--sead", "3", "--seed", "x"}),
             Contains("'--sead'; did you mean --seed?"));
  CHECK_THAT(refused_with_2({"run", "--jsn"}), Contains("'--jsn'"));  // and no scenario
  CHECK_THAT(refused_with_2({"fuzz", "--swarm", "--set", "a=1", "--shrnk", "3"}),
             Contains("'--shrnk'; did you mean --shrink?"));
}

TEST_CASE("every page of help has lines of at most 80 columns") {
  std::vector<Arguments> pages{{}, {"db", "verify"}};
  for (const char* verb :
       {"run", "fuzz", "swarm", "repro", "judge", "trace", "check", "explain", "export", "db"}) {
    pages.push_back({verb});
  }
  for (const Arguments& page : pages) {
    CAPTURE(page);
    const Ran ran = run_program(with(page, {"--help"}));
    CHECK(ran.code == 0);
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(line.size() <= 80);
    }
    CHECK_THAT(ran.out, Contains("explain exit-codes"));
  }
}

TEST_CASE("explain exit-codes lists every exit code once, ascending") {
  const Ran ran = run_program({"explain", "exit-codes"});
  CHECK(ran.code == 0);
  std::istringstream lines(ran.out);
  int before = -1;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    CHECK(line.size() <= 80);
    const int code = std::stoi(line);
    CHECK(code > before);
    before = code;
    CHECK(count < kExitCodes.size());
  }
  CHECK(count == kExitCodes.size());
  for (const int code :
       {kOk, kUsage, kSafetyViolation, kLivenessViolation, kNotDeterministic, kInertFault,
        kEnvironment, kInternal, kHungUp, kInterrupted, kClosedPipe, kTerminated}) {
    CHECK(std::ranges::count(kExitCodes, code, &ExitCodeMeaning::code) == 1);
  }
}

TEST_CASE("a reader that closes the pipe ends the program silently, like cat") {
  for (const Arguments& arguments :
       {Arguments{"explain"}, {"check", "scenarios/healthy.toml"}, {"--help"}, short_run()}) {
    CAPTURE(arguments);
    const Ran ran = run_without_reader(arguments);
    CHECK(ran.code == 141);
    std::string err = ran.err;
    take_progress(err);
    CHECK(err.empty());
  }
}

TEST_CASE("a line of progress is redrawn only where escape sequences may be written") {
  constexpr const char* kEscape = "\x1b";
  {
    const Variable term("TERM", "xterm");
    const Variable color("NO_COLOR", nullptr);
    CHECK_THAT(drawn_on_terminal("work"), Contains(kEscape) && Contains("work: 1 of 9"));
    // Text from a scenario is none of these.
    CHECK_THAT(drawn_on_terminal("a\x1b[2Jb"), Contains("a\\x1b[2Jb: 1 of 9"));
  }
  {
    const Variable term("TERM", "dumb");
    const Variable color("NO_COLOR", nullptr);
    CHECK_THAT(drawn_on_terminal("work"), !Contains(kEscape) && Contains("work: 1 of 9"));
  }
  for (const char* unknown : {static_cast<const char*>(nullptr), ""}) {
    const Variable term("TERM", unknown);
    const Variable color("NO_COLOR", nullptr);
    CHECK_THAT(drawn_on_terminal("work"), !Contains(kEscape));
  }
  {
    const Variable term("TERM", "xterm");
    const Variable color("NO_COLOR", "1");
    CHECK_THAT(drawn_on_terminal("work"), !Contains(kEscape) && Contains("work: 1 of 9"));
  }
}

TEST_CASE("escape and control sequences are escaped, and nothing else") {
  CHECK(terminal_safe("plain\n\ttext, \u00e4\u20ac\U0001F600") ==
        "plain\n\ttext, \u00e4\u20ac\U0001F600");
  CHECK(terminal_safe("a\x1b[2J\rb\x07\x7f") == "a\\x1b[2J\\x0db\\x07\\x7f");
  CHECK(terminal_safe("\xc2\x9b"
                      "31m") ==
        "\\xc2\\x9b"
        "31m");  // a C1 control
  CHECK(terminal_safe("\x9b"
                      "31m \xff \xe2\x82") ==
        "\\x9b"
        "31m \\xff \\xe2\\x82");
  CHECK(terminal_safe(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("control characters of input files do not reach the terminal") {
  const Folder folder;
  const auto shows_none = [](const Arguments& arguments) {
    const Ran ran = run_program(arguments);
    CAPTURE(arguments, ran.out, ran.err);
    CHECK_FALSE(has_controls(ran.out));
    CHECK_FALSE(has_controls(ran.err));
    return ran;
  };
  const std::string named =
      folder.write("named.toml", included("scenarios/registry/quiet.toml") +
                                     "[scenario]\ndescription = \"red \\u001b[31m\"\n"
                                     "[run]\nduration = \"3s\"\nwarm_up = \"0s\"\n");
  const std::string trace = folder.file("run.trace");
  CHECK(shows_none({"run", named, "--trace", trace}).code == 0);
  CHECK(shows_none({"check", named}).code == 0);
  CHECK(shows_none({"judge", trace}).code == 0);
  const std::string wrong =
      folder.write("wrong.toml", "[run]\nduration = \"\x1b[2J\"\n\"\x1b]0;x\x07\" = 1\n");
  CHECK(shows_none({"check", wrong}).code == 2);
  CHECK(shows_none({"check", "scenarios/healthy.toml", "--set", "run.\x1b[31m=1"}).code == 2);
  const std::string clicks =
      folder.write("clicks.csv", "click_id,query_id,t_ms\nc\x1b[31m,q,3\nc\x1b[31m,q,\x9bnoon\n");
  CHECK(shows_none({"run", "scenarios/trace.toml", "--set", "workload.foreign.file=" + clicks})
            .code == 2);
  CHECK(shows_none({"judge", folder.file("no\x1b[31m")}).code == 2);
  CHECK(shows_none({"\x1b[31m"}).code == 2);
}

TEST_CASE("faults without effect, however many, are one message with their number") {
  const Folder folder;
  std::string text =
      included("scenarios/registry/quiet.toml") + "[run]\nduration = \"6s\"\nwarm_up = \"0s\"\n";
  constexpr int kFaults = 502;
  for (int i = 0; i < kFaults; ++i) {  // two take effect: the first, and the last to end
    text += "[[faults.crash]]\nprocess = \"registry/0@us-west2\"\nat = \"" +
            std::to_string(2000 + i) + "ms\"\nrestart_after = \"3s\"\n";
  }
  const std::string scenario = folder.write("inert.toml", text);
  const Ran ran = run_program({"run", scenario});
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 7);
  CHECK_THAT(ran.err,
             Contains("error: 500 faults had no effect: ") && Contains(", and 497 more; "));
  CHECK(std::ranges::count(ran.err, '\n') == 2);  // that, and the replay line
  CHECK(std::ranges::count(ran.out, '\n') < 100);
}

TEST_CASE("run --memory: a run above its limit ends with 8, gives a remedy, and keeps no output") {
  if (photon::testing::kSanitized) return;
  const Folder folder;
  const Ran ran = run_program({"run", "scenarios/healthy.toml", "--set", "run.duration=20000s",
                               "--set", "workload.synthetic.clicks=2000000", "--memory", "100MiB",
                               "--out", folder.file("r.db"), "--trace", folder.file("t")});
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 8);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Contains("needs more than the 100MiB of --memory") && Contains("allow more"));
  CHECK(folder.names().empty());
  CHECK(run_program(short_run({"--memory", "1GiB"})).code == 0);
  CHECK_THAT(refused_with_2(short_run({"--memory", "lots"})), Contains("is no size; write 4GiB"));
}

TEST_CASE("check and run warn of probable mistakes, without changing the exit code") {
  const Arguments odd{"--set", "registry.pinned_datacenter=us-east4"};
  for (const Arguments& verb : {Arguments{"check", "scenarios/healthy.toml"}, short_run()}) {
    CAPTURE(verb);
    const Ran plain = run_program(verb);
    CHECK_THAT(plain.err, !Contains("warning"));
    const Ran ran = run_program(with(verb, odd));
    CHECK(ran.code == 0);
    CHECK_THAT(ran.err, Contains("--set registry.pinned_datacenter=us-east4: warning: ") &&
                            Contains("has no effect"));
  }
  const Ran fuzz = run_program({"fuzz", "scenarios/registry/quiet.toml", "--set",
                                "registry.pinned_datacenter=us-east4", "--seeds", "1..1"});
  CHECK_THAT(fuzz.err, !Contains("warning"));
}

TEST_CASE("a conflict with a value of --set is blamed on --set") {
  const Ran ran = run_program({"check", "scenarios/healthy.toml", "--set", "registry.lease=9s"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, StartsWith("--set registry.lease=9s: error: registry.lease = 9s must be "));
}

}  // namespace photonsim::cli::testing
