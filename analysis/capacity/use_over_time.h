// The use of one resource over time, in few bins: exact sums, in constant memory.
#pragma once

#include <cstddef>
#include <vector>

namespace photon::analysis {

class UseOverTime {
 public:
  struct Sums {
    double used = 0;
    double full = 0;
  };

  // Adds to interval `number`, from 0.
  void add(std::size_t number, double used, double full);
  // What was added to about the last quarter of `intervals` of them: whole bins, none before it.
  Sums last_quarter(std::size_t intervals) const;
  // The number of intervals that it covers.
  std::size_t last_quarter_length(std::size_t intervals) const;

 private:
  static constexpr std::size_t kBins = 64;

  std::size_t first_bin(std::size_t intervals) const;

  std::vector<Sums> bins_{};
  std::size_t width_ = 1;  // of a bin, in intervals
};

}  // namespace photon::analysis
