// What the system was busy with when a fault struck: for the table kind of fault x protocol state
// (DESIGN 6), which says what a campaign has tried, and what the guided search is led by.
//
// Sees what an observer sees, records of the trace, and none of the system's variables. A state
// holds if it holds anywhere in the world at the moment when a fault's effect is reported: that is
// its first effect, and where in the world it was counts for nothing. What a crash takes away
// counts as it was before it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reports/summary.h"
#include "core_impl/base/event_id.h"
#include "core_impl/trace/record.h"

namespace photonsim::scenarios {

enum class ProtocolState : std::uint8_t {
  electing,     // some consensus group has no master
  committing,   // a batch was proposed and is not applied by anybody
  snapshot,     // a replica writes a snapshot, its own or another's, or its log behind one
  resharding,   // a change of the number of shards was asked for and is not decided
  registering,  // some joiner, or client of the registry, waits for the answer to an insert
  writing,      // joined records were handed to storage and are not durable
  recovering,   // a removal of a registered click was asked for and is not answered
  restarting,   // some process is down
  quiet,        // nothing of all that
};
inline constexpr std::size_t kProtocolStates = 9;
std::string_view name_of(ProtocolState state);

class StateWatch final : public photon::trace::Sink {
 public:
  // The kind of a fault, by the number that records of its effects bear.
  using KindOf = std::function<std::string_view(std::uint32_t fault)>;

  StateWatch(std::size_t groups, std::size_t processes, KindOf kind_of)
      : groups_(groups), busy_(processes), kind_of_(std::move(kind_of)) {}

  void record(const photon::trace::Record& record) override;

  bool holds(ProtocolState state) const;
  // "KIND|STATE" and how many faults of that kind struck in it, in the order of names.
  photon::analysis::Counts counts() const;

 private:
  struct Group {
    photon::NodeId master = photon::kNoNode;
    std::uint64_t proposed = 0;  // highest slot of a batch of the present master
    std::uint64_t applied = 0;   // by whoever was first
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
  void struck(std::uint32_t fault);

  std::vector<Group> groups_;
  std::vector<Busy> busy_;
  KindOf kind_of_;
  // Of the fault whose crashes came last: what held before the first of them.
  std::uint32_t crashing_ = ~std::uint32_t{0};
  States before_crash_{};
  // Sums over all processes, so that a fault need not look at each.
  std::size_t down_ = 0;
  std::size_t snapshots_ = 0;
  std::size_t registrations_ = 0;
  std::size_t records_ = 0;
  std::size_t removals_ = 0;
  std::uint64_t change_asked_ = 0;  // the request; 0: none is open
  bool change_announced_ = false;
  std::map<std::string_view, std::array<std::uint64_t, kProtocolStates>> struck_;
};

}  // namespace photonsim::scenarios
