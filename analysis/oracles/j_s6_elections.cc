#include "analysis/oracles/j_s6_elections.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void Elections::on_fact(const Fact& fact) {
  using trace::Kind;
  const bool sent = fact.source() == trace::Source::sent;
  switch (fact.header().kind) {
    case Kind::paxos_prepare:
      return sent ? on_prepare(fact) : void();
    case Kind::paxos_promise:
      return on_promise(fact);
    case Kind::paxos_reported:
      return fact.source() == trace::Source::delivered ? on_reported(fact) : void();
    case Kind::paxos_accept: {
      const auto& accept = fact.as<trace::PaxosAccept>();
      return sent ? on_proposal(fact, accept.group, accept.ballot) : void();
    }
    default: {
      const auto& elected = fact.as<trace::MasterElected>();
      return on_proposal(fact, elected.group, elected.ballot);
    }
  }
}

Elections::GroupState* Elections::group_of(trace::GroupId group) {
  if (group.value() >= config().shards) return nullptr;
  if (groups_.size() < config().shards) groups_.resize(config().shards);
  return &groups_[group.value()];
}

Elections::Candidacy* Elections::candidacy_of(GroupState& group, const trace::Header& header,
                                              std::uint64_t ballot) {
  const auto found = std::ranges::find_if(group.candidacies, [&](const Candidacy& each) {
    return each.node == header.node && each.life == header.incarnation && each.ballot == ballot;
  });
  return found == group.candidacies.end() ? nullptr : &*found;
}

void Elections::on_prepare(const Fact& fact) {
  const auto& prepare = fact.as<trace::PaxosPrepare>();
  const trace::Header& header = fact.header();
  GroupState* const group = group_of(prepare.group);
  if (group == nullptr || candidacy_of(*group, header, prepare.ballot) != nullptr) return;
  const auto found = std::ranges::find(group->candidacies, header.node, &Candidacy::node);
  Candidacy& fresh = found == group->candidacies.end() ? group->candidacies.emplace_back() : *found;
  std::erase_if(group->promises, [&](const Promised& each) { return each.ballot == fresh.ballot; });
  fresh = Candidacy{.node = header.node,
                    .life = header.incarnation,
                    .ballot = prepare.ballot,
                    .from = prepare.from_slot,
                    .promised_by = {},
                    .reported = {}};
}

void Elections::on_promise(const Fact& fact) {
  const auto& promise = fact.as<trace::PaxosPromise>();
  const trace::Header& header = fact.header();
  GroupState* const group = group_of(promise.group);
  if (group == nullptr) return;
  if (fact.source() == trace::Source::sent) {
    const Acceptor* const acceptor = registry_.consensus().acceptor(promise.group, header.node);
    const bool asked = std::ranges::find(group->candidacies, promise.ballot, &Candidacy::ballot) !=
                       group->candidacies.end();
    if (acceptor == nullptr || !asked) return;
    const Group& disks = *registry_.consensus().group(promise.group);
    const Vote vote{acceptor->member, disks.disks[acceptor->disk].generation};
    const bool known = std::ranges::any_of(group->promises, [&](const Promised& each) {
      return each.node == header.node && each.ballot == promise.ballot && each.vote == vote;
    });
    if (!known) group->promises.push_back({header.node, promise.ballot, vote});
    return;
  }
  if (fact.source() != trace::Source::delivered) return;
  Candidacy* const candidacy = candidacy_of(*group, header, promise.ballot);
  if (candidacy == nullptr || promise.from_slot != candidacy->from) return;
  auto& heard = candidacy->promised_by;
  if (std::ranges::find(heard, header.peer) == heard.end()) heard.push_back(header.peer);
}

