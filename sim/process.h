// A process slot and its lives: delivers the kernel's events to a photon::Node.
//
// A slot is stable; each life has its own number, object and context. Crash = the object is
// destroyed and everything queued for it dropped; restart = factory + on_start. Events of a dead
// life are recognised by its number; the queue is never searched (DESIGN 3).
//
// Busy time: after consume(d) later deliveries wait in one FIFO for one wake-up event. Messages and
// requests that the handler issues *after* the call leave when the busy time is over. Timers keep
// at most a few kernel events per kind: moving a timer to a later time costs nothing, the earlier
// event re-checks.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core_impl/runtime/context.h"
#include "sim/effect_tracker.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/service_times.h"
#include "sim/tap.h"
#include "sim/topology.h"
#include "sim/volumes.h"

namespace photon::sim {

class QuietRounds;
class UseMeter;

// Makes the object of a new life. Called at every start of the process.
using NodeFactory = std::function<std::unique_ptr<Node>()>;

// Shared by all processes of a run. Volumes and network are set once all are built.
struct Services {
  Kernel& kernel;
  const Topology& topology;
  const ClockModel& clocks;
  Tap& tap;
  std::uint64_t seed = 0;
  Network* network = nullptr;
  Volumes* volumes = nullptr;
  Slowness* slowness = nullptr;
  FaultEffects* effects = nullptr;
  UseMeter* meter = nullptr;
  QuietRounds* rounds = nullptr;
  ServiceTimes service_times{};
};

class Process;

// The context of one life.
class SimContext final : public Context {
 public:
  SimContext(Process& process, Incarnation life) : process_(process), life_(life) {}

  NodeId self() const override;
  Incarnation incarnation() const override { return life_; }
  MonotonicTime now() const override;
  LocalTime wall() const override;
  TrueTimeInterval true_time() const override;
  void send(NodeId to, Body body) override;
  void set_timer(TimerKind kind, MonotonicTime due) override;
  void cancel_timer(TimerKind kind) override;
  Ticket submit(VolumeRequest request) override;
  std::uint64_t random(std::uint64_t ordinal) override;
  // Keeps the process busy for `busy`, which Slowness may stretch: later deliveries wait.
  void consume(Duration busy);

 private:
  void raw_decide(trace::Kind kind, const void* payload, std::size_t size) override;

  Process& process_;
  Incarnation life_;
  // A callback asks for the time often, and it does not change meanwhile.
  mutable SimTime read_at_ = SimTime::min();
  mutable MonotonicTime reading_{};
};

// One timer of a life. The kernel events under way for it are kept as a short stack,
// earliest last; an event that finds its time on top belongs to the timer, any other is an orphan.
struct Timer {
  static constexpr std::size_t kMostEvents = 4;
  MonotonicTime due{};
  bool armed = false;
  bool queued = false;  // its firing waits in the FIFO of a busy process
  std::uint8_t events = 0;
  struct Pending {
    SimTime at{};
    MonotonicTime due{};  // the time it was made for
  };
  std::array<Pending, kMostEvents> pending{};
};

// How a life ends.
enum class Ending : std::uint8_t {
  by_force,  // at any moment
  in_order,  // it was asked to stop, and nothing would be lost (Node::may_end)
};

class Process final : public Actor {
 public:
  Process(Services& services, const ProcessInfo& info);
  ~Process() override;

  void set_factory(NodeFactory factory) { factory_ = std::move(factory); }
  bool up() const { return node_ != nullptr; }
  Incarnation incarnation() const { return Incarnation(life_); }
  const ProcessInfo& info() const { return info_; }
  // Wakes its group if that rests (quiet_rounds.h): what it knows is then of the present. Null when
  // down.
  Node* woken_node();
  std::size_t waiting() const { return inbox_.size(); }

  // Its later draws, in this life and the next ones, come from another seed.
  void renew(std::uint64_t seed);

  void start();
  // Destroys the life; requires up(). Both arguments go into the trace.
  void crash(std::uint32_t fault, Ending ending);
  // It does nothing until `length` from now; requires up(). The fault has an effect when an item
  // waits for `least` because of it.
  void pause(Duration length, std::uint32_t fault = kNoFault, Duration least = kLeastWait);
  void resume();  // ends its pause, if it has one
  void stop();    // asks it to end in good order; requires up()
  void io_completed(std::uint64_t handle, Operation& operation);

  void on_event(Kernel& kernel, const Event& event) override;

  // Rounds of a group in which it is a member (quiet_rounds.h). While they are left out the group
  // rests; what happens to a member wakes all of it first.
  Rounds* rounds() { return rounds_; }
  // Nothing waits for it, and it waits for no volume.
  bool may_rest() const;
  void rest(NodeId leader, TimerKind timer);
  void wake() { resting_with_ = kNoNode; }
  // It did not send that many messages.
  void pass(std::uint64_t messages) { streams_.pass(messages); }
  // Its timer is due then, and no earlier event comes for it.
  void set_timer_anew(TimerKind kind, MonotonicTime due);
  // Looks at the timer at `time`, if no event comes for it: while it rested they were let pass.
  void see_to_timer(TimerKind kind, SimTime time);

 private:
  friend class SimContext;

  // A delivery that waits for the end of busy time.
  struct Delivery {
    EventKind kind{};
    std::uint32_t argument = 0;
    std::uint64_t payload = 0;
    std::uint32_t number = 0;  // of a message, for the trace
  };

  void on_message_event(const Event& event);
  void on_timer_event(const Event& event);
  void on_wake_up(const Event& event);
  void deliver(const Delivery& delivery);
  void deliver_message(NodeId from, Body body, std::uint32_t number);
  void deliver_timer(TimerKind kind);
  void fire(Timer& timer, TimerKind kind);
  void deliver_io(std::uint64_t handle);
  bool must_wait() const;
  bool is_due(const Timer& timer) const;
  void wait(Delivery delivery);
  void drop_bodies();
  void arm(TimerKind kind);
  void schedule_timer(TimerKind kind, SimTime at);
  void set_timer(TimerKind kind, MonotonicTime due);
  SimTime departure() const;
  void charge(Duration usual);
  void consume(Duration usual);
  void observe() const;
  void end_rest();
  void settle_hold_ups(HoldUps::Ends ends);
  Party party() const { return {info_.id, Incarnation(life_), info_.datacenter, info_.host}; }

  Services& services_;
  const ProcessInfo& info_;
  NodeFactory factory_;
  std::unique_ptr<Node> node_;
  std::optional<SimContext> context_;
  std::uint32_t life_ = 0;
  SimTime busy_until_{};
  SimTime paused_until_{};
  SimTime last_came_{};  // when an item last arrived for it
  HoldUps hold_ups_;
  bool wake_pending_ = false;
  std::array<Timer, kMaxTimerKinds> timers_{};
  PooledDeque<Delivery> inbox_;
  SenderStreams streams_;
  RandomStream component_stream_;
  std::uint64_t requests_ = 0;       // submitted in this life
  std::uint64_t open_requests_ = 0;  // whose answers it has not taken
  Rounds* rounds_ = nullptr;         // of its node
  NodeId resting_with_ = kNoNode;    // the leader of its group
  TimerKind round_timer_ = 0;        // while it rests
  Bytes scratch_;
};

}  // namespace photon::sim
