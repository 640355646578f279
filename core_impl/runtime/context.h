// The runtime interface: what a process may ask of its runtime, and how the runtime calls it.
// A *life* is one incarnation of a process, from its start to its crash or stop.
//
// Invariants:
//  * Effects only enqueue. No call into a Context re-enters the Node.
//  * Everything a process knows comes through its Context: it has no other clock, no other source
//    of randomness, no I/O. The same object runs in every runtime.
//  * After a crash the object is destroyed; `on_start` of its successor is first boot and restart
//    alike: recovery reads volumes. Timers, completions and messages of a dead life never arrive.
#pragma once

#include <cstdint>

#include "core_impl/base/random.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/runtime/body.h"
#include "core_impl/runtime/volume.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/record.h"

namespace photon {

class Rounds;

// A process owns one timer per kind; setting it again moves it. Kinds are the role's own enum.
using TimerKind = std::uint8_t;
inline constexpr TimerKind kMaxTimerKinds = 8;

class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  virtual NodeId self() const = 0;
  // The number of this life as the operating system would know it: differs from every earlier life
  // on the same slot of the same host. Roles whose writes must be fenced ask the incarnation
  // registry.
  virtual Incarnation incarnation() const = 0;

  virtual MonotonicTime now() const = 0;           // never stepped; for timers and leases
  virtual LocalTime wall() const = 0;              // host's calendar clock: skewed, stepped
  virtual TrueTimeInterval true_time() const = 0;  // contains true time, if the bound holds

  // May be lost, delayed, duplicated, reordered. Sending to oneself is allowed.
  virtual void send(NodeId to, Body body) = 0;
  virtual void set_timer(TimerKind kind, MonotonicTime due) = 0;
  virtual void cancel_timer(TimerKind kind) = 0;
  // Answers through Node::on_io with the same ticket, unless this life ends before.
  virtual Ticket submit(VolumeRequest request) = 0;
  // Random bits that depend on (run seed, this process, `ordinal`) and on nothing else.
  virtual std::uint64_t random(std::uint64_t ordinal) = 0;

  // A decision, for the trace.
  template <trace::Payload P>
  void decide(const P& payload) {
    raw_decide(P::kKind, &payload, sizeof(P));
  }

 private:
  virtual void raw_decide(trace::Kind kind, const void* payload, std::size_t size) = 0;
};

// How much of a resource a process uses now: `used` of `limit` (0: there is none), and how much
// waits for it.
struct ResourceUse {
  trace::Resource resource{};
  std::uint64_t used = 0;
  std::uint64_t limit = 0;
  std::uint64_t waiting = 0;
};

class UseSink {
 public:
  UseSink() = default;
  UseSink(const UseSink&) = delete;
  UseSink& operator=(const UseSink&) = delete;
  virtual ~UseSink() = default;
  virtual void use(const ResourceUse& now) = 0;
};

class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  virtual void on_start(Context& context) = 0;
  virtual void on_message(Context& context, NodeId from, const Body& body) = 0;
  virtual void on_timer(Context& context, TimerKind kind) = 0;
  virtual void on_io(Context& context, Ticket ticket, IoResult& result) = 0;

  // The runtime asks the process to stop in good order: from now on it accepts nothing new and
  // finishes the work that would be lost with it. It is ended as soon as may_end allows, or later.
  virtual void on_stop(Context&) {}
  // Nothing would be lost with it. Roles that hold only disposable state in memory may always
  // be ended.
  virtual bool may_end() const { return true; }

  // States the use of each resource that may run out, always the same ones in the same order. The
  // runtime may ask after any callback.
  virtual void report_use(UseSink&) const {}

  // The group in which this process is a member, if its idle rounds may be left out (rounds.h).
  virtual Rounds* rounds() { return nullptr; }
};

}  // namespace photon