void Elections::on_reported(const Fact& fact) {
  const auto& reported = fact.as<trace::PaxosReported>();
  GroupState* const group = group_of(reported.group);
  if (group == nullptr) return;
  Candidacy* const candidacy = candidacy_of(*group, fact.header(), reported.promised_ballot);
  if (candidacy == nullptr || candidacy->judged || reported.slot < candidacy->from) return;
  Acceptance& highest = candidacy->reported[reported.slot];
  if (reported.accepted_ballot <= highest.ballot) return;
  highest = {reported.accepted_ballot, reported.value_hash};
}

void Elections::on_proposal(const Fact& fact, trace::GroupId id, std::uint64_t ballot) {
  GroupState* const group = group_of(id);
  if (group == nullptr) return;
  Candidacy* const candidacy = candidacy_of(*group, fact.header(), ballot);
  if (candidacy == nullptr || candidacy->judged) return;
  candidacy->judged = true;
  oblige();
  std::vector<Vote> votes;
  for (const Promised& each : group->promises) {
    const auto& heard = candidacy->promised_by;
    const bool came = std::ranges::find(heard, each.node) != heard.end();
    if (each.ballot == ballot && came) votes.push_back(each.vote);
  }
  add_own(id, *candidacy, votes);
  if (is_elected(id, *candidacy, votes)) return;
  report(fact, EventId{},
         fmt::format("proposes at ballot {} of group {} with promises of {} replicas: no majority "
                     "of the disks in force after slot {}, with each admission that was reported "
                     "and without one that is still open",
                     ballot, id.value(), votes.size(), candidacy->from - 1));
}

// The candidate's own promise and acceptances are on its disk.
void Elections::add_own(trace::GroupId id, Candidacy& candidacy, std::vector<Vote>& votes) const {
  const Acceptor* const own = registry_.consensus().acceptor(id, candidacy.node);
  if (own == nullptr || own->promised < candidacy.ballot) return;
  const Group& group = *registry_.consensus().group(id);
  votes.push_back({own->member, group.disks[own->disk].generation});
  for (std::uint64_t slot = std::max<std::uint64_t>(candidacy.from, 1);
       slot <= own->accepted.size(); ++slot) {
    const Acceptance& accepted = own->accepted[slot - 1];
    if (accepted.ballot == 0 || accepted.ballot >= candidacy.ballot) continue;
    Acceptance& highest = candidacy.reported[slot];
    if (accepted.ballot > highest.ballot) highest = accepted;
  }
}

bool Elections::is_majority(const std::vector<Vote>& votes, const Generations& in_force) const {
  std::uint32_t count = 0;
  for (std::uint32_t member = 0; member < in_force.size(); ++member) {
    const Vote counted{member, in_force[member]};
    count += std::ranges::find(votes, counted) != votes.end() ? 1 : 0;
  }
  return count >= config().majority();
}

// There is a last slot that the candidate may know as chosen with a majority of the disks in force
// after it, and a majority of those in force after each admission that was reported to follow.
bool Elections::is_elected(trace::GroupId id, const Candidacy& candidacy,
                           const std::vector<Vote>& votes) const {
  const ConsensusLedger& ledger = registry_.consensus();
  const Group& group = *ledger.group(id);
  std::vector<std::uint64_t> known{candidacy.from == 0 ? 0 : candidacy.from - 1};
  for (const Admitted& admitted : group.admitted) {
    if (admitted.slot >= candidacy.from) known.push_back(admitted.slot);
  }
  return std::ranges::any_of(known, [&](std::uint64_t chosen) {
    Generations in_force = ledger.generations_after(id, chosen);
    if (!is_majority(votes, in_force)) return false;
    for (const auto& [slot, entry] : candidacy.reported) {
      const auto admission = group.admissions.find(entry.value);
      if (slot <= chosen || admission == group.admissions.end()) continue;
      const Admitted& admits = admission->second;
      if (admits.member >= in_force.size()) continue;
      in_force[admits.member] = std::max(in_force[admits.member], admits.generation);
    }
    return is_majority(votes, in_force);
  });
}

}  // namespace photon::analysis
