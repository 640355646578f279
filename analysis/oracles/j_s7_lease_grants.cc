#include "analysis/oracles/j_s7_lease_grants.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {
namespace {

// Longer than an acknowledgement waits for a slow disk.
constexpr Duration kLongestWrite = std::chrono::seconds(60);

// Of a few times in nanoseconds.
constexpr Duration kRounding{10};

}  // namespace

void LeaseGrants::on_fact(const Fact& fact) {
  if (config().lease == Duration{}) return;
  using Sort = MessageName::Sort;
  const NodeId node = fact.header().node;
  const bool message =
      fact.source() == trace::Source::delivered || fact.source() == trace::Source::sent;
  switch (fact.header().kind) {
    case trace::Kind::paxos_prepare: {
      const auto& prepare = fact.as<trace::PaxosPrepare>();
      if (!message) return;
      Granted& granted = member_of(prepare.group, node).granted;
      granted.released = std::max(granted.released, prepare.released);
      return;
    }
    case trace::Kind::paxos_promise:
      return fact.source() == trace::Source::sent ? on_promise(fact) : void();
    case trace::Kind::paxos_accept: {
      const auto& accept = fact.as<trace::PaxosAccept>();
      const MessageName name{Sort::accept, accept.ballot, accept.slot};
      return pass(member_of(accept.group, node), name, fact);
    }
    case trace::Kind::paxos_heartbeat: {
      const auto& beat = fact.as<trace::PaxosHeartbeat>();
      const auto stamp = static_cast<std::uint64_t>(beat.stamp);
      const MessageName name{Sort::heartbeat, beat.ballot, stamp};
      return pass(member_of(beat.group, node), name, fact);
    }
    case trace::Kind::paxos_accepted: {
      const auto& accepted = fact.as<trace::PaxosAccepted>();
      if (!message) return;
      return acknowledge(fact, accepted.group, {Sort::accept, accepted.ballot, accepted.slot});
    }
    case trace::Kind::paxos_granted: {
      const auto& granted = fact.as<trace::PaxosGranted>();
      const auto stamp = static_cast<std::uint64_t>(granted.stamp);
      if (!message) return;
      return acknowledge(fact, granted.group, {Sort::heartbeat, granted.ballot, stamp});
    }
    case trace::Kind::paxos_formatted: {
      if (fact.source() != trace::Source::durable) return;
      member_of(fact.as<trace::PaxosFormatted>().group, node).granted = {};
      return;
    }
    default:
      return on_extended(fact);
  }
}

LeaseGrants::Member& LeaseGrants::member_of(trace::GroupId group, NodeId node) {
  std::vector<Member>& members = groups_[group];
  const auto found = std::ranges::find(members, node, &Member::node);
  if (found != members.end()) return *found;
  members.emplace_back().node = node;
  return members.back();
}

// A master's message is sent, or received.
void LeaseGrants::pass(Member& member, const MessageName& name, const Fact& fact) const {
  if (fact.source() == trace::Source::sent) return note(member.asked, name, fact.at());
  if (fact.source() != trace::Source::delivered) return;
  note(member.heard, name, fact.at());
  member.granted.master = std::max(member.granted.master, name.ballot);
}

// Messages older than two leases constrain no lease any more. But a message whose first copy was
// forgotten would seem to be received with the second one, while an answer to the first still waits
// for a disk.
void LeaseGrants::note(Passages& passages, const MessageName& name, SimTime at) const {
  passages.note(name, at, at - 2 * config().lease - kLongestWrite);
}

// How many passages have names up to this one.
std::size_t LeaseGrants::Passages::place_after(const Ordered& passages, const MessageName& name) {
  const auto key = [](const auto& of) { return std::pair(of.ballot, of.number); };
  std::size_t end = passages.size();
  std::size_t begin = end;
  for (std::size_t step = 1; begin > 0; step *= 2) {
    begin -= std::min(step, begin);
    if (key(passages[begin]) <= key(name)) break;
    end = begin;
  }
  const auto found = std::ranges::upper_bound(passages.begin() + static_cast<std::ptrdiff_t>(begin),
                                              passages.begin() + static_cast<std::ptrdiff_t>(end),
                                              key(name), {}, key);
  return static_cast<std::size_t>(found - passages.begin());
}

void LeaseGrants::Passages::note(const MessageName& name, SimTime at, SimTime since) {
  Ordered& passages = of(name);
  while (!passages.empty() && passages.front().last < since) passages.pop_front();
  const std::size_t place = place_after(passages, name);
  if (place > 0) {
    Passage& known = passages[place - 1];
    if (known.ballot == name.ballot && known.number == name.number) {
      known.last = at;
      return;
    }
  }
  passages.insert(passages.begin() + static_cast<std::ptrdiff_t>(place),
                  {name.ballot, name.number, at, at});
}

const LeaseGrants::Passages::Passage* LeaseGrants::Passages::find(const MessageName& name) const {
  const Ordered& passages = passages_[static_cast<std::size_t>(name.sort)];
  const std::size_t place = place_after(passages, name);
  if (place == 0) return nullptr;
  const Passage& known = passages[place - 1];
  return known.ballot == name.ballot && known.number == name.number ? &known : nullptr;
}

