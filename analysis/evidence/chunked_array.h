// An array by an index that counts from 0, which grows by chunks: nothing is copied when it grows,
// no free space waits, and an address stays valid. For one small value per click.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace photon::analysis {

template <class Value>
class ChunkedArray {
 public:
  // `empty`: the value of a place that nothing was stored in.
  explicit ChunkedArray(Value empty = Value{}) : empty_(empty) {}

  // Grows up to that place.
  Value& operator[](std::size_t index) {
    while (index >= chunks_.size() * kChunk) {
      chunks_.push_back(std::make_unique<Value[]>(kChunk));
      std::fill_n(chunks_.back().get(), kChunk, empty_);
    }
    return chunks_[index / kChunk][index % kChunk];
  }
  Value at(std::size_t index) const {
    return index < chunks_.size() * kChunk ? chunks_[index / kChunk][index % kChunk] : empty_;
  }

 private:
  static constexpr std::size_t kChunk = 8192;

  Value empty_;
  std::vector<std::unique_ptr<Value[]>> chunks_{};
};

}  // namespace photon::analysis
