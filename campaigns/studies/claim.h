// A claim of a publication that a study checks: [[claim]] in a study file.
//
//   [[claim]]
//   id = "G-10"
//   level = "M"
//   says = "6 to 12 transactions a second from hundreds of requests"
//   paper = "6 to 12 a second"               # its number, if it gives one
//   source = "Photon, section 4.3, Fig 10"
//   figure = "registry.transactions / load.seconds"   # with at, beside, theory: study_figure.h
//   band = {from = 6, to = 12}               # fixed before the first run; or, beside theory,
//                                            # {share = "3%"} or {difference = "0.5%"} around it
//   fixed = "one registry thread, no minimum batch size, three of five replicas"
//   open = "time of a disk, depth of the pipeline"
//   restated = "the first run showed ..."    # if the band is not the first one
//
// A claim of level X has a `reason` in place of a figure: nothing here can reproduce it. One that
// only a test of this project shows names it instead: test = "photon_tests \"B-53*\"".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "campaigns/studies/study_figure.h"

namespace photonsim::campaigns {

// How much of it can be claimed (SPEC G-00a).
enum class ClaimLevel : std::uint8_t {
  exact,       // E: by analysis
  mechanism,   // M: follows from the algorithm and its fixed parameters
  calibrated,  // C: depends on inputs that the publication does not give
  trend,       // T: its direction alone
  refused,     // X: cannot be reproduced here
};
// "E", "M", "C", "T", "X", in the order of the enumeration.
inline constexpr std::array<std::string_view, 5> kClaimLevels{"E", "M", "C", "T", "X"};
constexpr std::string_view letter_of(ClaimLevel level) {
  return kClaimLevels[static_cast<std::size_t>(level)];
}

struct Claim : StudyFigure {
  std::string id{};
  ClaimLevel level = ClaimLevel::exact;
  std::string says{};
  std::string paper{};  // the publication's number; empty: it gives none
  std::string source{};
  // What the band is about: the figure, its ratio to what theory says, or its difference from it.
  enum class Against : std::uint8_t { figure, share, difference };
  Against against = Against::figure;
  std::optional<double> from{}, to{};  // the band: both ends belong to it
  std::string fixed{};                 // what the publication fixes
  std::string open{};                  // what it leaves open
  std::string reason{};                // of a refusal, or of what the band is
  std::string restated{};              // why the band was changed after a run; empty: it was not
  std::string test{};  // program and name of the test that shows it; empty: a figure does

  // The study runs nothing for this claim.
  bool has_no_figure() const { return level == ClaimLevel::refused || !test.empty(); }
};

}  // namespace photonsim::campaigns
