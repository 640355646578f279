#include "analysis/corner_cases/group_history.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;

void GroupHistory::before(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case Kind::paxos_accepted:
      if (fact.source() == trace::Source::sent) {
        member(fact.as<trace::PaxosAccepted>().group, header);
      }
      return;
    case Kind::batch_proposed: {
      const auto& batch = fact.as<trace::BatchProposed>();
      GroupTerm& group = groups_[batch.shard];
      member(batch.shard, header);
      group.proposals.push_back(
          {header.node, batch.slot, group.term, batch.queued_after, header.at});
      return;
    }
    case Kind::operation_applied: {
      const auto& applied = fact.as<trace::OperationApplied>();
      if (is_first(applied.shard, applied.slot)) {
        groups_[applied.shard].operations.push_back({applied, fact.event});
      }
      return;
    }
    default:
      return;
  }
}

void GroupHistory::after(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case Kind::master_elected: {
      const auto& elected = fact.as<trace::MasterElected>();
      GroupTerm& group = groups_[elected.group];
      member(elected.group, header);
      vacate(group);
      group.vacant = false;
      group.master = header.node;
      return;
    }
    case Kind::master_ended: {
      GroupTerm& group = groups_[fact.as<trace::MasterEnded>().group];
      if (group.master == header.node) vacate(group);
      return;
    }
    case Kind::process_crashed: {
      const auto shard = group_of(header.node);
      if (shard && groups_[*shard].master == header.node) vacate(groups_[*shard]);
      return;
    }
    case Kind::slot_applied: {
      const auto& applied = fact.as<trace::SlotApplied>();
      member(applied.group, header);
      GroupTerm& group = groups_[applied.group];
      if (!is_first(applied.group, applied.slot)) return;
      std::erase_if(group.proposals, [&](const Proposal& p) { return p.slot <= applied.slot; });
      if (!group.operations.empty()) {
        group.previous.clear();
        for (const SlotOperation& each : group.operations) {
          group.previous.push_back(each.applied.id);
        }
        group.previous_slot = applied.slot;
      }
      group.operations.clear();
      return;
    }
    default:
      return;
  }
}

std::optional<ShardId> GroupHistory::group_of(NodeId replica) const {
  const std::uint32_t* number = group_of_node_.find(replica);
  if (number == nullptr || *number == 0) return std::nullopt;
  return ShardId(*number - 1);
}

const Proposal* GroupHistory::proposal(const GroupTerm& group, std::uint64_t slot) {
  const auto found = std::find_if(group.proposals.rbegin(), group.proposals.rend(),
                                  [&](const Proposal& p) { return p.slot == slot; });
  return found == group.proposals.rend() ? nullptr : &*found;
}

void GroupHistory::vacate(GroupTerm& group) {
  if (group.vacant) return;
  group.vacant = true;
  ++group.term;
}

void GroupHistory::member(ShardId group, const trace::Header& header) {
  std::uint32_t& number = group_of_node_[header.node];
  if (number != 0) return;
  number = group.value() + 1;
  groups_[group].replicas.push_back(header.node);
  groups_[group].places.push_back(header.datacenter);
}

}  // namespace photon::analysis
