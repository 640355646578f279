#include "campaigns/campaign.h"

#include <algorithm>

#include "analysis/corner_cases/corner_case.h"

namespace photon::analysis {

namespace {

// Without the corner cases.
const std::vector<std::string>& names() {
  static const std::vector<std::string> list = plain_count_names();
  return list;
}

}  // namespace

CampaignSum::CampaignSum(std::vector<std::string> scenarios)
    : sums_(names().size()), corner_sums_(kCorners), runs_with_corner_(kCorners) {
  for (std::string& name : scenarios) shares_.push_back({std::move(name)});
}

bool CampaignSum::add(CampaignRun run) {
  const std::size_t size = run.counts.size();
  const bool counting = size == names().size() + kCorners;
  if (run.scenario >= shares_.size()) return false;
  if (size != 0 && size != names().size() && !counting) return false;
  if (!marks_.add(run.marks)) return false;
  Share& share = shares_[run.scenario];
  ++runs_;
  ++share.runs;
  if (size != 0) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += run.counts[i];
  }
  if (counting) {
    ++counting_;
    for (std::size_t i = 0; i < kCorners; ++i) {
      const std::uint64_t count = run.counts[sums_.size() + i];
      corner_sums_[i] += count;
      runs_with_corner_[i] += count > 0 ? 1 : 0;
    }
  }
  for (const auto& [group, counts] : run.groups) {
    for (const auto& [name, count] : counts) {
      GroupSum& of_name = groups_[group][name];
      ++of_name.runs;
      of_name.shown += count > 0 ? 1 : 0;
      of_name.sum += count;
    }
  }
  events_ += run.cost.events;
  sim_milliseconds_ += run.cost.sim_milliseconds;
  if (size != 0) cpu_microseconds_.push_back(run.cost.cpu_microseconds);
  if (run.exit_code == 0) return true;
  ++share.failed;
  run.groups.clear();
  run.counts.clear();
  run.marks.clear();
  failures_.emplace(std::pair(run.scenario, run.seed), std::move(run));
  return true;
}

const CampaignRun* CampaignSum::first_failure() const {
  return failures_.empty() ? nullptr : &failures_.begin()->second;
}

std::optional<std::vector<std::string>> CampaignSum::missing() const {
  if (counting_ == 0) return std::nullopt;
  std::vector<std::string> none;
  for (std::size_t i = 0; i < kCorners; ++i) {
    if (corner_sums_[i] == 0) none.emplace_back(corner_rows()[i].name);
  }
  return none;
}

const CampaignSum::Group& CampaignSum::group(std::string_view name) const {
  static const Group none;
  const auto found = groups_.find(name);
  return found == groups_.end() ? none : found->second;
}

DoneTwice CampaignSum::done_twice() const {
  const Group& twice = group(kDoneTwice);
  const auto runs_of = [&](std::string_view name) {
    const auto found = twice.find(name);
    return found == twice.end() ? std::uint64_t{0} : found->second.sum;
  };
  return {runs_of(kTwiceSame), runs_of(kTwiceDiffered)};
}

double CampaignSum::median_cpu_seconds() const {
  if (cpu_microseconds_.empty()) return 0;
  std::vector<std::uint64_t> sorted = cpu_microseconds_;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  return static_cast<double>(sorted[sorted.size() / 2]) / 1e6;
}

std::uint64_t CampaignSum::sum(std::string_view name) const { return count_of(sums(), name); }

Counts CampaignSum::sums() const {
  Counts counts;
  for (std::size_t i = 0; i < sums_.size(); ++i) counts.emplace_back(names()[i], sums_[i]);
  return counts;
}

}  // namespace photon::analysis
