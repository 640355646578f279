#include "analysis/oracles/j_s14_journal_leases.h"

#include <fmt/format.h>

namespace photon::analysis {

void JournalLeases::on_fact(const Fact& fact) {
  if (config().journal_lease == Duration::zero()) return;
  if (fact.header().kind == trace::Kind::journal_owned) {
    return fact.source() == trace::Source::durable ? on_claim(fact) : void();
  }
  if (fact.source() == trace::Source::sent) on_work(fact);
}

void JournalLeases::on_claim(const Fact& fact) {
  const auto& owned = fact.as<trace::JournalOwned>();
  const trace::Header& header = fact.header();
  if (owned.owner != header.node) return;  // it is released, or begun by an operator
  oblige();
  if (owned.lease_nanoseconds != config().journal_lease.count()) {
    report(fact, EventId{},
           fmt::format("journal {} is claimed for {} ns, the lease is {} ns", owned.journal,
                       owned.lease_nanoseconds, config().journal_lease.count()));
  }
  claims_[header.node] = {header.incarnation, header.at};
}

void JournalLeases::on_work(const Fact& fact) {
  const trace::Header& header = fact.header();
  const Claim& last = claims_[header.node];
  oblige();
  const bool none = last.durable_at == kNever || last.life != header.incarnation;
  const Duration lease = config().journal_lease;
  const Duration drift(lease.count() / 1'000'000'000 * config().monotonic_drift_ppb);
  if (!none && header.at - last.durable_at <= lease + drift + lease / 4) return;
  report(fact, fact.as<trace::JoinAsk>().click,
         none
             ? std::string("a click is sent to a joiner, and this life holds no lease of a journal")
             : fmt::format("a click is sent to a joiner {} ns after the last claim of a journal "
                           "was durable, the lease is {} ns",
                           (header.at - last.durable_at).count(), lease.count()));
}

}  // namespace photon::analysis
