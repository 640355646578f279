#include "campaigns/campaign.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "analysis/corner_cases/corner_case.h"
#include "core_impl/base/check.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace {

void add_count(std::uint64_t count, CountSum& sum) {
  ++sum.runs;
  sum.shown += count > 0 ? 1 : 0;
  sum.sum += count;
}

void add_counts(const std::vector<analysis::NamedCount>& counts, CountSums& sums) {
  for (const analysis::NamedCount& each : counts) add_count(each.count, sums[each.name]);
}

double added(analysis::Adding adding, double one, double other) {
  if (adding == analysis::Adding::least) return std::min(one, other);
  if (adding == analysis::Adding::greatest) return std::max(one, other);
  return one + other;
}

}  // namespace

CampaignSum::CampaignSum(std::vector<std::string> scenarios, Pooling pooling, std::string numbered)
    : pooling_(pooling), numbered_(std::move(numbered)), corner_cases_(analysis::kCorners) {
  for (std::string& name : scenarios) shares_.push_back({std::move(name)});
}

std::string CampaignSum::label_of(const analysis::RunRecord& run) const {
  return shares_[run.scenario].name + ", " + numbered_ + " " + std::to_string(run.seed);
}

bool CampaignSum::fits(const analysis::RunRecord& run) const {
  if (run.scenario >= shares_.size()) return false;
  const bool known_metrics = std::ranges::all_of(run.metrics, [&](const analysis::Metric& each) {
    const auto found = metrics_.find(each.name);
    return found == metrics_.end() ||
           (found->second.unit == each.unit && found->second.adding == each.adding);
  });
  const auto rows = analysis::corner_rows();
  const bool all_corners = run.corner_cases.empty() ||
                           std::ranges::equal(run.corner_cases, rows,
                                              [](const analysis::NamedCount& one, const auto& row) {
                                                return one.name == row.name;
                                              });
  return known_metrics && all_corners;
}

bool CampaignSum::add(analysis::RunRecord run) {
  if (!fits(run) || !marks_.add(run.marks)) return false;
  Share& share = shares_[run.scenario];
  ++runs_;
  ++share.runs;
  add_metrics(run);
  if (run.metric("capacity.stationary").value_or(1) == 0) {
    const std::pair key(std::size_t{run.scenario}, run.seed);
    const bool first = not_stationary_++ == 0 || key < first_bound_by_.first;
    if (first) first_bound_by_ = {key, run.bound_by};
  }
  if (pooling_ == Pooling::by_scenario) latencies_.add(run.scenario, run.histograms);
  add_corner_cases(run);
  add_findings(run);
  add_counts(run.fault_kinds, fault_kinds_);
  add_counts(run.obligations, obligations_);
  for (const analysis::FaultEffects& each : run.fault_effects) {
    effects_[each.kind][static_cast<std::size_t>(each.state)] += each.count;
  }
  determinism_.same += run.determinism == analysis::Determinism::same ? 1 : 0;
  determinism_.diverged += run.determinism == analysis::Determinism::diverged ? 1 : 0;
  events_ += run.events;
  events_by_seed_.emplace_back(run.seed, run.events);
  sim_milliseconds_ += run.sim_milliseconds;
  if (run.end == analysis::RunEnd::complete) cpu_microseconds_.push_back(run.cpu_microseconds);
  ShareByTier& of_tier = shares_by_tier_[{run.scenario, run.tier}];
  ++of_tier.runs;
  of_tier.cpu_seconds += static_cast<double>(run.cpu_microseconds) / 1e6;
  if (run.exit_code == 0) return true;
  ++share.failed;
  ++of_tier.failed;
  analysis::RunRecord failure = std::move(run);
  failure.metrics.clear();
  failure.histograms.clear();
  failure.marks.clear();
  failure.corner_cases.clear();
  failure.obligations.clear();
  failure.fault_kinds.clear();
  failure.fault_effects.clear();
  const std::pair<std::size_t, std::uint64_t> key(failure.scenario, failure.seed);
  failures_.emplace(key, std::move(failure));
  return true;
}

void CampaignSum::add_metrics(const analysis::RunRecord& run) {
  for (const analysis::Metric& each : run.metrics) {
    if (each.adding == analysis::Adding::none) continue;
    auto found = metrics_.find(each.name);
    if (found == metrics_.end()) {
      metrics_.emplace(each.name, MetricSum{each.unit, each.adding, 1, each.value});
      continue;
    }
    MetricSum& sum = found->second;
    ++sum.runs;
    sum.value = added(sum.adding, sum.value, each.value);
  }
}

void CampaignSum::add_corner_cases(const analysis::RunRecord& run) {
  if (run.corner_cases.empty()) return;
  ++counting_;
  for (std::size_t i = 0; i < analysis::kCorners; ++i) {
    add_count(run.corner_cases[i].count, corner_cases_[i]);
  }
}

void CampaignSum::add_findings(const analysis::RunRecord& run) {
  ++runs_of_tier_[static_cast<std::size_t>(run.tier)];
  if (run.tier == analysis::RunTier::over) {
    for (const analysis::OracleFindings& each : run.findings) {
      if (each.standing == analysis::Standing::exempt) ++exempt_[each.oracle];
    }
  }
  if (run.tier != analysis::RunTier::contract) return;
  BrokenAssumption& broken = breaks_[run.broken_assumption];
  ++broken.runs;
  broken.detected += run.damage_detected ? 1 : 0;
  for (const analysis::OracleFindings& each : run.findings) {
    ++(each.standing == analysis::Standing::expected ? broken.by : broken.besides)[each.oracle];
  }
}

std::size_t CampaignSum::place_of_share(std::size_t scenario, analysis::RunTier tier) const {
  const auto found = shares_by_tier_.find({scenario, tier});
  PHOTON_CHECK(found != shares_by_tier_.end(), "a share has runs");
  return static_cast<std::size_t>(std::distance(shares_by_tier_.begin(), found));
}

const analysis::RunRecord* CampaignSum::first_failure() const {
  return failures_.empty() ? nullptr : &failures_.begin()->second;
}

std::optional<std::vector<std::string>> CampaignSum::missing() const {
  if (counting_ == 0) return std::nullopt;
  std::vector<std::string> none;
  for (std::size_t i = 0; i < analysis::kCorners; ++i) {
    if (corner_cases_[i].sum == 0) none.emplace_back(analysis::corner_rows()[i].name);
  }
  return none;
}

double CampaignSum::median_cpu_seconds() const {
  if (cpu_microseconds_.empty()) return 0;
  std::vector<std::uint64_t> sorted = cpu_microseconds_;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  return static_cast<double>(sorted[sorted.size() / 2]) / 1e6;
}

std::uint64_t CampaignSum::sum(std::string_view metric) const {
  const auto found = metrics_.find(metric);
  return found == metrics_.end() ? 0
                                 : static_cast<std::uint64_t>(std::llround(found->second.value));
}

EffectsByKind CampaignSum::effects_by_kind() const {
  EffectsByKind effects = effects_;
  for (const auto& [kind, counts] : fault_kinds_) effects.try_emplace(kind);
  return effects;
}

}  // namespace photonsim::campaigns
