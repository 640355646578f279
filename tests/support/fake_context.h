// A Context for tests of one Node: manual clock, captured sends, timers and decisions, and disks
// that outlive the context's lives.
//
// Nothing happens by itself: the test completes volume requests (oldest first), fires timers and
// delivers messages. A crash drops what is in flight; the test states how much of the oldest append
// is kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/runtime/context.h"

namespace photon::testing {

// The files of one volume, by name. Everything in it is durable.
using FakeDisk = std::map<std::string, Bytes>;

class FakeContext final : public Context {
 public:
  struct Sent {
    NodeId to;
    Body body;
  };
  struct Pending {
    Ticket ticket;
    VolumeRequest request;
  };

  explicit FakeContext(NodeId self, std::uint32_t life = 1) : self_(self), life_(life) {
    timers_.fill(std::nullopt);
  }

  NodeId self() const override { return self_; }
  Incarnation incarnation() const override { return Incarnation(life_); }
  MonotonicTime now() const override { return now_; }
  LocalTime wall() const override { return from_nanoseconds<LocalTime>(nanoseconds_of(now_)); }
  TrueTimeInterval true_time() const override {
    const auto now = from_nanoseconds<TrueTimePoint>(nanoseconds_of(now_));
    const TrueTimePoint point = fixed_true_time.value_or(now);
    return {point - true_time_error, point + true_time_error};
  }
  void send(NodeId to, Body body) override { sent.push_back(Sent{to, std::move(body)}); }
  void set_timer(TimerKind kind, MonotonicTime due) override { timers_.at(kind) = due; }
  void cancel_timer(TimerKind kind) override { timers_.at(kind).reset(); }
  Ticket submit(VolumeRequest request) override {
    pending.push_back(Pending{Ticket(++tickets_), std::move(request)});
    return pending.back().ticket;
  }
  std::uint64_t random(std::uint64_t ordinal) override { return mix(ordinal + self_.value()); }

  // --- actions of the test ---
  void advance(Duration by) { now_ += by; }
  void set_now(MonotonicTime now) { now_ = now; }
  std::optional<MonotonicTime> timer(TimerKind kind) const { return timers_.at(kind); }
  // The earliest timer, if any is set.
  std::optional<TimerKind> next_timer() const {
    std::optional<TimerKind> best;
    for (TimerKind kind = 0; kind < kMaxTimerKinds; ++kind) {
      if (timers_[kind] && (!best || *timers_[kind] < *timers_[*best])) best = kind;
    }
    return best;
  }
  // Moves the clock to the timer's due time (unless it has passed) and fires it.
  void fire(Node& node, TimerKind kind) {
    now_ = std::max(now_, *timers_.at(kind));
    timers_.at(kind).reset();
    node.on_timer(*this, kind);
  }
  // Completes the oldest request; with `forced` status it takes no effect.
  void complete(Node& node, std::optional<IoStatus> forced = std::nullopt) {
    Pending oldest = std::move(pending.front());
    pending.pop_front();
    IoResult result = forced ? IoResult{*forced, 0, {}, {}} : perform(oldest.request);
    if (answered) answered(oldest.request, result);
    node.on_io(*this, oldest.ticket, result);
  }
  // The oldest request takes effect, but the answer is `unavailable`.
  void complete_unanswered(Node& node) {
    perform(pending.front().request);
    complete(node, IoStatus::unavailable);
  }
  void complete_all(Node& node) {
    while (!pending.empty()) complete(node);
  }
  // Ends this life; `kept` bytes of the oldest pending append reach the disk.
  void crash(std::size_t kept = 0) {
    if (!pending.empty() && pending.front().request.operation == VolumeOperation::append) {
      VolumeRequest& request = pending.front().request;
      request.data.resize(std::min(kept, request.data.size()));
      if (!request.data.empty()) perform(request);
    }
    pending.clear();
    sent.clear();
    timers_.fill(std::nullopt);
    ++life_;
  }

  template <trace::Payload P>
  std::vector<P> decided() const {
    std::vector<P> found;
    for (const auto& [kind, bytes] : decisions) {
      if (kind != P::kKind) continue;
      P payload{};
      std::memcpy(&payload, bytes.data(), sizeof(P));
      found.push_back(payload);
    }
    return found;
  }
  // Captured messages of one type, in order.
  template <class M>
  std::vector<std::pair<NodeId, M>> sent_of() const {
    std::vector<std::pair<NodeId, M>> found;
    for (const Sent& one : sent) {
      if (one.body.type() == M::kType) found.emplace_back(one.to, one.body.as<M>());
    }
    return found;
  }

  std::vector<Sent> sent;
  std::deque<Pending> pending;
  // Sees each answer before the node does, and may change it.
  std::function<void(const VolumeRequest&, IoResult&)> answered{};
  std::map<VolumeId, FakeDisk> disks;
  std::optional<TrueTimePoint> fixed_true_time{};  // otherwise the manual clock
  Duration true_time_error{};                      // half of the interval
  std::vector<std::pair<trace::Kind, std::vector<std::byte>>> decisions;

 private:
  void raw_decide(trace::Kind kind, const void* payload, std::size_t size) override {
    const auto* begin = static_cast<const std::byte*>(payload);
    decisions.emplace_back(kind, std::vector<std::byte>(begin, begin + size));
  }

  IoResult perform(const VolumeRequest& request) {
    FakeDisk& disk = disks[request.volume];
    const std::string name(request.file.data(), request.file.size());
    IoResult result;
    if (request.operation == VolumeOperation::list) {
      for (const auto& [file, bytes] : disk) {
        if (file.starts_with(name)) {
          result.files.push_back({FileName(file.data(), file.size()), bytes.size()});
        }
      }
      return result;
    }
    const auto place = disk.find(name);
    const bool creates = request.operation == VolumeOperation::append ||
                         request.operation == VolumeOperation::replace ||
                         request.operation == VolumeOperation::fence;
    if (place == disk.end() && !creates) return IoResult{IoStatus::missing, 0, {}, {}};
    perform_on_file(request, disk, name, result);
    return result;
  }

  static void perform_on_file(const VolumeRequest& request, FakeDisk& disk, const std::string& name,
                              IoResult& result) {
    if (request.operation == VolumeOperation::append) {
      const auto place = disk.find(name);
      result.length = place == disk.end() ? 0 : place->second.size();
      if (result.length != request.expected_length) {
        result.status = IoStatus::conflict;
        return;
      }
    }
    if (request.operation == VolumeOperation::fence) return;
    if (request.operation == VolumeOperation::remove) {
      disk.erase(name);
      return;
    }
    Bytes& bytes = disk[name];
    if (request.operation == VolumeOperation::append) {
      bytes.insert(bytes.end(), request.data.begin(), request.data.end());
    } else if (request.operation == VolumeOperation::replace) {
      bytes = request.data;
    } else if (request.operation == VolumeOperation::read) {
      const std::size_t begin = std::min<std::size_t>(request.offset, bytes.size());
      const std::size_t end = std::min<std::size_t>(begin + request.length, bytes.size());
      result.data.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                         bytes.begin() + static_cast<std::ptrdiff_t>(end));
    }
    result.length = bytes.size();
  }

  NodeId self_;
  std::uint32_t life_;
  std::uint64_t tickets_ = 0;
  MonotonicTime now_{};
  std::array<std::optional<MonotonicTime>, kMaxTimerKinds> timers_;
};

}  // namespace photon::testing
