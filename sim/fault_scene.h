// The parts of the run that a fault acts on while it begins or ends, and its own number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core_impl/runtime/context.h"
#include "sim/fault_effects.h"
#include "sim/kernel.h"
#include "sim/statement.h"
#include "sim/topology.h"

namespace photon::sim {

class Network;
class Processes;
class Slowness;
class Tap;
class Volumes;

// A victim chosen by its role in the run, such as the master of a group.
struct Victim {
  std::uint32_t number = 0;  // the chooser's own
  std::string text{};        // for reports
  friend bool operator==(const Victim&, const Victim&) = default;
};

// Names the process that has a role in the run now. Deterministic: it decides by the run so far.
class VictimChooser {
 public:
  VictimChooser() = default;
  VictimChooser(const VictimChooser&) = delete;
  VictimChooser& operator=(const VictimChooser&) = delete;
  virtual ~VictimChooser() = default;
  virtual std::optional<NodeId> choose(const Victim& victim) = 0;
};

// What faults may query about the system under test, which the simulator does not know.
// Deterministic.
class Probe {
 public:
  Probe() = default;
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  virtual ~Probe() = default;
  // Whether a life keeps state in memory that its successor will lack.
  virtual bool keeps_in_memory(const Node& life) const = 0;
  // The version of shared state that a message brings to its receiver; nothing if it brings none.
  // Versions grow.
  virtual std::optional<std::uint64_t> version_in(const Body& body) const = 0;
  // What a message says about shared state; nothing if it says nothing.
  virtual std::optional<Statement> statement_in(const Body& body) const = 0;
};

enum class Readiness : std::uint8_t {
  now,
  later,     // ask again soon
  obsolete,  // never: another fault already took the victim down
};

struct FaultScene {
  std::uint32_t fault = 0;  // its number in the run
  Duration duration{};      // planned duration
  std::uint32_t series = 0;
  Kernel& kernel;
  const Topology& topology;
  Tap& tap;
  Processes& processes;
  Network& network;
  Volumes& volumes;
  Slowness& slowness;
  VictimChooser* chooser = nullptr;
  const Probe* probe = nullptr;
  FaultEffects& effects;

  void took_effect() const { effects.took_effect(fault); }
};

}  // namespace photon::sim
