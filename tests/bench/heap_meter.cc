#include "tests/bench/heap_meter.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::size_t live = 0;
std::size_t peak = 0;

void* handed_out(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  live += malloc_usable_size(block) + sizeof(std::size_t);
  peak = std::max(peak, live);
  return block;
}

void taken_back(void* block) {
  if (block != nullptr) live -= malloc_usable_size(block) + sizeof(std::size_t);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return handed_out(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return handed_out(std::malloc(size == 0 ? 1 : size)); }
void operator delete(void* block) noexcept { taken_back(block); }
void operator delete[](void* block) noexcept { taken_back(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { taken_back(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { taken_back(block); }

namespace photon::bench {

std::size_t heap_live() { return live; }
std::size_t heap_peak() { return peak; }
void forget_heap_peak() { peak = live; }

}  // namespace photon::bench
