#include "analysis/evidence/registry_evidence.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;
using trace::Record;
using trace::RegistryCode;

namespace {

std::uint64_t granted_key(std::uint32_t address, std::uint32_t incarnation) {
  return (std::uint64_t{address} << 32U) | incarnation;
}

}  // namespace

const AppliedOutcome* RegistryEvidence::find_outcome(std::uint32_t click,
                                                     const trace::RegistryAnswer& answer) const {
  const AppliedOutcome* found = nullptr;
  for (std::uint32_t i = registration(click).outcomes; i != kNoIndex; i = outcomes_[i].next) {
    const AppliedOutcome& outcome = outcomes_[i];
    if (outcome.slot != answer.slot || outcome.operation != answer.operation ||
        outcome.token != answer.token) {
      continue;
    }
    found = &outcome;
    if (outcome.code == answer.code && outcome.shard == answer.shard) break;
  }
  return found;
}

const TokenRequests::Kind* RegistryEvidence::requests_of(const Token& token,
                                                         trace::RegistryOperation operation) const {
  const auto kind = TokenRequests::of(operation);
  const auto found = token_requests_.find(token);
  return kind == nullptr || found == token_requests_.end() ? nullptr : &(found->second.*kind);
}

Incarnation RegistryEvidence::life_granted(std::uint32_t address, std::uint32_t incarnation) const {
  const auto found = grants_.find(granted_key(address, incarnation));
  return found == grants_.end() ? Incarnation{} : found->second;
}

void RegistryEvidence::absorb(const Record& record) {
  switch (record.header.kind) {
    case Kind::boundary_moved:
      return boundaries_.absorb(record.as<trace::BoundaryMoved>(), record.header.at);
    case Kind::incarnation_granted:
      return on_granted(record);
    case Kind::load_asked:
      return on_load_asked(record);
    case Kind::load_done:
      return on_load_done(record);
    default:
      return consensus_.absorb(record);
  }
}

Registration& RegistryEvidence::registration_of(std::uint32_t click) {
  registrations_.grow(click + std::size_t{1});
  return registrations_[click];
}

RegistryEvidence::Change RegistryEvidence::apply(const Record& record, std::uint32_t event) {
  const auto& applied = record.as<trace::OperationApplied>();
  consensus_.absorb(record);
  if (event == kNoIndex) return Change::none;  // about no id, or a repetition
  Registration& registration = registration_of(event);
  const auto index = static_cast<std::uint32_t>(outcomes_.size());
  outcomes_.emplace_back() = {applied.token,     applied.slot, applied.shard,
                              applied.operation, applied.code, registration.outcomes};
  registration.outcomes = index;
  if (applied.code == RegistryCode::inserted) return own(registration, record);
  if (!registration.is_owned()) return Change::none;
  if (applied.code == RegistryCode::cleared) {
    registration.cleared_slot = std::min(registration.cleared_slot, applied.slot);
    registration.cleared_at = std::min(registration.cleared_at, record.header.at);
  } else if (applied.code == RegistryCode::removed) {
    remove(registration, record);
  }
  return Change::none;
}

RegistryEvidence::Change RegistryEvidence::own(Registration& registration, const Record& record) {
  const auto& applied = record.as<trace::OperationApplied>();
  if (registration.is_owned()) return Change::none;
  registration.owner = applied.token;
  registration.owner_slot = applied.slot;
  registration.owner_shard = applied.shard;
  registration.owned_at = record.header.at;
  return Change::owned;
}

void RegistryEvidence::remove(Registration& registration, const Record& record) {
  Tenure& ended = tenures_.emplace_back(tenure_of(registration));
  ended.until = record.as<trace::OperationApplied>().slot;
  ended.ended_at = record.header.at;
  ended.next = registration.tenures;
  registration.tenures = static_cast<std::uint32_t>(tenures_.size() - 1);
  registration.owner = {};
  registration.cleared_slot = kNoSlot;
  registration.cleared_at = kNever;
  registration.owned_at = kNever;
}

void RegistryEvidence::on_load_asked(const Record& record) {
  const auto& asked = record.as<trace::LoadAsked>();
  const trace::Header& header = record.header;
  const auto kind = TokenRequests::of(asked.operation);
  const Token& token = asked.token;
  const bool own = token.address == header.node.value() &&
                   life_granted(token.address, token.incarnation) == header.incarnation;
  if (kind == nullptr || !own) return;
  TokenRequests::Kind& tally = token_requests_[token].*kind;
  ++tally.open;
  tally.ever = true;
}

void RegistryEvidence::on_load_done(const Record& record) {
  const auto& done = record.as<trace::LoadDone>();
  const auto kind = TokenRequests::of(done.operation);
  const auto found = token_requests_.find(done.token);
  if (kind == nullptr || found == token_requests_.end()) return;
  TokenRequests::Kind& tally = found->second.*kind;
  if (tally.open > 0) --tally.open;
}

void RegistryEvidence::on_granted(const Record& record) {
  if (record.header.source != trace::Source::delivered) return;
  const auto& grant = record.as<trace::IncarnationGranted>();
  if (grant.address != record.header.node.value()) return;
  if (grant.request != record.header.incarnation.value()) return;  // for another life
  grants_.try_emplace(granted_key(grant.address, grant.incarnation), record.header.incarnation);
}

}  // namespace photon::analysis
