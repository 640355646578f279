// One of several shares of a study.
#pragma once

#include <cstdint>

namespace photonsim::campaigns {

// A share of the runs of a study, for a job of an array: every `of`-th run belongs to it.
struct Share {
  std::uint64_t number = 1;  // from 1 to `of`
  std::uint64_t of = 1;

  bool is_whole() const { return of == 1; }
  bool holds(std::uint64_t run) const { return run % of == number - 1; }
};

}  // namespace photonsim::campaigns
