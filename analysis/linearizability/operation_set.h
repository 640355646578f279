// A set of operations 0..n-1 as bits, and its canonical short form for storage.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/hash.h"

namespace photon::analysis {

// Operations 0 .. 64 * full - 1 are all in the set; `rest` holds the words from there on, up to the
// last that is not zero. Early operations finish early, so this is short where the set is long.
struct TrimmedSet {
  std::uint32_t full = 0;
  std::vector<std::uint64_t> rest{};

  friend bool operator==(const TrimmedSet&, const TrimmedSet&) = default;
  std::uint64_t hash(std::uint64_t seed) const {
    return hash_bytes(std::as_bytes(std::span(rest)), mix(seed ^ full));
  }
};

class OperationSet {
 public:
  explicit OperationSet(std::size_t size) : words_((size + 63) / 64) {}

  void insert(std::uint32_t operation) { words_[operation / 64] |= bit(operation); }
  void erase(std::uint32_t operation) { words_[operation / 64] &= ~bit(operation); }

  TrimmedSet trimmed() const {
    std::size_t begin = 0;
    while (begin < words_.size() && words_[begin] == ~std::uint64_t{0}) ++begin;
    std::size_t end = words_.size();
    while (end > begin && words_[end - 1] == 0) --end;
    return {static_cast<std::uint32_t>(begin),
            {words_.begin() + static_cast<std::ptrdiff_t>(begin),
             words_.begin() + static_cast<std::ptrdiff_t>(end)}};
  }

 private:
  static std::uint64_t bit(std::uint32_t operation) { return std::uint64_t{1} << (operation % 64); }

  std::vector<std::uint64_t> words_;
};

}  // namespace photon::analysis
