// Bytes handed out by the allocator: linking heap_meter.cc replaces the global operator new by one
// that measures them, block overhead included.
#pragma once

#include <cstddef>

namespace photon::bench {

std::size_t heap_live();
std::size_t heap_peak();
// The peak from here on.
void forget_heap_peak();

}  // namespace photon::bench
