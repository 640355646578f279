// The operations of clients that use the registry without a pipeline: an explicit list, drawn
// before the run.
//
// Operations arrive as a Poisson process over all clients. Each is a look-up or an insert, about a
// new id, or one of an earlier operation, or one that is old (so that the garbage boundary is
// crossed), or one stamped ahead of time, or one that differs little from an earlier one. Around an
// insert others may be planned: of the same id by other clients a little later (as in the second
// pipeline), or by the same client with the same token. Ids carry stamps of generating servers' own
// clocks, as in the click logs.
//
// The list is a pure function of the options and the clocks: events during the run do not change
// it. Assumption: the paper gives no workload of the registry by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core_impl/base/event_id.h"
#include "sim/ports.h"

namespace photon::models {

enum class LoadKind : std::uint8_t {
  lookup,
  insert,  // with a new token
  repeat,  // an insert with the token of this client's last insert of the same id
  clear,   // the token of this client's last insert of the id
  remove,  // the id, if that token is stored
  // An insert of an id whose stamp is at some shard's boundary, or at the start of a change of
  // shards, and another operation about the id: the client finds out the stamp.
  at_boundary,
};

struct LoadOperation {
  SimTime at{};
  EventId id{};  // not with at_boundary
  LoadKind kind = LoadKind::lookup;
};

class RegistryWorkload {
 public:
  struct Options {
    std::uint64_t seed = 0;
    SimTime start{};
    SimTime end{};
    std::uint32_t clients = 1;
    double per_second = 10;  // operations, those around an insert not counted
    double lookups = 0;      // share of the operations
    double known = 0;        // share of the operations: an id of an earlier one
    double aged = 0;         // share: an unused id up to `age` old
    double ahead = 0;        // share: an id stamped `lead` ahead of time
    double twins = 0;        // share: an id nearly equal to an earlier one (near_twins.h)
    double contested = 0;    // share of the inserts: `contenders` clients insert the id
    double repeated = 0;     // share of the inserts: the same token again
    double cleared = 0;      // share of the inserts: its token is cleared
    double removed = 0;      // share of the inserts: it is removed
    double at_boundary = 0;  // share of the inserts
    double bundled = 0;      // share of the arrivals: `bundle` operations at once
    std::uint32_t contenders = 2;
    std::uint32_t bundle = 4;
    Duration age{};
    Duration lead{};
    Duration lag{};                // mean of the exponential delay of operations around an insert
    std::uint32_t first_host = 0;  // HostId of the first generating server
    Duration stamp_resolution{0};  // of the generating servers' clocks (server_ids.h)
    Duration tick{1};              // operations come, and ages and delays are, at multiples of it
  };
  static constexpr std::uint32_t kServers = 4;  // that generate ids
  // The scenario reader refuses more: the list is held in memory.
  static constexpr double kMostOperations = 1e7;

  RegistryWorkload(const Options& options, const sim::ClockModel& clocks);

  // In order of time. Requires client < clients.
  std::span<const LoadOperation> of(std::uint32_t client) const { return plans_[client]; }
  SimTime end() const { return end_; }

 private:
  std::vector<std::vector<LoadOperation>> plans_;  // by client
  SimTime end_;
};

}  // namespace photon::models
