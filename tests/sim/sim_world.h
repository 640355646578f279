// A small setup for tests of the simulator: three datacenters with two processes each, models whose
// answers are easy to predict, and nodes whose behaviour is given by hooks.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/trace/environment.h"
#include "sim/simulation.h"

namespace photon::sim {

using namespace std::chrono_literals;

inline constexpr SimTime at(Duration since_start) { return SimTime(since_start); }
inline constexpr MonotonicTime mono(Duration since_start) { return MonotonicTime(since_start); }

// 1 ms inside a datacenter, 10 ms between two, plus up to `jitter`.
class TestDelays final : public DelayModel {
 public:
  Duration jitter{};
  Duration one_way(DatacenterId from, DatacenterId to, std::uint64_t word) const override {
    return least(from, to) + uniform_duration(word, Duration{0}, jitter);
  }
  Duration least(DatacenterId from, DatacenterId to) const override {
    return from == to ? Duration(1ms) : Duration(10ms);
  }
};

// Host h: calendar clock off by `offset[h]`; monotonic clock runs at (1 + drift_ppm[h] / 10^6).
class TestClocks final : public ClockModel {
 public:
  std::vector<Duration> offset = std::vector<Duration>(16, Duration{0});
  std::vector<std::int64_t> drift_ppm = std::vector<std::int64_t>(16, 0);
  SimTime step_at = SimTime::max();  // all calendar clocks jump by `step` then
  Duration step{};

  LocalTime wall(HostId host, SimTime time) const override {
    const Duration stepped = time >= step_at ? step : Duration{0};
    return LocalTime(time.time_since_epoch() + offset[host.value()] + stepped);
  }
  MonotonicTime monotonic(HostId host, SimTime time) const override {
    const std::int64_t t = nanoseconds_of(time);
    return from_nanoseconds<MonotonicTime>(t + t / 1000 * drift_ppm[host.value()] / 1000);
  }
  SimTime when(HostId host, MonotonicTime due, SimTime not_before) const override {
    std::int64_t low = nanoseconds_of(not_before) - 1;  // monotonic is below due, or irrelevant
    std::int64_t high = std::max(low + 1, nanoseconds_of(due) * 2 + 1);
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (monotonic(host, from_nanoseconds<SimTime>(middle)) >= due ? high : low) = middle;
    }
    return from_nanoseconds<SimTime>(high);
  }
  TrueTimeInterval true_time(HostId, SimTime time) const override {
    const TrueTimePoint middle(time.time_since_epoch());
    return {middle - 5ms, middle + 5ms};
  }
};

class TestStorage final : public StorageModel {
 public:
  Duration fixed = 2ms;
  Duration jitter{};
  Duration service(VolumeClass, const VolumeRequest&, std::uint64_t word) const override {
    return fixed + uniform_duration(word, Duration{0}, jitter);
  }
};

class RecordingSink final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { records.push_back(record); }
  std::size_t count(trace::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        records, [kind](const trace::Record& record) { return record.header.kind == kind; }));
  }
  std::vector<trace::Record> records;
};

// A message with a number and a fact (it borrows JoinAsk-free kinds: a LogVisible carries `value`).
struct Note {
  static constexpr MessageType kType = 60001;
  static constexpr std::string_view kName = "test_note";
  std::uint64_t value = 0;
  Bytes text{};
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.value, self.text);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::LogVisible{value, 0}); }
};

struct Silent {  // a message that states nothing
  static constexpr MessageType kType = 60002;
  static constexpr std::string_view kName = "test_silent";
  std::uint64_t value = 0;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.value);
  }
};

struct Hooks {
  std::function<void(Context&)> start = [](Context&) {};
  std::function<void(Context&, NodeId, const Body&)> message = [](Context&, NodeId, const Body&) {};
  std::function<void(Context&, TimerKind)> timer = [](Context&, TimerKind) {};
  std::function<void(Context&, Ticket, IoResult&)> io = [](Context&, Ticket, IoResult&) {};
  std::function<void(Context&)> stop = [](Context&) {};
  std::function<bool()> may_end = [] { return true; };
  std::function<void(UseSink&)> use = [](UseSink&) {};
};

