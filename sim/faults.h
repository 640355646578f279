// Faults of a run: an explicit list, fixed before the run.
//
// A fault begins at `at` and ends after `duration` (kForever: at heal_all). Random faults are
// expanded into such a list from the seed, with draws of their own, so that a replay or a reducer
// sees, changes and drops single faults (DESIGN 5). Each fault has an effect flag, set when it
// really bit; a configured fault without effect is reported by the caller (DESIGN 6).
//
//   crash_process  kills the processes listed; each restarts when no fault holds it any more.
//                  With `chosen` it kills whom the run's VictimChooser names at that moment;
//                  while it names nobody, the fault waits
//   pause_process  the processes listed do nothing for a while: what comes for them waits. A crash
//                  ends it, as heal_all does
//   stop_process   asks the process listed to stop, and kills it when it says that nothing is lost
//                  with it any more (Node::may_end); `duration` counts from there. One that crashes
//                  meanwhile has been spared this fault; heal_all does not take the question back
//   crash_host     kills every process of the hosts listed; unsynced bytes of their disks are lost
//   lose_disk      like crash_host, and everything on the hosts' disks is gone for ever
//   outage         of components of one datacenter (SPEC A-25): registry, pipeline, ... kill the
//                  processes of that class (a host all of whose processes die crashes with them);
//                  cell and logs make the datacenter's shared cells or input logs unavailable
//   partition      messages from datacenters `from` to datacenters `to` are lost, one or both ways
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/time.h"
#include "sim/topology.h"

namespace photon::sim {

enum class FaultKind : std::uint8_t {
  crash_process,
  crash_host,
  outage,
  partition,
  lose_disk,
  pause_process,
  stop_process
};
enum class Direction : std::uint8_t { both, one_way };

inline constexpr Duration kForever = Duration::max();
inline constexpr std::uint32_t kNoFault = 0xffffffffU;

// A victim that is known by its part in the run, such as the master of a group.
struct Victim {
  std::uint32_t number = 0;  // the chooser's own
  std::string text{};        // for people
  friend bool operator==(const Victim&, const Victim&) = default;
};

struct Fault {
  SimTime at{};
  Duration duration = kForever;
  FaultKind kind = FaultKind::crash_process;
  Direction direction = Direction::both;  // partition
  DatacenterId datacenter{};              // outage; random partition: who was drawn
  ComponentMask components = 0;           // outage
  std::vector<NodeId> processes{};        // crash_process, pause_process, stop_process
  std::optional<Victim> chosen{};    // crash_process: then `processes` is filled in as it begins
  std::vector<HostId> hosts{};       // crash_host, lose_disk
  std::vector<DatacenterId> from{};  // partition
  std::vector<DatacenterId> to{};    // partition; empty: all others

  bool hits(Component component) const { return (components & mask_of(component)) != 0; }
  friend bool operator==(const Fault&, const Fault&) = default;
};

std::string_view name_of(FaultKind kind);  // "crash_process", ...
std::string describe(const Fault& fault, const Topology& topology);

// How a random partition is drawn.
enum class PartitionShape : std::uint8_t {
  isolate,  // one datacenter, chosen uniformly, loses contact with all others
  split,    // every datacenter goes to one of two sides by a fair coin; neither side is empty
  one_way,  // one ordered pair, chosen uniformly; the other direction stays up
};

// Faults of one kind, at random times in [from, until). Either `count` of them, at uniform times,
// or, if count is 0, a Poisson process with mean distance `mean_between`.
struct RandomFaults {
  FaultKind kind = FaultKind::crash_process;
  SimTime from{};
  SimTime until{};
  std::uint32_t count = 0;
  Duration mean_between{};
  Duration shortest{};  // the duration of each is uniform in [shortest, longest]
  Duration longest{};
  // crash_*, pause_process, stop_process: which processes or hosts; lose_disk: processes on whose
  // hosts there are disks
  std::string pattern = "*";
  std::vector<DatacenterId> datacenters{};    // outage, partition: candidates; empty: all
  ComponentMask components = kAllComponents;  // outage
  PartitionShape shape = PartitionShape::isolate;
};

// A pure function of its arguments; sorted by time, stable in the order of `specs`.
// A spec without candidates yields nothing.
std::vector<Fault> expand(const std::vector<RandomFaults>& specs, std::uint64_t seed,
                          const Topology& topology);

// Fixed faults and random ones together, sorted by time: a run's fault list.
std::vector<Fault> merge(std::vector<Fault> fixed, const std::vector<Fault>& random);

}  // namespace photon::sim
