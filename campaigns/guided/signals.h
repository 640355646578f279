// What a run has reached, as a set of numbers: what the guided search is led by.
//
//   a mark of the code, and how often in steps of four (1-3, 4-15, 16-63, ...)
//   a kind of fault and a state of the protocols in which one struck (state_watch.h)
//   a mark and for how long it was hit again and again, in steps of two: that something lasts
//   two rare marks in the same second of virtual time: that two of several rare events have come
//   together, whatever they are. Rare is what few of the runs so far came by.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::scenarios::guided {

using Signal = std::uint64_t;

struct Signals {
  std::vector<Signal> all{};            // ascending
  std::vector<std::int64_t> seconds{};  // in which rare marks were hit, ascending; at most kSeconds
};

inline constexpr std::size_t kSeconds = 24;

// By number of the mark: rare or not.
using RareMarks = std::vector<bool>;

// Requires a run with moments.
Signals signals_of(const RunOutcome& outcome, const RareMarks& rare);

// The mark of a signal that says how often one was hit; of others none.
inline constexpr std::size_t kNoMark = ~std::size_t{0};
std::size_t mark_of(Signal signal);
// Whether it says that two marks came together.
bool is_of_two(Signal signal);

}  // namespace photonsim::scenarios::guided
