// What the trace has proven of the IdRegistry: what its groups chose and applied, where its garbage
// boundaries were, which token owned each id when, and which lives the incarnation registry
// granted.
//
// It judges nothing. Of decisions only the first application of an operation is used (which the
// consensus oracle compares with all others), and the boundary as it moved. It knows nothing of
// pipelines: ids are indices that the judge has given out (join_evidence.h).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/boundary_history.h"
#include "analysis/evidence/consensus_ledger.h"
#include "analysis/evidence/join_evidence.h"
#include "analysis/evidence/packed_table.h"
#include "analysis/trace_files/judge_config.h"
#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

// What clients of a registry-only load have asked for with one token that is their own.
struct TokenRequests {
  // Operations that have no end yet, and whether there ever was one, by kind.
  struct Kind {
    std::uint32_t open = 0;
    bool ever = false;
  };
  Kind insert{}, clear{}, remove{};

  // Null for what changes nothing.
  static Kind TokenRequests::*of(trace::RegistryOperation operation) {
    using enum trace::RegistryOperation;
    if (operation == insert) return &TokenRequests::insert;
    if (operation == clear) return &TokenRequests::clear;
    return operation == remove ? &TokenRequests::remove : nullptr;
  }
};

// A definitive outcome of an insert, clear or remove, as applied.
struct AppliedOutcome {
  Token token{};
  std::uint64_t slot = 0;
  ShardId shard{};
  trace::RegistryOperation operation{};
  trace::RegistryCode code{};
  std::uint32_t next = kNoIndex;
};

inline constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};

// An id was registered from its fresh insert in slot `from` to its removal in slot `until`, both of
// `shard`; its token was stored until slot `cleared`.
struct Tenure {
  Token token{};
  std::uint64_t from = 0;
  std::uint64_t cleared = kNoSlot;
  std::uint64_t until = kNoSlot;
  SimTime ended_at = kNever;  // when a replica first applied the removal
  ShardId shard{};
  std::uint32_t next = kNoIndex;  // the one before
};

// An id in the registry.
struct Registration {
  Token owner{};  // of the fresh insert since the latest removal; empty: not registered
  std::uint64_t owner_slot = 0;
  std::uint64_t cleared_slot = kNoSlot;  // in which the owner's token was cleared
  SimTime cleared_at = kNever;
  SimTime owned_at = kNever;
  ShardId owner_shard{};
  std::uint32_t outcomes = kNoIndex;  // newest first
  std::uint32_t tenures = kNoIndex;   // ended by a removal, newest first

  bool is_owned() const { return !owner.is_empty(); }
  bool was_owned() const { return is_owned() || tenures != kNoIndex; }
  bool is_cleared() const { return cleared_slot != kNoSlot; }
};

class RegistryEvidence final : public Ownership {
 public:
  explicit RegistryEvidence(const JudgeConfig& config)
      : consensus_(config.shards, config.replicas_per_group) {}

  const ConsensusLedger& consensus() const { return consensus_; }
  const BoundaryHistory& boundaries() const { return boundaries_; }

  const Registration& registration(std::uint32_t click) const {
    static const Registration kUnknown;
    return click < registrations_.size() ? registrations_[click] : kUnknown;
  }
  // The outcome that the answer is based on: null if no such operation was applied in the slot that
  // it names. Of several, one that agrees with it if there is one.
  const AppliedOutcome* find_outcome(std::uint32_t click,
                                     const trace::RegistryAnswer& answer) const;
  // Does `holds` hold for any time in which the click was registered?
  template <class Predicate>
  bool any_tenure(std::uint32_t index, Predicate&& holds) const {
    const Registration& now = registration(index);
    if (now.is_owned() && holds(tenure_of(now))) return true;
    for (std::uint32_t i = now.tenures; i != kNoIndex; i = tenures_[i].next) {
      if (holds(tenures_[i])) return true;
    }
    return false;
  }
  // When the id was last removed; it must have been.
  SimTime removed_at(std::uint32_t click) const {
    return tenures_[registration(click).tenures].ended_at;
  }

  // What the load has requested with this token; null if nothing. A request counts only if its
  // client was granted the token's life, in its present one. Registry-only runs.
  const TokenRequests::Kind* requests_of(const Token& token,
                                         trace::RegistryOperation operation) const;
  // Life of `token.address` during which `token.incarnation` was granted; Incarnation{} if never.
  Incarnation life_granted(std::uint32_t address, std::uint32_t incarnation) const;

  // Ownership
  Token owner_of(std::uint32_t click) const override { return registration(click).owner; }
  bool was_owned(std::uint32_t click) const override { return registration(click).was_owned(); }
  SimTime cleared_at(std::uint32_t click) const override { return registration(click).cleared_at; }

  // Takes a record in. Which kinds: evidence.cc.
  void absorb(const trace::Record& record);
  // The same of an operation; `owned` if it registered an id that was not registered.
  enum class Change : std::uint8_t { none, owned };
  Change apply(const trace::Record& record, std::uint32_t event);
  // Time passes: see PackedTable::tick. Ends the validity of references to registrations and
  // outcomes.
  void tick() const {
    registrations_.tick();
    outcomes_.tick();
  }

 private:
  static Tenure tenure_of(const Registration& now) {
    return {now.owner, now.owner_slot, now.cleared_slot, kNoSlot, kNever, now.owner_shard};
  }
  Registration& registration_of(std::uint32_t click);
  static Change own(Registration& registration, const trace::Record& record);
  void remove(Registration& registration, const trace::Record& record);
  void on_granted(const trace::Record& record);
  void on_load_asked(const trace::Record& record);
  void on_load_done(const trace::Record& record);

  ConsensusLedger consensus_;
  BoundaryHistory boundaries_;
  PackedTable<Registration> registrations_;  // by click
  PackedTable<AppliedOutcome> outcomes_;
  std::vector<Tenure> tenures_;
  boost::unordered_flat_map<std::uint64_t, Incarnation, Hasher> grants_;
  boost::unordered_flat_map<Token, TokenRequests, Hasher> token_requests_;
};

}  // namespace photon::analysis
