#include "analysis/oracles/j_p1_core.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void CoreWorks::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::core_chosen:
      return on_chosen(fact);
    case trace::Kind::run_phase:
      if (fact.as<trace::RunPhase>().phase == trace::Phase::faults_ended) on_healed(fact);
      return;
    default:
      if (fact.source() != trace::Source::durable) return;
      replaced_[fact.as<trace::PaxosFormatted>().group.value()].insert(fact.header().node);
  }
}

void CoreWorks::on_chosen(const Fact& fact) {
  core_ = fact.as<trace::CoreChosen>();
  chosen_at_ = fact.header().at;
  for (std::uint32_t p = 0; p < config().pipelines.size(); ++p) {
    if (is_inside(config().pipelines[p])) pipelines_.push_back(p);
  }
  quorate_ = has_quorum();
  for (std::uint32_t i = 0; i < join_.clicks(); ++i) {
    const Click& click = join_.click(i);
    if (!click.generated) continue;
    const bool readable = std::ranges::any_of(pipelines_, [&](std::uint32_t p) {
      return join_.visible_at(p, click.click_file, click.click_end) <= chosen_at_;
    });
    if (readable) clicks_.push_back(i);
  }
  if (quorate_) oblige(clicks_.size());
}

// The core can elect a master in every group.
bool CoreWorks::has_quorum() const {
  if (core_->replicas < config().majority()) return false;
  return std::ranges::all_of(
      replaced_, [&](const auto& group) { return can_elect(ShardId(group.first), group.second); });
}

bool CoreWorks::can_elect(ShardId id, const std::set<NodeId>& replaced) const {
  const Group* const group = registry_.consensus().group(id);
  if (group == nullptr) return true;
  const std::uint64_t known = known_slot(*group);
  std::vector<std::uint32_t> in_force = registry_.consensus().generations_after(id, known);
  if (!has_majority(id, replaced, in_force)) return false;
  Acceptance open;  // in the slot after `known`
  for (std::size_t i = 0; i < group->acceptors.size(); ++i) {
    const std::vector<Acceptance>& accepted = group->acceptors[i].accepted;
    const bool inside = is_inside(join_.node(group->replicas[i].node).datacenter);
    if (inside && accepted.size() > known && accepted[known].ballot > open.ballot) {
      open = accepted[known];
    }
  }
  const auto admission = group->admissions.find(open.value);
  if (admission == group->admissions.end() || admission->second.member >= in_force.size()) {
    return true;
  }
  std::uint32_t& generation = in_force[admission->second.member];
  generation = std::max(generation, admission->second.generation);
  return has_majority(id, replaced, in_force);
}

bool CoreWorks::has_majority(ShardId id, const std::set<NodeId>& replaced,
                             const std::vector<std::uint32_t>& in_force) const {
  const Group& group = *registry_.consensus().group(id);
  const auto without_vote = std::ranges::count_if(replaced, [&](NodeId node) {
    const Acceptor* const present = registry_.consensus().acceptor(id, node);
    return is_inside(join_.node(node).datacenter) && present != nullptr &&
           present->member < in_force.size() &&
           in_force[present->member] != group.disks[present->disk].generation;
  });
  return core_->replicas - static_cast<std::uint32_t>(without_vote) >= config().majority();
}

// The last slot that some working replica of the core knows to be chosen. A life that ended may
// have left no record of what it knew.
std::uint64_t CoreWorks::known_slot(const Group& group) const {
  std::uint64_t known = 0;
  for (const Replica& replica : group.replicas) {
    const NodeFacts& facts = join_.node(replica.node);
    const bool works = facts.alive && facts.life == replica.life;
    if (works && is_inside(facts.datacenter)) known = std::max(known, replica.applied);
  }
  return known;
}

bool CoreWorks::is_finished(std::uint32_t click) const {
  return std::ranges::all_of(pipelines_, [&](std::uint32_t p) {
    const Click& what = join_.click(click);
    return join_.visible_at(p, what.click_file, what.click_end) > chosen_at_ ||
           join_.finished(click, p) || join_.input_lost(click, p);
  });
}

std::uint64_t CoreWorks::unfinished() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(clicks_, [&](std::uint32_t click) { return !is_finished(click); }));
}

void CoreWorks::on_healed(const Fact& fact) {
  if (!core_) return;
  exempt_ = !quorate_ && unfinished() > 0;
  for (const std::uint32_t click : clicks_) {
    if (!quorate_ || is_finished(click)) continue;
    report(fact, join_.click(click).id,
           fmt::format("readable at a pipeline of the core, which has worked alone since {}, "
                       "and not finished there",
                       describe(chosen_at_)));
  }
  core_.reset();
}

}  // namespace photon::analysis
