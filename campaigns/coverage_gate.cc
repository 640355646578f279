#include "campaigns/coverage_gate.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "analysis/explain/mark_texts/mark_texts.h"
#include "analysis/oracles/oracle_table.h"
#include "scenarios/faults/all_faults.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Rarities are shares of configurations (campaigns/mark_rarity.h). A mark that a hundredth of them
// reaches is missed by 1,500 with a probability of e^-15; one that three of two thousand reach by
// 12,000 with e^-18. The rarities are measured, so a mark at the edge may be a little rarer.
constexpr std::uint64_t kShowsCommon = 1500;
constexpr std::uint64_t kShowsRare = 12'000;
// Limit of indeterminate ids, and of exempt stalls: one, and one more per thousand runs.
constexpr std::uint64_t kRunsForOneExemption = 1000;
// In 5,000 configurations the rarest kind, clock.drift, had 29 effects.
constexpr std::uint64_t kShowsKinds = 5000;
// The seven assumptions are broken in turn, and each such configuration has explicit faults only.
constexpr std::uint64_t kShowsBreaks = 100;

// If ten configurations that an oracle checks are expected, the probability of none is e^-10.
constexpr std::uint64_t kExpected = 10;

std::uint64_t runs_for(std::string_view oracle) {
  const analysis::OracleRow* const row = analysis::find_oracle(oracle);
  return kExpected *
         (row == nullptr ? analysis::OracleRow{}.shown_in_one_of : row->shown_in_one_of);
}

void require_oracles(const CampaignSum& sum, std::uint64_t runs, std::vector<Shortfall>& found) {
  for (const auto& [name, obligations] : sum.obligations()) {
    if (obligations.shown > 0 || runs < runs_for(name)) continue;
    found.push_back({fmt::format("oracle {}", name),
                     fmt::format("this oracle never checked anything: {}", name)});
  }
}

void require_kinds(const CampaignSum& sum, std::span<const std::string_view> required,
                   std::vector<Shortfall>& found) {
  const CountSums& kinds = sum.fault_kinds();
  for (const std::string_view kind : required) {
    const std::string name = fmt::format("kind of fault {}", kind);
    const auto sums = kinds.find(kind);
    if (sums == kinds.end()) {
      found.push_back({name, fmt::format("this kind of fault was never generated: {}", kind)});
    } else if (sums->second.sum == 0) {
      found.push_back({name, fmt::format("this kind of fault was always inert: {}", kind)});
    }
  }
}

}  // namespace

std::optional<MarkRarity> rarest_required(std::uint64_t runs) {
  if (runs >= kShowsRare) return MarkRarity::rare;
  if (runs >= kShowsCommon) return MarkRarity::common;
  return std::nullopt;
}

std::vector<Shortfall> coverage_shortfalls(const CampaignSum& sum) {
  std::vector<Shortfall> found;
  const std::uint64_t broken = sum.runs_of_tier(analysis::RunTier::contract);
  const std::uint64_t drawn = sum.runs() - broken;
  if (const auto rarest = rarest_required(drawn)) {
    for (const std::size_t mark : sum.marks().unreached(*rarest)) {
      const photon::MarkPlace& place = photon::all_marks()[mark];
      found.push_back({fmt::format("mark {}", place.name),
                       "this mark was never reached: " + line_of(place),
                       std::string(analysis::sentence_of(place.name)), std::string(place.file)});
    }
  }
  require_oracles(sum, drawn, found);
  if (drawn >= kShowsKinds) require_kinds(sum, scenarios::swarm_kinds(), found);
  if (broken >= kShowsBreaks) require_kinds(sum, scenarios::contract_kinds(), found);
  return found;
}

std::vector<Shortfall> exempt_too_often(const CampaignSum& sum) {
  std::vector<Shortfall> found;
  const auto limit = [&](std::string_view name, std::string_view what) {
    const std::uint64_t many = sum.sum(name);
    const std::uint64_t most = 1 + sum.runs() / kRunsForOneExemption;
    if (many <= most) return;
    found.push_back(
        {std::string(what),
         fmt::format("{} {}; the limit for this number of runs is {}", many, what, most)});
  };
  limit("core.stalls_exempt", "stalls are exempt");
  limit("undecided_ids", "ids are indeterminate");
  return found;
}

}  // namespace photonsim::campaigns
