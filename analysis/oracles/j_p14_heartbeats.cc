#include "analysis/oracles/j_p14_heartbeats.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> Heartbeats::kinds() const {
  static constexpr Interest kKinds[] = {sent(trace::Kind::paxos_accept),
                                        sent(trace::Kind::paxos_heartbeat),
                                        trace::Kind::process_paused, trace::Kind::process_resumed};
  const bool checked = config().heartbeat_bound > Duration::zero();
  return checked ? std::span(kKinds) : std::span<const Interest>();
}

void Heartbeats::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case trace::Kind::process_paused: {
      const Duration length(fact.as<trace::ProcessPaused>().nanoseconds);
      Master& master = masters_[header.node];
      master.paused_until = std::max(master.paused_until, header.at + length);
      return;
    }
    case trace::Kind::process_resumed:
      masters_[header.node].paused_until = header.at;
      return;
    case trace::Kind::paxos_accept:
      return on_sent(fact, fact.as<trace::PaxosAccept>().ballot);
    default:
      return on_sent(fact, fact.as<trace::PaxosHeartbeat>().ballot);
  }
}

void Heartbeats::on_sent(const Fact& fact, std::uint64_t ballot) {
  const trace::Header& header = fact.header();
  Master& master = masters_[header.node];
  if (master.life != header.incarnation || master.ballot != ballot) {
    master.life = header.incarnation;
    master.ballot = ballot;
    master.judged = fact.at();
    master.others.clear();
  }
  const bool is_recalled = fact.moment != SimTime::max();
  if (master.judged != fact.at() && !is_recalled) judge(fact, master);
  const auto known = std::ranges::find(master.others, header.peer, &Heard::replica);
  if (known == master.others.end()) {
    master.others.push_back({header.peer, fact.at()});
  } else {
    known->last = fact.at();
  }
}

void Heartbeats::judge(const Fact& fact, Master& master) {
  const SimTime now = fact.at();
  master.judged = now;
  const Duration limit = config().heartbeat_bound + config().unsure(config().heartbeat_bound);
  for (Heard& other : master.others) {
    oblige();
    const SimTime since = std::max(other.last, std::min(master.paused_until, now));
    if (now - since <= limit) continue;
    report(fact, EventId{},
           fmt::format("the master of ballot {} has sent {} nothing since {}, which is longer than "
                       "its heartbeats allow",
                       master.ballot, process(other.replica), describe(other.last)));
    other.last = now;
  }
}

}  // namespace photon::analysis
