// Delta debugging (Zeller and Hildebrandt 2002): the smallest part of a set of pieces that still
// fails, in the sense that no single piece of it can be left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace photonsim::scenarios::shrink {

// By number of the piece: is it kept?
using Kept = std::vector<bool>;

// `fails` with all pieces must be known to be true, and `kept` says which pieces those are. Ends
// early, with what it has, when `enough()` says so.
inline Kept ddmin(Kept kept, const std::function<bool(const Kept&)>& fails,
                  const std::function<bool()>& enough) {
  const auto members = [&] {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) list.push_back(i);
    }
    return list;
  };
  std::vector<std::size_t> pieces = members();
  std::size_t parts = 1;  // first all of them at once: perhaps none is needed
  while (!pieces.empty() && !enough()) {
    bool smaller = false;
    for (std::size_t part = 0; part < parts && !smaller && !enough(); ++part) {
      const std::size_t begin = pieces.size() * part / parts;
      const std::size_t end = pieces.size() * (part + 1) / parts;
      Kept without = kept;
      for (std::size_t i = begin; i < end; ++i) without[pieces[i]] = false;
      if (!fails(without)) continue;
      kept = std::move(without);
      smaller = true;
    }
    if (smaller) {
      pieces = members();
      parts = std::max<std::size_t>(std::min(parts, pieces.size()), 1);
    } else if (parts < pieces.size()) {
      parts = std::min(2 * parts, pieces.size());
    } else {
      break;
    }
  }
  return kept;
}

}  // namespace photonsim::scenarios::shrink
