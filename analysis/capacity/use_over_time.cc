#include "analysis/capacity/use_over_time.h"

namespace photon::analysis {

void UseOverTime::add(std::size_t number, double used, double full) {
  while (number / width_ >= kBins) {
    for (std::size_t i = 0; i < bins_.size(); i += 2) {
      Sums both = bins_[i];
      if (i + 1 < bins_.size()) {
        both.used += bins_[i + 1].used;
        both.full += bins_[i + 1].full;
      }
      bins_[i / 2] = both;
    }
    bins_.resize((bins_.size() + 1) / 2);
    width_ *= 2;
  }
  const std::size_t bin = number / width_;
  if (bin >= bins_.size()) bins_.resize(bin + 1);
  bins_[bin].used += used;
  bins_[bin].full += full;
}

std::size_t UseOverTime::first_bin(std::size_t intervals) const {
  const std::size_t begin = intervals - intervals / 4;
  return (begin + width_ - 1) / width_;
}

UseOverTime::Sums UseOverTime::last_quarter(std::size_t intervals) const {
  Sums sums;
  for (std::size_t bin = first_bin(intervals); bin < bins_.size(); ++bin) {
    sums.used += bins_[bin].used;
    sums.full += bins_[bin].full;
  }
  return sums;
}

std::size_t UseOverTime::last_quarter_length(std::size_t intervals) const {
  const std::size_t begin = first_bin(intervals) * width_;
  return begin < intervals ? intervals - begin : 0;
}

}  // namespace photon::analysis
