// The files of one volume: bytes, durable lengths, epochs and fences, damage.
//
// Invariants: durable <= length; a file's epoch only grows, over removal and re-creation too;
// files are visited in name order. The bytes are pristine: damage is kept beside them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core_impl/base/bytes.h"
#include "core_impl/runtime/file_name.h"
#include "core_impl/runtime/volume.h"
#include "sim/tap.h"

namespace photon::sim {

// A growing byte string in pieces, so that growth neither copies nor doubles a large file.
class ChunkedBytes {
 public:
  std::uint64_t size() const { return size_; }
  void append(std::span<const std::byte> bytes);
  void truncate(std::uint64_t size);
  // Frees the whole chunks before `offset`.
  void forget_before(std::uint64_t offset);
  // Everything before has been freed.
  std::uint64_t first_kept() const { return kChunk * forgotten_; }
  std::uint64_t kept() const { return size_ - first_kept(); }
  // Appends [offset, offset + length) to `out`. Requires the range to lie inside,
  // after first_kept().
  void copy_out(std::uint64_t offset, std::uint64_t length, Bytes& out) const;

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16U;
  PooledVector<Bytes> chunks_;  // all full but the last; the forgotten ones are empty
  std::size_t forgotten_ = 0;   // chunks
  std::uint64_t size_ = 0;
};

// Bytes up to `end` (from where the previous segment ended) written by one life, not yet durable.
struct UnsyncedSegment {
  std::uint64_t end = 0;
  Party writer{};
};

struct StoredFile {
  ChunkedBytes bytes{};
  std::uint64_t durable = 0;  // a prefix
  std::uint64_t epoch = 0;
  PooledVector<UnsyncedSegment> unsynced{};
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  PooledVector<Range> damage{};  // reads that touch it fail
  PooledVector<Range> lost{};    // reads give zeros
  // Reads give these bytes instead of the written ones, without any error.
  struct Wrong {
    std::uint64_t begin;
    Bytes bytes;
    std::uint32_t fault;
  };
  std::vector<Wrong> wrong{};  // where two overlap the later one counts
  // The end of the written part of an append that a torn write cut.
  struct Torn {
    std::uint64_t end;
    std::uint32_t fault;
  };
  std::vector<Torn> torn{};

  bool damaged(std::uint64_t begin, std::uint64_t end) const;
  // The file ends at `size` now.
  void cut_faults(std::uint64_t size);
};

class StoredFiles {
 public:
  StoredFile* find(const FileName& name);
  const StoredFile* find(const FileName& name) const;
  // Creates it empty, with the epoch that fences and an earlier file of that name require.
  StoredFile& find_or_create(const FileName& name);
  void remove(const FileName& name);
  // Epoch that a request to `name` must at least carry.
  std::uint64_t epoch_of(const FileName& name) const;
  void fence(const FileName& prefix, std::uint64_t epoch);

  std::uint64_t bytes_used() const { return used_; }
  void account(std::int64_t bytes) { used_ += static_cast<std::uint64_t>(bytes); }

  // In name order; `prefix` may be empty. `visit(const FileName&, StoredFile&)`.
  template <class Visitor>
  void for_each(std::string_view prefix, Visitor&& visit) {
    for (auto place = files_.lower_bound(FileName(prefix.data(), prefix.size()));
         place != files_.end() && starts_with(place->first, prefix); ++place) {
      visit(place->first, place->second);
    }
  }

 private:
  static bool starts_with(const FileName& name, std::string_view prefix) {
    return view_of(name).starts_with(prefix);
  }
  template <class Value>
  using ByName =
      std::map<FileName, Value, std::less<>, RecyclingAllocator<std::pair<const FileName, Value>>>;

  ByName<StoredFile> files_;
  ByName<std::uint64_t> fences_;   // by prefix
  ByName<std::uint64_t> removed_;  // epochs of removed files, where above those of fences
  std::uint64_t used_ = 0;
};

}  // namespace photon::sim
