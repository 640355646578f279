// J-S5, what the configuration group answers and what a client does with it (B-60c).
//
// An answer of the group states the history that its log makes: the version after the slots that
// the answering replica has applied, and the start of the newest interval of that version.
// A client that knows a version in which a change is announced, and neither confirmed nor
// cancelled, sends no id to a shard whose stamp lies at the start of the change or later: its shard
// is not decided.
//
// Judged at the first attempt of each request: an earlier version, without the change, may have
// routed what is repeated.
//
// Cannot see: the intervals of an answer but for the start of the newest one, and its horizon.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/evidence/life_table.h"
#include "analysis/evidence/sharding_ledger.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class HistoryReads final : public Oracle {
 public:
  explicit HistoryReads(const OracleInput& input);
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  struct Version {
    Stamp newest{};               // start of its last interval
    std::optional<Stamp> open{};  // start of the change that is announced
  };
  struct Client {
    Incarnation life{};
    std::uint64_t asked = 0;   // the latest read; 0: it was answered
    std::uint64_t latest = 0;  // request to a shard; its first attempt:
    SimTime sent{};
    std::uint32_t message = 0;
    std::optional<std::size_t> known{};  // version
  };
  struct Replica {
    Incarnation life{};
    std::uint64_t slot = 0;    // applied
    SimTime at{};              // then
    std::uint64_t before = 0;  // applied before that moment
  };

  void on_applied(const Fact& fact, const trace::ShardingApplied& applied);
  void advance(const Fact& fact, std::uint64_t slot);
  void on_answer_sent(const Fact& fact, const trace::ShardingAnswer& answer);
  void on_answer_read(const Fact& fact, const trace::ShardingAnswer& answer);
  void on_ask(const Fact& fact, const trace::RegistryAsk& ask);
  std::size_t version_after(std::uint64_t slot) const;
  Version present() const;

  ShardingLedger ledger_;
  std::vector<Version> versions_;
  std::vector<std::uint64_t> made_by_;  // slot that made that version
  std::uint64_t applied_ = 0;           // highest slot with an operation
  LifeTable<Client> clients_;
  LifeTable<Replica> replicas_;
};

}  // namespace photon::analysis
