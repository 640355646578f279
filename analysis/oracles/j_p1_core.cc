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
      places_[fact.header().node] = fact.header().datacenter;
  }
}

void CoreWorks::on_chosen(const Fact& fact) {
  core_ = fact.as<trace::CoreChosen>();
  chosen_at_ = fact.header().at;
  for (std::uint32_t p = 0; p < config().pipelines.size(); ++p) {
    if ((core_->datacenters >> config().pipelines[p].value() & 1U) != 0) pipelines_.push_back(p);
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

// Every group has a majority of disks that vote in the core.
bool CoreWorks::has_quorum() const {
  if (core_->replicas < config().majority()) return false;
  return std::ranges::all_of(replaced_, [&](const auto& group) {
    const auto gone = std::ranges::count_if(group.second, [&](NodeId node) {
      const bool inside = (core_->datacenters >> places_.at(node).value() & 1U) != 0;
      return inside && !registry_.consensus().votes(ShardId(group.first), node);
    });
    return core_->replicas - static_cast<std::uint32_t>(gone) >= config().majority();
  });
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
