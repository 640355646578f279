#include "sim/fingerprint.h"

namespace photon::sim {

void Fingerprints::add_point(const Event& event, std::uint64_t number) {
  if (points_.capacity() < kMostPoints) points_.reserve(kMostPoints);
  points_.push_back({number, from_nanoseconds<SimTime>(event.time), value()});
  if (points_.size() == kMostPoints) {
    // Keep every second point: those at multiples of the doubled spacing.
    for (std::size_t i = 1; i < points_.size(); i += 2) points_[i / 2] = points_[i];
    points_.resize(kMostPoints / 2);
    spacing_ *= 2;
  }
  next_point_ = number + spacing_ - number % spacing_;
}

}  // namespace photon::sim
