// A small exhaustive explorer: every interleaving within bounds, breadth first.
//
// The network is the set of all messages ever sent: delivering one does not remove it, so loss,
// delay, duplication and reordering are all included. Time stands still and leases are off:
// agreement must not need them. Moves: deliver a message, make a replica's records durable (all, or
// the first one only), crash and restart it at any point, lose its disk, take a snapshot and cut
// the log, stand for election, propose. An offered snapshot is fetched and installed in one move.
// Bounded are the elections and proposals per replica, crashes, losses and snapshots. Heartbeats
// and rejections are lost, for they only decide which replica tries next.
//
// States are recognised by hash. Machines (a replica with its disk) and messages are stored once
// and numbered; a machine's reaction to a message is computed once, however many states it occurs
// in, so that a state costs some look-ups and no step of a replica. Agreement is judged in each
// state from the messages and the applied values alone; both are the same in many states, and the
// same evidence is judged once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace photon::paxos::testing {

class Machine;
struct Flying;

inline constexpr std::uint32_t kExplored = 3;  // replicas

enum class Writes : std::uint8_t { at_once, explored };

using PerReplica = std::array<std::uint32_t, kExplored>;

struct Bounds {
  PerReplica elections{};
  PerReplica proposals{};
  std::uint32_t crashes = 0;
  PerReplica losses{};  // of its disk
  PerReplica snapshots{};
  std::uint32_t pipeline_depth = 2;
  Writes writes = Writes::at_once;
  std::size_t states = 0;  // bound on the number of states, approximate
};

struct Exploration {
  std::string violation;  // the first one; empty if there is none
  std::size_t states = 0;
  bool exhausted = false;  // every state within the bounds was seen
  // The most of each in one state: slots chosen, disks admitted, snapshots of others installed.
  std::size_t chosen = 0;
  std::size_t admitted = 0;
  std::size_t installed = 0;
};

// One state, as an observer of the exploration gets it.
struct Observed {
  std::array<const Machine*, kExplored> machines{};
  std::vector<const Flying*> messages;  // ever sent, in the order of discovery
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;
  // Before all steps from it.
  virtual void from(const Observed& state) = 0;
  // A step from that state, also one to a state that was seen already. False ends the exploration.
  virtual bool step(const Observed& to) = 0;
};

// Explores until there is nothing new, the bound on states is reached, or a violation is found.
Exploration explore(const Bounds& bounds, Observer* observer = nullptr);
// The same, and checks that there is no violation. PAXOS_STATES raises the bound of every test.
Exploration explore_and_check(const char* name, Bounds bounds);

}  // namespace photon::paxos::testing