// A grant begins when the message is received; the first copy received is a safe guess. A replica
// that resumes after a pause receives an old master and a new one at one instant: the higher ballot
// replaces the grant.
void LeaseGrants::acknowledge(const Fact& fact, trace::GroupId group, const MessageName& name) {
  const NodeId node = fact.header().node;
  const NodeId peer = fact.header().peer;
  const SimTime at = fact.at();
  if (fact.source() == trace::Source::sent) {
    Member& member = member_of(group, node);
    note(member.acknowledged, name, at);
    const Passages::Passage* heard = member.heard.find(name);
    if (heard == nullptr) return;
    Granted& granted = member.granted;
    if (std::pair(name.ballot, heard->first) <= std::pair(granted.ballot, granted.at)) return;
    granted.holder = peer;
    granted.ballot = name.ballot;
    granted.at = heard->first;
    return;
  }
  const Passages::Passage* sent = member_of(group, peer).acknowledged.find(name);
  if (sent == nullptr) return;
  const SimTime sent_at = sent->last;  // `sent` does not outlive a new member
  Member& master = member_of(group, node);
  const Passages::Passage* asked = master.asked.find(name);
  const SimTime asked_at = asked == nullptr ? at : asked->last;
  std::vector<Counted>& counted = master.counted;
  auto place = std::ranges::find(counted, peer, &Counted::follower);
  if (place == counted.end()) place = counted.insert(counted.end(), {peer, 0, {}, {}});
  if (place->ballot > name.ballot) return;
  if (place->ballot < name.ballot) *place = {peer, name.ballot, sent_at, asked_at};
  place->sent_at = std::max(place->sent_at, sent_at);
  place->asked_at = std::max(place->asked_at, asked_at);
}

void LeaseGrants::on_promise(const Fact& fact) {
  const auto& promise = fact.as<trace::PaxosPromise>();
  const Granted& granted = member_of(promise.group, fact.header().node).granted;
  if (granted.at == SimTime::min() || granted.holder == fact.header().peer) return;
  oblige();
  const SimTime until = granted.at + (config().lease - drift(config().lease));
  if (fact.at() >= until) return;
  if (granted.released >= granted.ballot || granted.master > granted.ballot) return;
  report(fact, EventId{},
         fmt::format("promised ballot {} of group {} to {}, having granted a lease to {} "
                     "at ballot {} that runs until {} at least",
                     promise.ballot, promise.group.value(), process(fact.header().peer),
                     process(granted.holder), granted.ballot, describe(until)));
}

void LeaseGrants::on_extended(const Fact& fact) {
  const auto& extended = fact.as<trace::LeaseExtended>();
  const std::uint32_t others = config().majority() - 1;
  if (others == 0) return;
  oblige();
  std::vector<SimTime> sent;
  std::vector<SimTime> asked;
  for (const Counted& each : member_of(extended.group, fact.header().node).counted) {
    if (each.ballot != extended.ballot) continue;
    sent.push_back(each.sent_at);
    asked.push_back(each.asked_at);
  }
  std::ranges::sort(sent, std::greater<>{});
  const Duration claimed{extended.remaining_nanoseconds};
  const SimTime ends = fact.at() + (claimed - drift(claimed));
  SimTime bound = SimTime::min();
  if (sent.size() >= others) {
    bound = sent[others - 1] + (config().lease + 2 * drift(config().lease));
  }
  if (ends <= bound) return compare_with_sent(fact, std::move(asked));
  report(
      fact, EventId{},
      bound == SimTime::min()
          ? fmt::format("claims a lease of group {} at ballot {}, acknowledged by {} others, "
                        "where {} make a majority",
                        extended.group.value(), extended.ballot, sent.size(), others)
          : fmt::format("claims the lease of group {} at ballot {} until {} at least, but what "
                        "was granted to it ends at {}",
                        extended.group.value(), extended.ballot, describe(ends), describe(bound)));
}

// By true time a clock that loses measures `claimed` for claimed / (1 - r), and one that gains ends
// a lease after lease / (1 + r).
void LeaseGrants::compare_with_sent(const Fact& fact, std::vector<SimTime> asked) {
  const auto& extended = fact.as<trace::LeaseExtended>();
  const std::uint32_t others = config().majority() - 1;
  if (asked.size() < others || extended.remaining_nanoseconds <= 0) return;
  std::ranges::sort(asked, std::greater<>{});
  const double rate = config().monotonic_drift_ppb / 1e9;
  const auto in = [](double nanoseconds) { return Duration(std::llround(nanoseconds)); };
  const SimTime ends =
      shifted(fact.at(), in(static_cast<double>(extended.remaining_nanoseconds) / (1 - rate)));
  const SimTime granted =
      shifted(asked[others - 1], in(static_cast<double>(config().lease.count()) / (1 + rate)));
  if (ends <= granted + kRounding) return;
  report(fact, EventId{},
         fmt::format("claims the lease of group {} at ballot {} for {} ns, by a slow clock until "
                     "{}, but a majority that heard at once what it sent at {}, by fast clocks "
                     "grants it until {} only",
                     extended.group.value(), extended.ballot, extended.remaining_nanoseconds,
                     describe(ends), describe(asked[others - 1]), describe(granted)));
}

// The most that a clock gains or loses in that time.
Duration LeaseGrants::drift(Duration of) const {
  const std::int64_t parts = config().monotonic_drift_ppb;
  const std::int64_t count = std::max<std::int64_t>(of.count(), 0);
  return Duration(count / 1'000'000'000 * parts + count % 1'000'000'000 * parts / 1'000'000'000 +
                  1);
}

}  // namespace photon::analysis
