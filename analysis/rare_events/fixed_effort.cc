#include "analysis/rare_events/fixed_effort.h"

#include <numeric>

namespace photon::analysis {

std::vector<std::size_t> shuffled(std::size_t count, const RandomStream& stream,
                                  std::uint64_t ordinal) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) {
    const std::uint64_t word = stream.word(ordinal, static_cast<std::uint32_t>(i));
    std::swap(order[i - 1], order[uniform_below(word, i)]);
  }
  return order;
}

}  // namespace photon::analysis
