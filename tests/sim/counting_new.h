// Linking counting_new.cc replaces the global operator new by one that counts.
#pragma once

#include <cstdint>

namespace photon::sim {
std::uint64_t allocations_so_far();
}  // namespace photon::sim
