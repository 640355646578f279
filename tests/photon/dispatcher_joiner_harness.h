// One process under test in an environment that the test controls: virtual time, messages, timers,
// volumes that keep the contract of runtime/volume.h, crashes and restarts.
//
// Everything happens in one ordered queue, so a test is deterministic; `random` depends on the seed
// and the ordinal alone. Volume requests take effect when they complete. At a crash a request in
// flight takes effect in full, as a prefix (append), or not at all: the test decides which.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core_impl/base/event_id.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/runtime/context.h"
#include "core_impl/trace/record.h"

namespace photon::testing {

struct TestFile {
  Bytes content;
  std::uint64_t epoch = 0;
};

class HarnessVolume {
 public:
  IoResult execute(const VolumeRequest& request);
  // As execute, but an append writes only `prefix` bytes, and there is no answer.
  void tear(const VolumeRequest& request, std::size_t prefix);
  void add(std::string_view file, std::span<const std::byte> bytes);
  // Requires an existing file: these bytes are zeros from now on.
  void lose(std::string_view file, std::size_t begin, std::size_t length);
  const Bytes& content(std::string_view file) const;
  // Contents of all files whose name starts with `prefix`, in name order.
  std::vector<Bytes> contents(std::string_view prefix) const;

 private:
  std::uint64_t epoch_of(std::string_view file) const;

  std::map<std::string, TestFile, std::less<>> files_;
  std::map<std::string, std::uint64_t, std::less<>> fences_;
};

// The outcome of one volume request.
enum class IoFate : std::uint8_t {
  done,
  lost,         // no effect, `unavailable`
  unconfirmed,  // takes effect, `unavailable`
  refused,      // no effect, `fenced`
  held,         // nothing, ever
};

using HarnessVolumes = std::map<std::uint32_t, HarnessVolume>;

class Harness final : public Context {
 public:
  // Several processes may share their volumes.
  explicit Harness(NodeId self, std::uint64_t seed = 1,
                   std::shared_ptr<HarnessVolumes> shared = std::make_shared<HarnessVolumes>())
      : self_(self), seed_(seed), shared_(std::move(shared)) {}

  using Factory = std::function<std::unique_ptr<Node>()>;
  // Starts the next life.
  void start(const Factory& factory);
  // Ends it; `survival(request)` returns how many bytes of the data of a request in flight survive.
  using Survival = std::function<std::size_t(const VolumeRequest&)>;
  void crash(const Survival& survival);
  bool alive() const { return node_ != nullptr; }

  // Hands a message to the process, `delay` from now. Messages to a dead process are lost.
  void deliver(NodeId from, Body body, Duration delay = std::chrono::milliseconds(1));
  // Runs `action` as part of the queue.
  void at(Duration from_now, std::function<void()> action);

  // One queued event; false if there is none.
  bool step();
  void run_for(Duration span);
  // The time at which `step` would act; nothing: never.
  std::optional<std::int64_t> next_at() const;
  // The process did nothing until now: what was due is delivered late.
  void wake_at(std::int64_t at) { now_ = std::max(now_, at); }

  // The environment's behaviour; unset: messages vanish, volume requests are done after io_delay.
  std::function<void(NodeId to, const Body& body)> world;
  std::function<IoFate(const VolumeRequest&)> io_fate;
  Duration io_delay = std::chrono::milliseconds(10);
  std::vector<trace::Record> decisions;
  Duration wall_offset{};  // of the calendar clock
  std::uint64_t events = 0;

  template <class P>
  std::vector<P> decided() const {
    std::vector<P> found;
    for (const auto& record : decisions) {
      if (record.header.kind == P::kKind) found.push_back(record.as<P>());
    }
    return found;
  }

  NodeId self() const override { return self_; }
  Incarnation incarnation() const override { return Incarnation(life_); }
  MonotonicTime now() const override { return from_nanoseconds<MonotonicTime>(now_); }
  LocalTime wall() const override;
  TrueTimeInterval true_time() const override;
  void send(NodeId to, Body body) override;
  void set_timer(TimerKind kind, MonotonicTime due) override;
  void cancel_timer(TimerKind kind) override { timers_.erase(kind); }
  Ticket submit(VolumeRequest request) override;
  std::uint64_t random(std::uint64_t ordinal) override;

 private:
  void raw_decide(trace::Kind kind, const void* payload, std::size_t size) override;
  void complete(std::uint64_t ticket, std::uint32_t life);

  struct Queued {
    std::function<void()> action;
  };
  NodeId self_;
  std::uint64_t seed_;
  std::shared_ptr<HarnessVolumes> shared_;
  std::unique_ptr<Node> node_;
  std::uint32_t life_ = 0;
  std::int64_t now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t last_ticket_ = 0;
  std::map<std::pair<std::int64_t, std::uint64_t>, Queued> queue_;
  std::map<TimerKind, std::pair<std::int64_t, std::uint64_t>> timers_;
  std::map<std::uint64_t, VolumeRequest> requests_;

 public:
  HarnessVolumes& volumes = *shared_;
};

// The IdRegistry as the clients see it: one table, immediate answers.
class TestRegistry {
 public:
  RegistryReply serve(const RegistryRequest& request);
  std::map<EventId, Token> ids;  // an empty token: cleared
  Stamp boundary{};
  std::uint64_t inserts = 0;
  std::vector<Token> tokens_asked;  // of every insert that arrived
  std::vector<EventId> removed;     // in this order

 private:
  RegistryCode insert(const RegistryItem& item);
  RegistryCode change(const RegistryItem& item);  // clear, remove
  RegistryCode read(const RegistryItem& item, Token& token) const;
};

EventId click_id(std::uint32_t number, Duration stamp = {});
EventId query_id(std::uint32_t number);
Bytes bytes_of(std::string_view text);
// A framed click, as it stands in a foreign log.
Bytes framed_click(const EventId& click, const EventId& query, std::string_view payload);

}  // namespace photon::testing
