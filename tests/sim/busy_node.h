// A Node that uses every effect of the seam at once, for tests of the kernel under load: it pings
// its peers, answers pings, appends received messages to a log, is busy for a while, sets and
// resets timers.
#pragma once

#include <span>
#include <string>

#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"
#include "core_impl/trace/environment.h"
#include "sim/process.h"

namespace photon::sim {

struct Ping {
  static constexpr MessageType kType = 60010;
  static constexpr std::string_view kName = "test_ping";
  std::uint64_t number = 0;
  Bytes padding{};
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.padding);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::LogVisible{number, 1}); }
};

struct Pong {
  static constexpr MessageType kType = 60011;
  static constexpr std::string_view kName = "test_pong";
  std::uint64_t number = 0;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::LogVisible{number, 2}); }
};

// Broadcasts a ping every `period`, appends each received pong to its log (one append in flight at
// a time, re-read occasionally), resets an election-like time-out at every message.
class BusyNode final : public Node {
 public:
  using Inbox = Accepts<Ping, Pong>;
  struct Settings {
    std::uint32_t peers = 0;  // process ids 0 .. peers-1
    VolumeId log{};
    Duration period = std::chrono::milliseconds(1);
    std::uint64_t keep_bytes = 4096;  // the log is replaced by an empty one at this length
  };
  explicit BusyNode(const Settings& settings) : settings_(settings) {}

  void on_start(Context& context) override {
    file_ = FileName("log/") + FileName(std::to_string(context.self().value()).c_str());
    VolumeRequest request = make(VolumeOperation::stat);
    context.submit(std::move(request));
    context.set_timer(kTick, context.now() + settings_.period);
  }

  void on_message(Context& context, NodeId from, const Body& body) override {
    context.set_timer(kTimeout, context.now() + 10 * settings_.period);
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& context, NodeId from, const Ping& ping) {
    static_cast<SimContext&>(context).consume(
        Duration(1000 + static_cast<std::int64_t>(context.random(ping.number) % 4000)));
    context.send(from, Body::make(Pong{ping.number}));
  }
  void on(Context& context, NodeId, const Pong& pong) {
    heard_.push_back(pong.number);
    context.decide(trace::LogVisible{pong.number, 3});
    write(context);
  }

  void on_timer(Context& context, TimerKind kind) override {
    if (kind == kTimeout) return;
    const Body ping = Body::make(Ping{ticks_++, Bytes(24, std::byte{0})});
    for (std::uint32_t peer = 0; peer < settings_.peers; ++peer) {
      if (NodeId(peer) != context.self()) context.send(NodeId(peer), ping);
    }
    if (ticks_ % 16 == 0) {
      VolumeRequest request = make(VolumeOperation::read);
      request.length = 512;
      context.submit(std::move(request));
    }
    context.set_timer(kTick, context.now() + settings_.period);
  }

  void on_io(Context& context, Ticket, IoResult& result) override {
    if (!result.data.empty()) return;  // the read
    if (result.status == IoStatus::ok || result.status == IoStatus::conflict) {
      length_ = result.length;
    }
    writing_ = false;
    write(context);
  }

 private:
  enum : TimerKind { kTick = 0, kTimeout = 1 };

  VolumeRequest make(VolumeOperation operation) const {
    VolumeRequest made;
    made.volume = settings_.log;
    made.operation = operation;
    made.file = file_;
    return made;
  }
  void write(Context& context) {
    if (writing_ || heard_.empty()) return;
    const bool over = length_ >= settings_.keep_bytes;
    VolumeRequest request = make(over ? VolumeOperation::replace : VolumeOperation::append);
    request.expected_length = length_;
    const auto view = std::as_bytes(std::span(heard_));
    if (!over) request.data.assign(view.begin(), view.end());
    heard_.clear();
    context.submit(std::move(request));
    writing_ = true;
  }

  Settings settings_;
  FileName file_;
  std::uint64_t ticks_ = 0;
  std::uint64_t length_ = 0;
  bool writing_ = true;
  PooledVector<std::uint64_t> heard_;
};

}  // namespace photon::sim