class HookedNode final : public Node {
 public:
  explicit HookedNode(const Hooks& hooks) : hooks_(hooks) {}
  void on_start(Context& context) override { hooks_.start(context); }
  void on_stop(Context& context) override { hooks_.stop(context); }
  bool may_end() const override { return hooks_.may_end(); }
  void report_use(UseSink& sink) const override { hooks_.use(sink); }
  void on_message(Context& context, NodeId from, const Body& body) override {
    hooks_.message(context, from, body);
  }
  void on_timer(Context& context, TimerKind kind) override { hooks_.timer(context, kind); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    hooks_.io(context, ticket, result);
  }

 private:
  const Hooks& hooks_;
};

inline constexpr Component kFrontComponent{0};
inline constexpr Component kBackComponent{1};
inline constexpr Component kCellComponent{2};

// Processes 2d (front) and 2d+1 (back) live on host d of datacenter d. Volumes 2d: the host's disk,
// 2d+1: the cell.
inline Topology three_datacenters(std::uint64_t capacity = kUnlimited) {
  Topology topology({"front", "back", "cell"});
  const RegionId east = topology.add_region("east");
  const RegionId west = topology.add_region("west");
  for (const char* name : {"a", "b", "c"}) {
    const DatacenterId place = topology.add_datacenter(name[0] == 'c' ? west : east, name);
    const HostId host = topology.add_host(place, "host1");
    topology.add_process(host, "worker/0", 1, kFrontComponent);
    topology.add_process(host, "worker/1", 2, kBackComponent);
    topology.add_host_disk(host, capacity);
    topology.add_shared_cell(place, kCellComponent, capacity);
  }
  return topology;
}

struct SimWorld {
  explicit SimWorld(std::uint64_t seed = 1, LinkFaults links = {},
                    Topology topology = three_datacenters(), StorageProjector* projector = nullptr,
                    Duration sample_interval = Duration{0})
      : hooks(topology.processes().size()),
        run(std::move(topology), Models{delays, clocks, storage},
            Options{.seed = seed, .links = links, .sample_interval = sample_interval},
            Observers{&sink, projector}) {
    for (std::uint32_t i = 0; i < hooks.size(); ++i) {
      run.set_factory(NodeId(i), [this, i] { return std::make_unique<HookedNode>(hooks[i]); });
    }
  }
  void to(Duration time) { run.run_until(at(time)); }

  TestDelays delays;
  TestClocks clocks;
  TestStorage storage;
  RecordingSink sink;
  std::vector<Hooks> hooks;
  Simulation run;
};

inline Fault crash(Duration when, std::uint32_t node, Duration down) {
  Fault fault;
  fault.at = at(when);
  fault.duration = down;
  fault.action = CrashProcess{{NodeId(node)}, std::nullopt};
  return fault;
}

inline Fault host_crash(Duration when, Duration down) {
  return {at(when), down, CrashHost{HostId(0)}, {}};
}

inline VolumeRequest request(VolumeOperation operation, std::uint32_t volume,
                             const char* file = "f") {
  VolumeRequest made;
  made.volume = VolumeId(volume);
  made.operation = operation;
  made.file = FileName(file);
  return made;
}

inline Bytes bytes_of(std::string_view text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::string text_of(const Bytes& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

inline VolumeRequest append(std::uint32_t volume, std::string_view text, std::uint64_t expected,
                            Durability durability = Durability::synced) {
  VolumeRequest made = request(VolumeOperation::append, volume);
  made.data = bytes_of(text);
  made.expected_length = expected;
  made.durability = durability;
  return made;
}

}  // namespace photon::sim
