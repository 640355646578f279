// The unit of every duration in a configuration.
#pragma once

#include <chrono>

namespace photonsim::scenarios {

using Duration = std::chrono::nanoseconds;
using namespace std::chrono_literals;

}  // namespace photonsim::scenarios
