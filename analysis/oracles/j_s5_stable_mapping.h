// J-S5: stable mapping.
// Keeps its own history of shard counts, derived from the operations in the configuration group's
// log, and checks every insert or look-up that a shard accepted: that is, answered from its store
// and not with "too old". The content of an operation is a claim of the replica that applies it.
// The oracle compares the claim with the bytes: encoded like an operation, it must hash to the
// value that a majority of disks holds in that slot. A slot that holds neither nothing nor an
// admission must have such a claim when it is applied. The oracle reports
//   * an id that two shards accepted, whatever the history says;
//   * an id accepted by a shard that does not own it by the history of that moment;
//   * a change of the history that gives another number of shards to a stamp for which something
//     was accepted before: damage may follow, although no id has been accepted twice yet;
//   * numbers of shards that are forgotten before every shard has declared their ids too old;
//   * a claim that is not what the disks hold, or is missing.
// The history is never cut here: forgotten intervals still bind. A replica that does not know the
// boundary yet is exempt if it answers that such an id is not there.
//
// Cannot see: which shard a client would have asked next, and which history a server or client
// uses; only where an id was accepted.
#pragma once

#include <vector>

#include "analysis/evidence/chunked_array.h"
#include "analysis/evidence/sharding_ledger.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class StableMapping final : public Oracle {
 public:
  explicit StableMapping(const OracleInput& input);
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // From `start` to the start of the next one.
  struct Interval {
    Stamp start{};
    std::uint32_t shards = 0;
    EventId latest{};  // accepted so far, by stamp; means nothing without `used`
    bool used = false;
  };

  void on_accepted(const Fact& fact, const EventId& id, ShardId shard);
  void on_configuration(const Fact& fact, const trace::ShardingApplied& applied);
  bool is_chosen(const trace::ShardingApplied& applied) const;
  void on_slot(const Fact& fact, const trace::SlotApplied& applied);
  void forget(const Fact& fact, Stamp below, std::uint32_t shards);
  void cut(const Fact& fact, const ShardingLedger::Interval& change);
  bool is_outdated(const trace::RegistryAnswer& answer) const;
  Interval& interval_of(Stamp stamp);

  static constexpr Interest kKinds[] = {naming(trace::Kind::operation_applied),
                                        sent(trace::Kind::registry_answer),
                                        trace::Kind::sharding_applied, trace::Kind::slot_applied};
  static constexpr std::uint32_t kNone = 0xffffffffU;

  ChunkedArray<std::uint32_t> accepted_by_{kNone};  // first shard that accepted that click
  std::vector<Interval> history_;
  ShardingLedger ledger_;
  std::uint64_t applied_ = 0;  // highest slot of the configuration group with an operation

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
