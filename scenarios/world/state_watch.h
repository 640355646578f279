// The protocol states in which faults took effect: for the table kind of fault x protocol state
// (DESIGN 6), which shows a campaign's coverage and guides the guided search.
//
// Reads only records of the trace, and none of the system's variables. A state holds if it holds
// anywhere in the deployment when a fault's effect is first reported; its place does not matter.
// For a crash, the states just before it count.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/run_record.h"
#include "core_impl/base/event_id.h"
#include "core_impl/trace/record.h"

namespace photonsim::scenarios {

using photon::analysis::kProtocolStates;
using photon::analysis::ProtocolState;

class StateWatch final : public photon::trace::Sink {
 public:
  // The kind of a fault, by the number that records of its effects bear.
  using KindOf = std::function<std::string_view(std::uint32_t fault)>;

  StateWatch(std::size_t groups, std::size_t processes, KindOf kind_of)
      : groups_(groups), busy_(processes), kind_of_(std::move(kind_of)) {}

  void record(const photon::trace::Record& record) override;

  bool holds(ProtocolState state) const;
  // By kind and state, none that is zero, in the order of their names.
  std::vector<photon::analysis::FaultEffects> effects() const;

 private:
  struct Group {
    photon::NodeId master = photon::kNoNode;
    std::uint64_t proposed = 0;  // highest slot of a batch of the present master
    std::uint64_t applied = 0;   // by the first replica
  };
  // What one life of a process has under way.
  struct Busy {
    bool down = false;
    bool writes_snapshot = false;
    std::vector<std::uint64_t> registrations{};  // sequences of their tokens
    std::vector<std::uint64_t> records{};        // the same of joined records
    std::vector<photon::EventId> removals{};     // clicks that it wants removed
  };

  void on_consensus(const photon::trace::Record& record);
  void on_process(const photon::trace::Record& record);
  void on_sharding(const photon::trace::Record& record);
  void on_registry(const photon::trace::Record& record);
  void on_output(const photon::trace::Record& record);
  using States = std::array<bool, kProtocolStates>;

  States states() const;
  void on_crash(const photon::trace::Record& record);
  void clear(photon::NodeId node);
  Group& group_of(std::uint32_t number);
  Busy& busy_of(photon::NodeId node);
  void took_effect(std::uint32_t fault);

  std::vector<Group> groups_;
  std::vector<Busy> busy_;
  KindOf kind_of_;
  // Of the fault with the latest crashes: the states before the first of them.
  std::uint32_t crashing_ = ~std::uint32_t{0};
  States before_crash_{};
  // Sums over all processes, so that a fault need not visit each.
  std::size_t down_ = 0;
  std::size_t snapshots_ = 0;
  std::size_t registrations_ = 0;
  std::size_t records_ = 0;
  std::size_t removals_ = 0;
  std::uint64_t change_asked_ = 0;  // the request; 0: none is open
  bool change_announced_ = false;
  std::map<std::string_view, std::array<std::uint64_t, kProtocolStates>> affected_;
};

}  // namespace photonsim::scenarios
