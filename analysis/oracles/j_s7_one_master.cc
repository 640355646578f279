#include "analysis/oracles/j_s7_one_master.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

OneMaster::Lease& OneMaster::lease_of(trace::GroupId group, const trace::Header& header) {
  for (Lease& lease : leases_[group]) {
    if (lease.node != header.node) continue;
    if (lease.life != header.incarnation) {
      lease = Lease{};
      lease.node = header.node;
      lease.life = header.incarnation;
    }
    return lease;
  }
  Lease& fresh = leases_[group].emplace_back();
  fresh.node = header.node;
  fresh.life = header.incarnation;
  return fresh;
}

void OneMaster::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::master_elected:
      return on_elected(fact);
    case trace::Kind::lease_extended:
      return on_extended(fact);
    case trace::Kind::master_ended: {
      const auto& ended = fact.as<trace::MasterEnded>();
      Lease& lease = lease_of(ended.group, fact.header());
      lease.surely_until = std::min(lease.surely_until, fact.at());
      lease.possibly_until = std::min(lease.possibly_until, fact.at());
      return;
    }
    case trace::Kind::registry_answer:
      return on_answer(fact);
    default: {  // process_crashed: authority ends with the life
      leases_.for_each([&](std::vector<Lease>& group) {
        for (Lease& lease : group) {
          if (lease.node == fact.header().node)
            lease.surely_until = lease.possibly_until = SimTime::min();
        }
      });
    }
  }
}

void OneMaster::on_elected(const Fact& fact) {
  const auto& elected = fact.as<trace::MasterElected>();
  const Group* group = registry_.consensus().group(elected.group);
  if (group == nullptr) return;
  oblige();
  Lease& lease = lease_of(elected.group, fact.header());
  lease.floor = group->highest_chosen;
  const Replica* replica = registry_.consensus().replica(elected.group, fact.header().node);
  const bool same_life = replica != nullptr && replica->life == fact.header().incarnation;
  const std::uint64_t applied = same_life ? replica->applied : 0;
  if (applied >= group->highest_chosen) return;
  report(fact, EventId{},
         fmt::format(
             "elected in group {} with ballot {} having applied up to slot {}, but slot {} was "
             "chosen before",
             elected.group.value(), elected.ballot, applied, group->highest_chosen));
}

void OneMaster::on_extended(const Fact& fact) {
  const auto& extended = fact.as<trace::LeaseExtended>();
  const SimTime at = fact.at();
  oblige();
  // Rounded so that neither interval claims more than is certain.
  const std::int64_t remaining = extended.remaining_nanoseconds;
  const std::int64_t parts = config().monotonic_drift_ppb;
  const std::int64_t drift =
      remaining / 1'000'000'000 * parts + remaining % 1'000'000'000 * parts / 1'000'000'000 + 1;
  Lease& own = lease_of(extended.group, fact.header());
  for (const Lease& other : leases_[extended.group]) {
    if (other.node == own.node || other.surely_until <= at || remaining <= 0) continue;
    report(fact, EventId{},
           fmt::format("the lease of group {} was extended at ballot {} while {} holds it at "
                       "ballot {} until {} at least",
                       extended.group.value(), extended.ballot, process(other.node), other.ballot,
                       describe(other.surely_until)));
  }
  own.ballot = extended.ballot;
  own.surely_until = std::max(own.surely_until, at + Duration(remaining - drift));
  own.possibly_until = std::max(own.possibly_until, at + Duration(remaining + 2 * drift));
}

void OneMaster::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (fact.source() != trace::Source::sent || !trace::is_definitive(answer.code)) return;
  const bool any_replica = answer.operation == trace::RegistryOperation::lookup &&
                           answer.lookups == trace::LookupMode::replica;
  if (any_replica) return;  // claims no authority; J-S13 checks that it was asked so
  oblige();
  const Lease& lease = lease_of(answer.shard, fact.header());
  if (fact.at() > lease.possibly_until) {
    return report(fact, answer.id,
                  fmt::format("answered with authority (`{}`) for shard {} outside its lease, "
                              "which ended at {}",
                              trace::name_of(answer.code), answer.shard.value(),
                              lease.possibly_until == SimTime::min()
                                  ? std::string("no time: it never had one")
                                  : describe(lease.possibly_until)));
  }
  const bool look_up = trace::is_read(answer.operation);
  if (look_up && answer.slot < lease.floor) {
    report(fact, answer.id,
           fmt::format("a look-up was answered from slot {} of shard {}, but slot {} was chosen "
                       "before the answerer was elected",
                       answer.slot, answer.shard.value(), lease.floor));
  }
  // Whatever slot it names: ids inserted before the election are there.
  if (!look_up || answer.code != trace::RegistryCode::not_found || answer.slot < lease.floor) {
    return;
  }
  std::uint64_t inserted = 0;
  const bool was_there = registry_.any_tenure(fact.event, [&](const Tenure& tenure) {
    inserted = tenure.from;
    return tenure.shard == answer.shard && tenure.from <= lease.floor && tenure.until > answer.slot;
  });
  if (was_there) {
    report(
        fact, answer.id,
        fmt::format("a look-up was answered `not found` by a master of shard {} that was elected "
                    "after slot {}, where the id was inserted",
                    answer.shard.value(), inserted));
  }
}

}  // namespace photon::analysis
