// Which numbers of seconds are durations.
#pragma once

#include <cmath>

namespace photon::analysis::theory {

inline bool is_duration(double seconds) { return std::isfinite(seconds) && seconds >= 0; }
inline bool is_positive_duration(double seconds) { return is_duration(seconds) && seconds > 0; }

}  // namespace photon::analysis::theory
