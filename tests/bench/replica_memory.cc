// Memory of a whole registry replica at every size (SPEC B-69, B-76): the store of ids, the Paxos
// log that is kept until it is compacted, the snapshot while it is made and written, requests and
// answers in flight.
//
//   replica_memory tokens|cleared [--least N] [--most N] [--factor F] [--bound BYTES]
//
// One replica that is a group by itself, the real RegistryServer on PaxosDB, gets ids (20
// million) in requests of a thousand, 77 ids a second, up to 10 s late; `cleared`: every token is
// cleared a minute later, in separate requests. Its disk keeps nothing but lengths. A snapshot
// stays in flight for ten requests, and its buffer counts as the replica's. The figure is what
// operator new has handed out, with malloc's rounding, at every moment; the worst of all sizes
// from the least (5 million) on is printed. Fails if the replica needs more than the bound while
// no snapshot is in progress.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "core_impl/paxos/disk_format.h"
#include "core_impl/photon/registry/registry_server.h"
#include "tests/bench/heap_meter.h"

namespace {

using namespace photon;
using namespace std::chrono_literals;

constexpr NodeId kServer{1};
constexpr NodeId kClient{2};
constexpr std::uint32_t kBundle = 1'000;
constexpr std::uint64_t kRate = 77;
constexpr std::uint32_t kClearedAfter = 60 * kRate;
constexpr int kSnapshotTakes = 10;  // requests

// A disk of lengths, and a clock.
class Machine final : public Context {
 public:
  NodeId self() const override { return kServer; }
  Incarnation incarnation() const override { return Incarnation(1); }
  MonotonicTime now() const override { return now_; }
  LocalTime wall() const override { return from_nanoseconds<LocalTime>(nanoseconds_of(now_)); }
  TrueTimeInterval true_time() const override {
    const auto point = from_nanoseconds<TrueTimePoint>(nanoseconds_of(now_));
    return {point, point};
  }
  void send(NodeId /*to*/, Body body) override {
    if (body.type() != RegistryReply::kType) return;
    for (const RegistryResult& result : body.as<RegistryReply>().results) {
      answered_ += trace::is_definitive(result.code) ? 1 : 0;
    }
  }
  void set_timer(TimerKind kind, MonotonicTime due) override { timers_.at(kind) = due; }
  void cancel_timer(TimerKind kind) override { timers_.at(kind).reset(); }
  Ticket submit(VolumeRequest request) override {
    const int delay = request.operation == VolumeOperation::replace ? kSnapshotTakes : 0;
    pending_.push_back({Ticket(++tickets_), delay, std::move(request)});
    return pending_.back().ticket;
  }
  std::uint64_t random(std::uint64_t ordinal) override { return mix(ordinal); }

  std::uint64_t answered() const { return answered_; }
  void provision(const std::string& name, Bytes bytes) { small_[name] = std::move(bytes); }
  bool snapshot_under_way() const {
    return std::any_of(pending_.begin(), pending_.end(), [](const Pending& each) {
      return each.request.operation == VolumeOperation::replace;
    });
  }

  // Advances time, fires what is due, and completes what the disk has finished.
  void go_on(Node& node, Duration by) {
    now_ += by;
    for (TimerKind kind = 0; kind < kMaxTimerKinds; ++kind) {
      if (!timers_[kind] || *timers_[kind] > now_) continue;
      timers_[kind].reset();
      node.on_timer(*this, kind);
    }
    for (Pending& each : pending_) --each.delay;
    complete(node);
  }
  void complete(Node& node) {
    const auto ready = [](const Pending& each) { return each.delay <= 0; };
    for (auto next = std::find_if(pending_.begin(), pending_.end(), ready); next != pending_.end();
         next = std::find_if(pending_.begin(), pending_.end(), ready)) {
      const Pending done = std::move(*next);
      pending_.erase(next);
      IoResult result = perform(done.request);
      node.on_io(*this, done.ticket, result);
    }
  }

 private:
  struct Pending {
    Ticket ticket;
    int delay = 0;
    VolumeRequest request;
  };

  void raw_decide(trace::Kind, const void*, std::size_t) override {}

  IoResult perform(const VolumeRequest& request) {
    const std::string name(request.file.data(), request.file.size());
    IoResult result;
    if (request.operation == VolumeOperation::append) {
      result.length = lengths_[name] += request.data.size();
    } else if (request.operation == VolumeOperation::replace) {
      result.length = lengths_[name] = request.data.size();
    } else if (request.operation == VolumeOperation::read) {
      const auto found = small_.find(name);
      if (found == small_.end()) result.status = IoStatus::missing;
      if (found != small_.end()) result.data = found->second;
    }
    return result;
  }

