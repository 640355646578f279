// The features of a run, as a set of numbers, which guide the search:
//
//   - a coverage mark and its number of hits, in steps of four (1-3, 4-15, 16-63, ...)
//   - a kind of fault and a state of the protocols in which one took effect (state_watch.h)
//   - a mark and how long it was hit repeatedly, in steps of two: a state that lasts
//   - two rare marks in the same second of virtual time: a coincidence of rare events. Rare are
//     marks that few of the runs so far reached.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::scenarios::guided {

using Feature = std::uint64_t;

struct Features {
  std::vector<Feature> all{};           // ascending
  std::vector<std::int64_t> seconds{};  // in which rare marks were hit, ascending; at most kSeconds
};

inline constexpr std::size_t kSeconds = 24;

// By number of the mark: rare or not.
using RareMarks = std::vector<bool>;

// Requires a run with moments.
Features features_of(const RunOutcome& outcome, const RareMarks& rare);

// The mark of a feature that counts hits; kNoMark for other features.
inline constexpr std::size_t kNoMark = ~std::size_t{0};
std::size_t mark_of(Feature feature);
// Whether it stands for two marks in one second.
bool is_of_two(Feature feature);

}  // namespace photonsim::scenarios::guided
