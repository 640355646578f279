// Actors of the environment: parts outside the system, such as workload sources.
//
// They know virtual time, may emit trace records and wake themselves up; they have no network and
// no volumes. A source keeps one wake-up pending, its next arrival (DESIGN 4).
#pragma once

#include <cstdint>

#include "core_impl/base/hash.h"
#include "core_impl/base/time.h"
#include "sim/kernel.h"
#include "sim/tap.h"

namespace photon::sim {

class Environment;

class EnvironmentActor {
 public:
  EnvironmentActor() = default;
  EnvironmentActor(const EnvironmentActor&) = delete;
  EnvironmentActor& operator=(const EnvironmentActor&) = delete;
  virtual ~EnvironmentActor() = default;
  virtual void on_start(Environment& environment) = 0;
  // `argument`: as given to wake_at.
  virtual void on_wake(Environment& environment, std::uint64_t argument) = 0;
};

// The actions of one such actor.
class Environment final : public Actor {
 public:
  Environment(Kernel& kernel, Tap& tap, EnvironmentActor& actor);

  SimTime now() const { return kernel_.now(); }
  // Wake-ups add up; they cannot be cancelled.
  void wake_at(SimTime at, std::uint64_t argument = 0);
  // A fact of the environment, at the current time. The record enters the fingerprint.
  template <trace::Payload P>
  void emit(const Party& about, const P& payload) {
    digest_ = combine(digest_, hash_bytes(std::as_bytes(std::span(&payload, 1))));
    tap_.record(trace::Source::environment, about, payload);
  }
  template <trace::Payload P>
  void emit(DatacenterId datacenter, const P& payload) {
    emit(Party{kNoNode, Incarnation{}, datacenter, HostId{}}, payload);
  }
  // Ends the current run_until after this event.
  void stop() { kernel_.stop(); }

  void start() { actor_.on_start(*this); }
  void on_event(Kernel& kernel, const Event& event) override;

 private:
  Kernel& kernel_;
  Tap& tap_;
  EnvironmentActor& actor_;
  ActorId self_;
  std::uint64_t digest_ = 0;
};

}  // namespace photon::sim