  MonotonicTime now_{1h};
  std::array<std::optional<MonotonicTime>, kMaxTimerKinds> timers_{};
  std::deque<Pending> pending_;
  std::map<std::string, std::uint64_t> lengths_;
  std::map<std::string, Bytes> small_;
  std::uint64_t tickets_ = 0;
  std::uint64_t answered_ = 0;
};

EventId id_of(std::uint64_t number) {
  const std::uint64_t word = mix(number);
  const auto late = static_cast<std::int64_t>(word % 10'000'000'000);
  const auto stamp = static_cast<std::int64_t>(number * (1'000'000'000 / kRate)) - late;
  return {static_cast<std::uint32_t>(word % 50), 1,
          from_nanoseconds<Stamp>(stamp + std::int64_t{3'600'000'000'000})};
}

RegistryServerOptions options_of(std::uint32_t factor) {
  RegistryServerOptions options;
  options.consensus.config.group = ShardId(0);
  options.consensus.config.replicas = 1;
  options.consensus.members.push_back(kServer);
  options.consensus.snapshot_factor = factor;
  options.gc_age = 24h * 365;
  return options;
}

class Run {
 public:
  explicit Run(std::uint32_t factor) : server_(options_of(factor)) {
    const FileName format = paxos::format_name(ShardId(0));
    machine_.provision(std::string(format.data(), format.size()),
                       paxos::format_of_new_group(ShardId(0), 0));
    server_.on_start(machine_);
    machine_.complete(server_);
    for (int i = 0; i < 10; ++i) machine_.go_on(server_, 1s);
  }

  void ask(std::uint64_t first, RegistryOperation operation) {
    {
      RegistryRequest request;
      request.request = ++requests_;
      request.shard = ShardId(0);
      for (std::uint64_t i = first; i < first + kBundle; ++i) {
        request.items.push_back({id_of(i), Token{1, 1, i + 1}, operation});
      }
      server_.on_message(machine_, kClient, Body::make(std::move(request)));
    }
    machine_.go_on(server_, 10ms);
    asked_ += kBundle;
    if (machine_.answered() != asked_) {
      std::printf("an operation was not answered\n");
      std::exit(1);
    }
  }
  std::size_t ids() const { return server_.store().size(); }
  std::size_t table() const { return server_.store().memory_bytes(); }
  std::uint64_t snapshots() const { return server_.driver().statistics().snapshots; }
  bool is_quiescent() const { return !machine_.snapshot_under_way(); }

 private:
  Machine machine_;
  RegistryServer server_;
  std::uint64_t requests_ = 0;
  std::uint64_t asked_ = 0;
};

// The worst over all sizes from kFewest on.
struct Worst {
  double bytes = 0;
  std::size_t ids = 0;
  void look(std::size_t held, std::size_t count) {
    const double each = static_cast<double>(held) / static_cast<double>(count);
    if (each > bytes) *this = {each, count};
  }
};

void report(const char* what, const Worst& worst) {
  std::printf("  %-44s %7.1f bytes per id, at %zu ids\n", what, worst.bytes, worst.ids);
}

struct Arguments {
  std::string mode{};
  std::uint64_t least = 5'000'000;
  std::uint64_t most = 20'000'000;
  std::uint64_t factor = 1;
  std::uint64_t bound = 0;  // bytes per id; 0: none
};

std::optional<Arguments> arguments_of(int argc, char** argv) {
  Arguments arguments;
  if (argc % 2 != 0) return std::nullopt;
  arguments.mode = argv[1];
  const std::map<std::string, std::uint64_t*> options{{"--least", &arguments.least},
                                                      {"--most", &arguments.most},
                                                      {"--factor", &arguments.factor},
                                                      {"--bound", &arguments.bound}};
  for (int i = 2; i < argc; i += 2) {
    const auto option = options.find(argv[i]);
    if (option == options.end()) return std::nullopt;
    *option->second = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (arguments.mode != "tokens" && arguments.mode != "cleared") return std::nullopt;
  return arguments;
}

int measure(const Arguments& arguments) {
  const std::size_t before = bench::heap_live();
  Run run(static_cast<std::uint32_t>(arguments.factor));
  Worst store;
  Worst rest;
  Worst any;
  double longest = 0;
  for (std::uint64_t next = 0; next < arguments.most; next += kBundle) {
    const std::uint64_t taken = run.snapshots();
    const auto start = std::chrono::steady_clock::now();
    bench::forget_heap_peak();
    run.ask(next, RegistryOperation::insert);
    if (arguments.mode == "cleared" && next >= 2 * kClearedAfter) {
      run.ask(next - kClearedAfter - kBundle, RegistryOperation::clear);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (run.snapshots() > taken) longest = std::max(longest, took.count());
    if (run.ids() < arguments.least) continue;
    store.look(run.table(), run.ids());
    any.look(bench::heap_peak() - before, run.ids());
    if (run.is_quiescent()) rest.look(bench::heap_live() - before, run.ids());
  }
  std::printf("%s, %zu ids, %llu snapshots, the longest request with one took %.2f s\n",
              arguments.mode.c_str(), run.ids(), static_cast<unsigned long long>(run.snapshots()),
              longest);
  report("the store alone", store);
  report("the replica, no snapshot in progress", rest);
  report("the replica, at any moment", any);
  const bool broken = arguments.bound > 0 && rest.bytes > static_cast<double>(arguments.bound);
  if (broken)
    std::printf("more than the %llu allowed\n", static_cast<unsigned long long>(arguments.bound));
  return broken || rest.bytes <= store.bytes ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = arguments_of(argc, argv);
  if (arguments) return measure(*arguments);
  std::printf(
      "replica_memory tokens|cleared [--least N] [--most N] [--factor F] [--bound BYTES]\n");
  return 2;
}
