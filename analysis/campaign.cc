#include "analysis/campaign.h"

#include <algorithm>
#include <span>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"

namespace photon::analysis {

namespace json = boost::json;

namespace {

// The names alone, from a run that did nothing.
const std::vector<std::string>& names() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> found;
    for (const auto& [name, count] : campaign_counts(Summary{})) found.push_back(name);
    return found;
  }();
  return list;
}

std::size_t corners_begin() { return names().size() - kCorners; }

}  // namespace

Counts campaign_counts(const Summary& summary) {
  const auto code = [&](std::string_view name) -> std::uint64_t {
    const auto found =
        std::ranges::find(summary.load.codes, name, [](const auto& entry) { return entry.first; });
    return found == summary.load.codes.end() ? 0 : found->second;
  };
  const auto network = [&](std::string_view name) -> std::uint64_t {
    const auto found =
        std::ranges::find(summary.network, name, [](const auto& entry) { return entry.first; });
    return found == summary.network.end() ? 0 : found->second;
  };
  Counts counts{{"operations", summary.load.operations},
                {"answered", summary.load.answered},
                {"abandoned", summary.load.abandoned},
                {"inserted", code("inserted")},
                {"already_exists", code("already_exists")},
                {"too_old", code("too_old")},
                {"not_found", code("not_found")},
                {"exists", code("exists")},
                {"cleared", code("cleared")},
                {"removed", code("removed")},
                {"no_match", code("no_match")},
                {"transactions", summary.registry.transactions},
                {"elections", summary.registry.elections},
                {"failovers", summary.registry.failovers},
                {"lost_replies", summary.registry.lost_replies},
                {"reshards", summary.registry.reshards},
                {"reshards_cancelled", summary.registry.reshards_cancelled},
                {"collections", summary.registry.collections},
                {"ids_collected", summary.registry.ids_collected},
                {"snapshots", summary.registry.snapshots},
                {"disks_replaced", summary.registry.disks_replaced},
                {"disks_admitted", summary.registry.disks_admitted},
                {"process_crashes", summary.process_crashes},
                {"faults_effective", summary.faults_effective},
                {"undecided_ids", summary.undecided_ids},
                {"messages_lost", network("lost")},
                {"messages_duplicated", network("duplicated")},
                {"messages_reordered", network("reordered")},
                {"messages_cut", network("cut")}};
  const std::span corners = corner_rows();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const bool counted = i < summary.corner_cases.size();
    counts.emplace_back(corners[i].name, counted ? summary.corner_cases[i].second : 0);
  }
  return counts;
}

void CampaignSum::add(const std::vector<std::uint64_t>& numbers) {
  sums_.resize(names().size());
  runs_with_.resize(names().size());
  ++runs_;
  for (std::size_t i = 0; i < std::min(numbers.size(), sums_.size()); ++i) {
    sums_[i] += numbers[i];
    runs_with_[i] += numbers[i] > 0 ? 1 : 0;
  }
}

void CampaignSum::add(Failure failure) {
  ++failed_;
  if (failures_.size() < kFailuresKept) failures_.push_back(std::move(failure));
}

std::vector<std::string> CampaignSum::missing() const {
  std::vector<std::string> none;
  for (std::size_t i = corners_begin(); i < names().size(); ++i) {
    if (i >= sums_.size() || sums_[i] == 0) none.push_back(names()[i]);
  }
  return none;
}

std::string CampaignSum::json(double seconds) const {
  json::object sums;
  json::object corners;
  json::object runs_with;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const bool corner = i >= corners_begin();
    (corner ? corners : sums)[names()[i]] = sums_[i];
    if (corner) runs_with[names()[i]] = runs_with_[i];
  }
  json::array failures;
  for (const Failure& each : failures_) {
    failures.push_back(json::object{{"replay", each.replay}, {"what", each.what}});
  }
  return json::serialize(json::object{{"runs", runs_},
                                      {"failed", failed_},
                                      {"wall_seconds", seconds},
                                      {"sums", std::move(sums)},
                                      {"corner_cases", std::move(corners)},
                                      {"runs_with_corner_case", std::move(runs_with)},
                                      {"failures", std::move(failures)}});
}

std::string CampaignSum::text(double seconds) const {
  std::string text =
      fmt::format("{} runs in {:.0f} s, {} of them failed\n\n", runs_, seconds, failed_);
  for (std::size_t i = 0; i < std::min(sums_.size(), corners_begin()); ++i) {
    text += fmt::format("  {:<22}{:>14}\n", names()[i], sums_[i]);
  }
  text += fmt::format("\n  {:<16}{:>12}{:>12}  counts when\n", "corner case", "times", "in runs");
  for (std::size_t i = corners_begin(); i < sums_.size(); ++i) {
    text += fmt::format("  {:<16}{:>12}{:>12}  {}\n", names()[i], sums_[i], runs_with_[i],
                        corner_rows()[i - corners_begin()].seen);
  }
  for (const Failure& each : failures_) {
    text += fmt::format("\n{}\n  {}\n", each.what, each.replay);
  }
  return text;
}

}  // namespace photon::analysis
