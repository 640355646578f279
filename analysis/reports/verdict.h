// The verdicts of a run, by exit code (DESIGN 7): their names and their order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace photon::analysis {

struct Verdict {
  int exit_code = 0;
  std::string_view name{};
};

inline constexpr Verdict kPassed{0, "ok"};
inline constexpr Verdict kUnsafe{3, "safety"};
inline constexpr Verdict kNotLive{4, "liveness"};
inline constexpr Verdict kDiffered{5, "not deterministic"};  // its rerun diverged
// Something that the user asked for did not happen, or was not checked.
inline constexpr Verdict kFellShort{7, "shortfall"};
// The run exceeded its limit of memory or time: its outcome is not known.
inline constexpr Verdict kOverLimit{8, "over a limit"};
inline constexpr Verdict kCheckFailed{70, "check failed"};

// The process of the run died: the outcome of the run is not known, and it ranks as high.
inline constexpr Verdict kDied{kCheckFailed.exit_code, "worker died"};

inline constexpr std::array<Verdict, 7> kWorstFirst{kCheckFailed, kDiffered,  kUnsafe, kNotLive,
                                                    kOverLimit,   kFellShort, kPassed};

// Its place in kWorstFirst; kWorstFirst.size() if it is no verdict of a run.
constexpr std::size_t rank_of(int exit_code) {
  const auto* const found = std::ranges::find(kWorstFirst, exit_code, &Verdict::exit_code);
  return static_cast<std::size_t>(found - kWorstFirst.begin());
}

// "other" if it is none.
constexpr std::string_view verdict_name(int exit_code) {
  const std::size_t rank = rank_of(exit_code);
  return rank < kWorstFirst.size() ? kWorstFirst[rank].name : std::string_view("other");
}

}  // namespace photon::analysis
