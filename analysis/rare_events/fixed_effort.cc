#include "analysis/rare_events/fixed_effort.h"

#include <numeric>

#include "core_impl/base/shuffle.h"

namespace photon::analysis {

std::vector<std::size_t> shuffled(std::size_t count, const RandomStream& stream,
                                  std::uint64_t ordinal) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, [&](std::uint64_t left) {
    return stream.word(ordinal, static_cast<std::uint32_t>(left));
  });
  return order;
}

}  // namespace photon::analysis
