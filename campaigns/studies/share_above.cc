#include "campaigns/studies/share_above.h"

#include <algorithm>

#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr std::string_view kAbove = ".above.";
constexpr std::string_view kPattern = "DURATION";
constexpr std::string_view kKnown = "1s";

// "latency.insert.above."; empty: there is none.
std::string_view before_bound(std::string_view name) {
  const std::size_t at = name.find(kAbove);
  return at == std::string_view::npos ? std::string_view() : name.substr(0, at + kAbove.size());
}

std::string_view bound_in(std::string_view name) {
  const std::string_view before = before_bound(name);
  return before.empty() ? std::string_view() : name.substr(before.size());
}

std::string with_bound(std::string_view name, std::string_view bound) {
  return std::string(before_bound(name)).append(bound);
}

}  // namespace

std::optional<ShareAbove> share_above_named(std::string_view name) {
  const std::string_view before = before_bound(name);
  if (before.empty()) return std::nullopt;
  const auto bound = scenarios::parse_duration(bound_in(name));
  if (!bound.value) return std::nullopt;
  return ShareAbove{std::string(before.substr(0, before.size() - kAbove.size())), *bound.value};
}

bool is_share_above(std::string_view name) { return share_above_named(name).has_value(); }

std::string of_known_bound(std::string_view name) {
  return is_share_above(name) ? with_bound(name, kKnown) : std::string(name);
}

std::string of_bound_of(std::string_view name, std::string_view known) {
  const bool both = is_share_above(name) && is_share_above(known);
  return both ? with_bound(known, bound_in(name)) : std::string(known);
}

std::string pattern_of_bounds(std::string_view name) {
  return is_share_above(name) ? with_bound(name, kPattern) : std::string(name);
}

std::string of_bounds_pattern(std::string_view name) {
  return bound_in(name) == kPattern ? with_bound(name, kKnown) : std::string(name);
}

std::optional<CountAbove> count_above(const analysis::RunRecord& run, std::string_view stored) {
  const auto share = share_above_named(stored);
  if (!share) return std::nullopt;
  const auto found =
      std::ranges::find(run.histograms, share->group, &analysis::StoredHistogram::name);
  if (found == run.histograms.end()) return std::nullopt;
  const analysis::LatencyHistogram histogram = found->histogram();
  if (histogram.count() == 0) return std::nullopt;
  return CountAbove{histogram.count() - histogram.count_up_to(share->bound), histogram.count()};
}

}  // namespace photonsim::campaigns
