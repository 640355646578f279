#include "scenarios/schema/diagnostic_suggest.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace photonsim::scenarios {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 64;
  a = a.substr(0, kLongest);
  b = b.substr(0, kLongest);
  // Rows of the optimal string alignment: two back (for swaps), one back, current.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

namespace {

// How many characters two words share at their beginnings and their ends.
std::size_t common_ends(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t begins = 0;
  while (begins < most && a[begins] == b[begins]) ++begins;
  std::size_t ends = 0;
  while (begins + ends < most && a[a.size() - 1 - ends] == b[b.size() - 1 - ends]) ++ends;
  return begins + ends;
}

}  // namespace

std::string closest(std::string_view name, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  // Two edits make another word of a short word.
  const std::size_t most = name.size() < 4 ? 1 : std::max<std::size_t>(2, name.size() / 3);
  std::size_t best_distance = most + 1;
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;  // the spelling was right
    const std::size_t distance = edit_distance(name, candidate);
    // Of two at one distance, "--sed" means "--seed" rather than "--set".
    const bool nearer =
        distance < best_distance || (best != nullptr && distance == best_distance &&
                                     common_ends(name, candidate) > common_ends(name, *best));
    // A distance as long as the name itself is meaningless.
    if (nearer && distance < std::max(name.size(), candidate.size())) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string{} : *best;
}

std::string suggest(std::string_view name, std::span<const std::string> candidates) {
  if (const std::string best = closest(name, candidates); !best.empty()) {
    return fmt::format("did you mean \"{}\"?", best);
  }
  constexpr std::size_t kMostListed = 12;
  if (candidates.empty() || candidates.size() > kMostListed) {
    return {};
  }
  std::string list;
  for (const std::string& candidate : candidates) {
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", candidate);
  }
  return "one of " + list;
}

}  // namespace photonsim::scenarios
