// Delta debugging (Zeller and Hildebrandt 2002): finds a subset of pieces that still fails and from
// which no single piece can be removed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace photonsim::scenarios::shrink {

// For each piece: whether it stays.
using Kept = std::vector<bool>;

// The index of the first candidate that still fails; nothing if none does.
using FirstFailing = std::function<std::optional<std::size_t>(const std::vector<Kept>& candidates)>;

// Requires that all pieces in `kept` together fail. When `enough()` is true it returns what it has.
inline Kept ddmin(Kept kept, const FirstFailing& first_failing,
                  const std::function<bool()>& enough) {
  std::size_t parts = 1;  // first removes all: perhaps none is needed
  while (!enough()) {
    std::vector<std::size_t> pieces;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) pieces.push_back(i);
    }
    if (pieces.empty()) break;
    parts = std::min(parts, pieces.size());
    std::vector<Kept> candidates;  // each without one part
    for (std::size_t part = 0; part < parts; ++part) {
      Kept& without = candidates.emplace_back(kept);
      const std::size_t end = pieces.size() * (part + 1) / parts;
      for (std::size_t i = pieces.size() * part / parts; i < end; ++i) without[pieces[i]] = false;
    }
    if (const auto found = first_failing(candidates)) {
      kept = std::move(candidates[*found]);
    } else if (parts < pieces.size()) {
      parts = std::min(2 * parts, pieces.size());
    } else {
      break;
    }
  }
  return kept;
}

}  // namespace photonsim::scenarios::shrink
