// Faults that take processes down or stop them for a while, with or without their hosts.
//
// One that takes processes down takes effect when it kills one, or when it keeps one down for
// longer than the other faults would have; the latter is known, and recorded, when it ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "sim/effect_tracker.h"
#include "sim/fault_scene.h"
#include "sim/topology.h"

namespace photon::sim {

// Kills the processes listed; each restarts when no fault holds it any more. With `chosen` it
// kills the process that the run's VictimChooser names at that moment; while it names none, the
// fault waits.
struct CrashProcess {
  static constexpr std::string_view kName = "process_crash";
  std::vector<NodeId> processes{};
  std::optional<Victim> chosen{};  // then `processes` is filled in as it begins

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  Readiness ready(FaultScene& scene);
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const CrashProcess&, const CrashProcess&) = default;
};

// The process does nothing for a while: items for it wait. A crash ends the pause, as heal_all
// does. It takes effect when an item that would have been handled at once waits at least this long.
struct PauseProcess {
  static constexpr std::string_view kName = "process_pause";
  NodeId process{};
  Duration least = kLeastWait;

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& /*scene*/) const {}
  void cut_short(FaultScene& scene) const;
  friend bool operator==(const PauseProcess&, const PauseProcess&) = default;
};

// Asks the process to stop, and kills it when it reports that nothing is lost with it any more
// (Node::may_end); the duration counts from there. If the process crashes meanwhile, the fault has
// no effect. heal_all does not withdraw the request.
struct StopProcess {
  static constexpr std::string_view kName = "graceful_restart";
  NodeId process{};
  std::optional<Incarnation> asked{};  // the life that was asked

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  Readiness ready(FaultScene& scene);
  bool under_way() const { return asked.has_value(); }
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const StopProcess&, const StopProcess&) = default;
};

// Kills every process of the host; unsynced bytes of its disk are lost.
struct CrashHost {
  static constexpr std::string_view kName = "host_crash";
  HostId host{};

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const CrashHost&, const CrashHost&) = default;
};

// Like CrashHost, and everything on the host's disks is lost for ever. It takes effect if the disks
// held something. The replacements are empty disks, or disks as first deployed: a process that
// starts on those takes itself for new and cannot know that it has forgotten something.
struct LoseDisk {
  static constexpr std::string_view kName = "disk_loss";
  HostId host{};
  NewDisks instead = NewDisks::empty;

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const LoseDisk&, const LoseDisk&) = default;
};

// The process ends and starts anew at the same moment: its memory is lost, and nothing else. It
// takes effect if it kept something there.
struct LoseMemory {
  static constexpr std::string_view kName = "lose_memory";
  NodeId process{};

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& /*scene*/) const {}
  friend bool operator==(const LoseMemory&, const LoseMemory&) = default;
};

}  // namespace photon::sim
