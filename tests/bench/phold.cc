// PHOLD: every event schedules one event at a uniformly random one of 1,024 processes after an
// exponential delay.
//
// Measures the kernel's full path (queue, dispatch to a process through its virtual on_event, the
// fingerprint, the project's own random draws) against a bare std::priority_queue of 24-byte events
// that makes the same draws and touches the same state per process. Rounds are interleaved; medians
// are printed. Both sides execute the same events, which is checked through a digest of the state.
//
//   phold [events per measurement, millions] [rounds]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <queue>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "sim/kernel.h"

namespace {

using photon::Duration;
using photon::Purpose;
using photon::RandomStream;
using photon::SimTime;
using photon::sim::ActorId;
using photon::sim::Event;
using photon::sim::EventKind;
using photon::sim::Kernel;

constexpr Duration kMean = std::chrono::milliseconds(10);
constexpr std::uint64_t kSeed = 7;
constexpr std::uint32_t kProcesses = 1024;

// What both sides keep per process.
struct State {
  RandomStream stream;
  std::uint64_t draws = 0;

  struct Next {
    std::uint32_t process;
    Duration delay;
  };
  Next draw() {
    const auto words = stream.block(draws++);
    return {static_cast<std::uint32_t>(photon::uniform_below(words[0], kProcesses)),
            photon::exponential(words[1], kMean)};
  }
};

std::uint64_t digest(std::uint64_t sum, const State& state) {
  return photon::combine(sum, state.draws);
}

class PholdProcess final : public photon::sim::Actor {
 public:
  explicit PholdProcess(std::uint32_t id)
      : state_{RandomStream(kSeed, Purpose::benchmark, id), 0} {}

  void on_event(Kernel& kernel, const Event&) override {
    kernel.witness(photon::DatacenterId{}, 0, 0);
    send(kernel);
  }
  void send(Kernel& kernel) {
    const State::Next next = state_.draw();
    kernel.schedule(kernel.now() + next.delay, photon::DatacenterId{}, ActorId(next.process),
                    photon::sim::make_tag(EventKind::environment), 0);
  }
  const State& state() const { return state_; }

 private:
  State state_;
};

struct Measurement {
  double million_per_second = 0;
  std::uint64_t digest = 0;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Measurement run_kernel(std::uint32_t pending, std::uint64_t events) {
  Kernel kernel(1);
  std::vector<std::unique_ptr<PholdProcess>> processes;
  for (std::uint32_t i = 0; i < kProcesses; ++i) {
    processes.push_back(std::make_unique<PholdProcess>(i));
    kernel.add(*processes.back());
  }
  for (std::uint32_t i = 0; i < pending; ++i) processes[i % kProcesses]->send(kernel);
  kernel.run(std::uint64_t{pending} * 2);
  const auto begin = std::chrono::steady_clock::now();
  kernel.run(events);
  Measurement result{static_cast<double>(events) / seconds_since(begin) / 1e6, 0};
  for (const auto& process : processes) result.digest = digest(result.digest, process->state());
  return result;
}

struct BareEvent {
  std::int64_t time;
  std::uint64_t order;
  std::uint64_t process;
  bool operator<(const BareEvent& other) const {
    return time != other.time ? time > other.time : order > other.order;
  }
};
static_assert(sizeof(BareEvent) == 24);

Measurement run_bare(std::uint32_t pending, std::uint64_t events) {
  std::vector<State> processes;
  for (std::uint32_t i = 0; i < kProcesses; ++i) {
    processes.push_back({RandomStream(kSeed, Purpose::benchmark, i), 0});
  }
  std::priority_queue<BareEvent> queue;
  std::uint64_t order = 0;
  const auto send = [&](State& process, std::int64_t now) {
    const State::Next next = process.draw();
    queue.push({now + next.delay.count(), order++, next.process});
  };
  for (std::uint32_t i = 0; i < pending; ++i) send(processes[i % kProcesses], 0);
  const auto step = [&] {
    const BareEvent event = queue.top();
    queue.pop();
    send(processes[event.process], event.time);
  };
  for (std::uint64_t i = 0; i < std::uint64_t{pending} * 2; ++i) step();
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < events; ++i) step();
  Measurement result{static_cast<double>(events) / seconds_since(begin) / 1e6, 0};
  for (const State& process : processes) result.digest = digest(result.digest, process);
  return result;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

bool measure(std::uint32_t pending, std::uint64_t events, int rounds, double target) {
  std::vector<double> kernel;
  std::vector<double> bare;
  std::vector<double> ratio;
  for (int round = 0; round < rounds; ++round) {
    const Measurement ours = run_kernel(pending, events);
    const Measurement theirs = run_bare(pending, events);
    if (ours.digest != theirs.digest) {
      std::fprintf(stderr, "phold: the two sides executed different events\n");
      return false;
    }
    kernel.push_back(ours.million_per_second);
    bare.push_back(theirs.million_per_second);
    ratio.push_back(ours.million_per_second / theirs.million_per_second);
  }
  std::printf(
      "%8u pending: kernel %6.2f  bare priority_queue %6.2f  million events/s  ratio %.2f"
      "  (target %.1f)\n",
      pending, median(kernel), median(bare), median(ratio), target);
  return true;
}

void print_load(const char* when) {
  double load[3] = {0, 0, 0};
  if (getloadavg(load, 3) == 3) {
    std::printf("machine load %s: %.2f %.2f %.2f\n", when, load[0], load[1], load[2]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double millions = argc > 1 ? std::strtod(argv[1], nullptr) : 2.0;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const auto events = static_cast<std::uint64_t>(millions * 1e6);
  if (events == 0 || rounds < 1) {
    std::fprintf(stderr, "usage: phold [millions of events] [rounds]\n");
    return 2;
  }
  print_load("before");
  const bool ok = measure(1000, events, rounds, 0.8) && measure(16384, events, rounds, 1.5) &&
                  measure(262144, events, rounds, 2.0);
  print_load("after");
  return ok ? 0 : 1;
}
