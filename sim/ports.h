// The interfaces of models: delays, clocks, service times, external volumes.
//
// Invariants: answers of delay, clock and storage models are integers and pure functions of the
// run's seed and the arguments (a random word belongs to the item), so no consumer disturbs
// another's draws and a replay gives the same answers. An external volume has state: it shows the
// bytes that the events dispatched so far have made readable. Implementations live in models/.
#pragma once

#include <compare>
#include <cstdint>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/runtime/volume.h"

namespace photon::sim {

using HostId = StrongId<struct HostTag, std::uint32_t>;

// One-way network delay, without loss, duplication and partitions (those are the network's).
class DelayModel {
 public:
  DelayModel() = default;
  DelayModel(const DelayModel&) = delete;
  DelayModel& operator=(const DelayModel&) = delete;
  virtual ~DelayModel() = default;
  // `word`: 64 random bits that belong to this message. Result > 0.
  virtual Duration one_way(DatacenterId from, DatacenterId to, std::uint64_t word) const = 0;
  // A lower bound of one_way over all words: the look-ahead of a later parallel execution.
  virtual Duration least(DatacenterId from, DatacenterId to) const = 0;
  // An upper bound; max() where none is known.
  virtual Duration most(DatacenterId /*from*/, DatacenterId /*to*/) const {
    return Duration::max();
  }
};

// The clocks of a host at a point of virtual time (SPEC A-30..A-33).
class ClockModel {
 public:
  ClockModel() = default;
  ClockModel(const ClockModel&) = delete;
  ClockModel& operator=(const ClockModel&) = delete;
  virtual ~ClockModel() = default;
  virtual LocalTime wall(HostId host, SimTime at) const = 0;
  virtual MonotonicTime monotonic(HostId host, SimTime at) const = 0;
  // The first instant at which monotonic(host, .) >= due; never before `not_before`.
  virtual SimTime when(HostId host, MonotonicTime due, SimTime not_before) const = 0;
  virtual TrueTimeInterval true_time(HostId host, SimTime at) const = 0;
  // A process acts by wall(host, at); the headers of trace records, which show it too, do not
  // count. For models that record which clock faults took effect.
  virtual void wall_used(HostId /*host*/, SimTime /*at*/) const {}
  // Monotonic clocks count at constant rates, within the bound that leases assume.
  virtual bool is_steady() const { return false; }
};

enum class VolumeClass : std::uint8_t { host_disk, shared_cell, input_logs };

// How long a volume takes for one request.
class StorageModel {
 public:
  StorageModel() = default;
  StorageModel(const StorageModel&) = delete;
  StorageModel& operator=(const StorageModel&) = delete;
  virtual ~StorageModel() = default;
  virtual Duration service(VolumeClass volume, const VolumeRequest& request,
                           std::uint64_t word) const = 0;
};

// One life of a process.
struct Reader {
  NodeId node{kNoNode};
  Incarnation life{};
  auto operator<=>(const Reader&) const = default;
};

// A volume whose files come from outside the simulated processes: the input logs of a datacenter,
// regenerated on read. Read-only for processes. Shows the length that is readable at the time of
// the call.
class ExternalVolume {
 public:
  ExternalVolume() = default;
  ExternalVolume(const ExternalVolume&) = delete;
  ExternalVolume& operator=(const ExternalVolume&) = delete;
  virtual ~ExternalVolume() = default;
  // Handles list, stat and read; anything else is answered `unavailable`.
  virtual void serve(const Reader& reader, const VolumeRequest& request, IoResult& result) = 0;
};

}  // namespace photon::sim
