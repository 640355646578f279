#include "cli/coverage_gate.h"

#include <fmt/format.h>

namespace photonsim::cli {
namespace {

// A common mark is come by in one world of a hundred at least, a rare one in one of seven hundred,
// as measured (core_impl/base/README.md): of so many worlds fifteen are expected to.
constexpr std::uint64_t kShowsCommon = 1500;
constexpr std::uint64_t kShowsRare = 10'000;
// Each kind of fault is drawn, and bites, in one world of fifty at least.
constexpr std::uint64_t kShowsKinds = 1000;

}  // namespace

std::optional<photon::MarkRarity> rarest_required(std::uint64_t runs) {
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
