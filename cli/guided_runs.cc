#include "cli/guided_runs.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "cli/child_process.h"
#include "cli/exit_codes.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

namespace guided = scenarios::guided;

GuidedRun carry_out(const guided::World& world, const guided::RareMarks& rare) {
  scenarios::RunRequest request{&world.config, world.config.run.seed, nullptr, nullptr};
  request.moments = true;
  const auto finished = scenarios::run_scenario(request);
  GuidedRun run;
  if (!finished) {
    run.exit_code = kUsage;
    run.text = faults_text(finished.assume_error());
    return run;
  }
  const scenarios::RunOutcome& outcome = finished.assume_value();
  run.exit_code = verdict_of(outcome);
  run.events = outcome.summary.events;
  run.text = failure_line(outcome);
  run.signals = guided::signals_of(outcome, rare);
  return run;
}

// On the pipe: numbers of eight bytes, and a text behind its length.
class Writer {
 public:
  void number(std::uint64_t value) {
    std::array<char, sizeof value> bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    bytes_.append(bytes.data(), bytes.size());
  }
  template <class T>
  void numbers(const std::vector<T>& values) {
    number(values.size());
    for (const T value : values) number(static_cast<std::uint64_t>(value));
  }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  bool send(int to) const { return write_all(to, bytes_); }

 private:
  std::string bytes_{};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  // None if the writer died before it.
  std::optional<std::uint64_t> number() {
    std::uint64_t value = 0;
    if (rest_.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <class T>
  bool numbers(std::vector<T>& values) {
    const auto count = number();
    if (!count || rest_.size() / sizeof(std::uint64_t) < *count) return false;
    for (std::uint64_t i = 0; i < *count; ++i) values.push_back(static_cast<T>(*number()));
    return true;
  }
  bool text(std::string& value) {
    const auto count = number();
    if (!count || rest_.size() < *count) return false;
    value = rest_.substr(0, *count);
    rest_.remove_prefix(*count);
    return true;
  }

 private:
  std::string_view rest_;
};

bool send(std::uint64_t index, const GuidedRun& run, int to) {
  Writer writer;
  writer.number(index);
  writer.number(static_cast<std::uint64_t>(run.exit_code));
  writer.number(run.events);
  writer.numbers(run.signals.all);
  writer.numbers(run.signals.seconds);
  writer.text(run.text);
  return writer.send(to);
}

class Generation {
 public:
  Generation(const std::vector<guided::World>& worlds, const guided::RareMarks& rare,
             const GuidedProcesses& processes)
      : worlds_(worlds), rare_(rare), processes_(processes), runs_(worlds.size()) {}

  // Runs what is missing. A process that dies says by what it has sent which run killed it.
  bool carry_out_missing() {
    std::vector<std::uint64_t> missing;
    for (std::uint64_t i = 0; i < runs_.size(); ++i) {
      if (!runs_[i]) missing.push_back(i);
    }
    std::vector<Child> children(std::min<std::size_t>(processes_.jobs, missing.size()));
    for (std::size_t i = 0; i < missing.size(); ++i) {
      children[i % children.size()].work.push_back(missing[i]);
    }
    for (Child& each : children) {
      if (!each.process.start([&](int to) { return work(each.work, to); })) return false;
    }
    return listen(children);
  }

  bool complete() const {
    return std::ranges::all_of(runs_, [](const auto& each) { return each.has_value(); });
  }
  std::vector<GuidedRun> take() {
    std::vector<GuidedRun> all;
    for (auto& each : runs_) all.push_back(std::move(*each));
    return all;
  }

 private:
  struct Child {
    ChildProcess process{};
    std::vector<std::uint64_t> work{};
    std::string said{};
  };

  int work(const std::vector<std::uint64_t>& indices, int to) const {
    limit_memory(processes_.memory);
    for (const std::uint64_t index : indices) {
      GuidedRun run;
      try {
        run = carry_out(worlds_[index], rare_);
      } catch (const std::bad_alloc&) {
        run.exit_code = kInternal;
        run.text = memory_text(processes_.memory);
      } catch (const std::exception& error) {  // as main() does
        run.exit_code = kInternal;
        run.text = std::string("internal error: ") + error.what();
      }
      if (!send(index, run, to)) return kEnvironment;
    }
    return kOk;
  }

  // Until all have ended. False: the program was told to stop.
  bool listen(std::vector<Child>& children) {
    std::size_t open = children.size();
    while (open > 0) {
      if (interrupted()) return false;
      std::vector<int> pipes;
      for (const Child& each : children) pipes.push_back(each.process.pipe());
      for (const std::size_t i : readable(pipes)) {
        if (children[i].process.read_some(children[i].said)) continue;
        conclude(children[i]);
        --open;
      }
    }
    return true;
  }

  // It says nothing more.
  void conclude(Child& child) {
    const std::string how = child.process.reap();
    Reader reader(child.said);
    while (const auto index = reader.number()) {
      GuidedRun run;
      const auto code = reader.number();
      const auto events = reader.number();
      if (!code || !events || !reader.numbers(run.signals.all)) break;
      if (!reader.numbers(run.signals.seconds) || !reader.text(run.text)) break;
      if (*index >= runs_.size()) break;
      run.exit_code = static_cast<int>(*code);
      run.events = *events;
      runs_[*index] = std::move(run);
    }
    for (const std::uint64_t index : child.work) {
      if (runs_[index]) continue;
      const std::string end = how.empty() ? "says what cannot be read" : how;
      runs_[index] = GuidedRun{kInternal, 0, {}, fmt::format("its process {}", end)};
      return;  // the others behind it are run again
    }
  }

  const std::vector<guided::World>& worlds_;
  const guided::RareMarks& rare_;
  GuidedProcesses processes_;
  std::vector<std::optional<GuidedRun>> runs_;
};

}  // namespace

std::vector<GuidedRun> run_generation(const std::vector<guided::World>& worlds,
                                      const guided::RareMarks& rare,
                                      const GuidedProcesses& processes) {
  Generation generation(worlds, rare, processes);
  while (!generation.complete()) {
    if (!generation.carry_out_missing()) return {};
  }
  return generation.take();
}

}  // namespace photonsim::cli
