// J-S14, ownership of journals (C-06): epochs of owners increase, and after a new owner's claim no
// record of an earlier owner reaches the journal. A worker that was paused beyond its lease would
// otherwise overwrite what its successor has saved. Operators that empty the same journal at the
// same time may have one epoch: each writes the same state.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class JournalFencing final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }

  void on_fact(const Fact& fact) override {
    if (fact.source() != trace::Source::durable) return;
    switch (fact.header().kind) {
      case trace::Kind::journal_owned:
        return on_claim(fact, fact.as<trace::JournalOwned>());
      case trace::Kind::offset_saved:
        return on_record(fact, fact.as<trace::OffsetSaved>().journal);
      case trace::Kind::retry_saved:
        return on_record(fact, fact.as<trace::RetrySaved>().journal);
      case trace::Kind::retry_removed:
        return on_record(fact, fact.as<trace::RetryRemoved>().journal);
      default:
        return on_record(fact, fact.as<trace::RangeSkipped>().journal);
    }
  }

 private:
  struct Owner {
    std::uint64_t epoch = 0;  // 0: no claim yet
    NodeId node = kNoNode;
    Incarnation life{};
  };

  Owner& owner_of(const Fact& fact, std::uint32_t journal) {
    return owners_[std::uint64_t{fact.header().datacenter.value()} << 32U | journal];
  }

  static bool is_writer(const Owner& owner, const Fact& fact) {
    return owner.node == fact.header().node && owner.life == fact.header().incarnation;
  }

  // Every rewrite states its owner before anything else.
  void on_claim(const Fact& fact, const trace::JournalOwned& claim) {
    Owner& owner = owner_of(fact, claim.journal);
    oblige();
    const bool both_operators =
        is_state_operator(owner.node) && is_state_operator(fact.header().node);
    const bool renews = claim.epoch == owner.epoch && (is_writer(owner, fact) || both_operators);
    if (claim.epoch <= owner.epoch && !renews) {
      report(fact, EventId{},
             fmt::format("epoch {} claims journal {}, which {} owns since epoch {}", claim.epoch,
                         claim.journal, process(owner.node), owner.epoch));
    }
    owner = {claim.epoch, fact.header().node, fact.header().incarnation};
  }

  void on_record(const Fact& fact, std::uint32_t journal) {
    const Owner& owner = owner_of(fact, journal);
    if (owner.epoch == 0) return;
    oblige();
    if (is_writer(owner, fact)) return;
    report(fact, EventId{},
           fmt::format("it writes to journal {}, which {} owns since epoch {}", journal,
                       process(owner.node), owner.epoch));
  }

  boost::unordered_flat_map<std::uint64_t, Owner, Hasher> owners_;  // by (datacenter, journal)
  static constexpr Interest kKinds[] = {
      durable(trace::Kind::journal_owned), durable(trace::Kind::offset_saved),
      durable(trace::Kind::retry_saved), durable(trace::Kind::retry_removed),
      durable(trace::Kind::range_skipped)};
};

}  // namespace photon::analysis
