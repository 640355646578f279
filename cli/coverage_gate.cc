#include "cli/coverage_gate.h"

#include <fmt/format.h>

namespace photonsim::cli {
namespace {

// A mark of a rarity is hit by so many worlds of so many, as measured (core_impl/base/README.md).
constexpr std::uint64_t kShowsCommon = 300;
constexpr std::uint64_t kShowsRare = 3000;
constexpr std::uint64_t kShowsVeryRare = 20'000;
// Each kind of fault is drawn, and bites, in one world of fifty at least.
constexpr std::uint64_t kShowsKinds = 1000;

}  // namespace

std::optional<photon::MarkRarity> rarest_required(std::uint64_t runs) {
  if (runs >= kShowsVeryRare) return photon::MarkRarity::very_rare;
  if (runs >= kShowsRare) return photon::MarkRarity::rare;
  if (runs >= kShowsCommon) return photon::MarkRarity::common;
  return std::nullopt;
}

std::vector<std::string> coverage_shortfalls(const photon::analysis::CampaignSum& sum) {
  std::vector<std::string> sentences;
  if (const auto rarest = rarest_required(sum.runs())) {
    for (const std::size_t mark : sum.marks().unreached(*rarest)) {
      sentences.push_back("this mark was never reached: " +
                          photon::analysis::line_of(photon::all_marks()[mark]));
    }
  }
  if (sum.runs() >= kShowsKinds) {
    for (const std::string& kind : sum.inert_kinds()) {
      sentences.push_back("this kind of fault never had an effect: " + kind);
    }
  }
  return sentences;
}

}  // namespace photonsim::cli
