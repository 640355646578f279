// A random order (Fisher and Yates), drawn by the caller: standard libraries shuffle differently.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core_impl/base/random.h"

namespace photon {

// Brings `items` into a uniformly random order. `word(left)`, called with left = size ... 2, is a
// random word that belongs to `left`.
template <class T, class Word>
void shuffle(std::vector<T>& items, Word&& word) {
  for (std::uint64_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[uniform_below(word(left), left)]);
  }
}

}  // namespace photon
