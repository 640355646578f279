// A table of plain rows by an index that counts from 0, whose rows are used for a while and then
// hardly ever: of clicks, of attempts, of registrations.
//
// Rows lie in pages of neighbours. A page that nothing has touched for kIdle ticks is packed, to a
// fraction of its size and without loss (packed_rows.h), and is unpacked when a row of it is asked
// for again. Of packed pages the table keeps some MiB in memory; those that were packed first move
// to a temporary file (spill_file.h), or stay if there can be none. So what readers see never
// depends on the packing, and a settled click takes half a byte of memory for each table, however
// late a record still names it. Memory of packed pages serves new ones.
//
// References to rows stay valid until the next tick().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/evidence/packed_rows.h"
#include "analysis/evidence/spill_file.h"
#include "core_impl/base/check.h"

namespace photon::analysis {

template <class Row>
class PackedTable {
  static_assert(std::is_trivially_copyable_v<Row> && sizeof(Row) % sizeof(std::uint64_t) == 0);

 public:
  static constexpr std::size_t kPageRows = 64;
  static constexpr std::uint32_t kIdle = 16;  // ticks
  static constexpr std::size_t kKept = std::size_t{32} << 20U;

  PackedTable() = default;
  // A row resembles the one that many rows before it. Packed pages take `kept` bytes of memory.
  explicit PackedTable(std::size_t apart, std::size_t kept = kKept)
      : shape_{kWords, apart}, kept_(kept) {}

  std::size_t size() const { return size_; }
  // Requires index < size(). Reading may unpack a page: it changes no row.
  const Row& operator[](std::size_t index) const { return touch(index)[index % kPageRows]; }
  Row& operator[](std::size_t index) {
    Rows& rows = touch(index);
    pages_[index / kPageRows].changed = true;
    return rows[index % kPageRows];
  }
  Row& emplace_back() {
    grow(size_ + 1);
    return (*this)[size_ - 1];
  }
  // Makes the table at least that long.
  void grow(std::size_t size) {
    while (pages_.size() * kPageRows < size) {
      pages_.emplace_back();
      packed_.emplace_back();
      open(pages_.size() - 1).fill(Row{});
    }
    size_ = std::max(size_, size);
  }

  // Time passes: packs what has been idle for long enough. Cost: the pages in use.
  void tick() const {
    ++now_;
    for (std::size_t i = 0; i < in_use_.size();) {
      const std::size_t number = in_use_[i];
      if (now_ - pages_[number].used < kIdle) {
        ++i;
        continue;
      }
      close(number);
      in_use_[i] = in_use_.back();
      in_use_.pop_back();
    }
  }
  std::size_t pages_in_use() const { return in_use_.size(); }
  // In memory.
  std::size_t packed_bytes() const { return packed_bytes_; }

 private:
  static constexpr std::size_t kWords = sizeof(Row) / sizeof(std::uint64_t);
  using Rows = std::array<Row, kPageRows>;
  using Words = std::array<std::uint64_t, kWords * kPageRows>;
  static_assert(sizeof(Rows) == sizeof(Words));

  struct Page {
    std::unique_ptr<Rows> rows{};  // null: packed
    std::uint32_t used = 0;        // the tick
    bool changed = false;          // since it was packed last
  };
  // A packed page, in memory or in the file. Neither: it was never packed.
  struct Packed {
    std::unique_ptr<std::byte[]> bytes{};
    std::uint64_t place = kNowhere;
    std::size_t size = 0;
    bool is_none() const { return bytes == nullptr && place == kNowhere; }
  };
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  Rows& touch(std::size_t index) const {
    Page& page = pages_[index / kPageRows];
    page.used = now_;
    return page.rows ? *page.rows : unpack(index / kPageRows);
  }
  // Rows for the page, of any content.
  Rows& open(std::size_t number) const {
    Page& page = pages_[number];
    if (spare_.empty()) {
      page.rows = std::make_unique<Rows>();
    } else {
      page.rows = std::move(spare_.back());
      spare_.pop_back();
    }
    page.used = now_;
    in_use_.push_back(number);
    return *page.rows;
  }
  Rows& unpack(std::size_t number) const {
    const Packed& packed = packed_[number];
    PHOTON_CHECK(!packed.is_none(), "a page has rows or their packed form");
    std::span<const std::byte> bytes{packed.bytes.get(), packed.size};
    if (packed.bytes == nullptr) {
      scratch_.resize(packed.size);
      file_->read(packed.place, scratch_);
      bytes = scratch_;
    }
    Words words;
    unpack_rows(bytes, shape_, words);
    Rows& rows = open(number);
    std::memcpy(static_cast<void*>(rows.data()), words.data(), sizeof(Rows));
    return rows;
  }
  void close(std::size_t number) const {
    Page& page = pages_[number];
    Packed& packed = packed_[number];
    if (page.changed || packed.is_none()) {
      Words words;
      std::memcpy(words.data(), page.rows->data(), sizeof(Rows));
      pack_rows(words, shape_, scratch_);
      if (packed.bytes == nullptr) {
        in_memory_.push_back(number);
      } else {
        packed_bytes_ -= packed.size;
      }
      packed.size = scratch_.size();
      packed.bytes = std::make_unique_for_overwrite<std::byte[]>(packed.size);
      std::memcpy(packed.bytes.get(), scratch_.data(), packed.size);
      packed.place = kNowhere;
      packed_bytes_ += packed.size;
    }
    page.changed = false;
    if (spare_.size() < kSpare) spare_.push_back(std::move(page.rows));
    page.rows.reset();
    while (packed_bytes_ > kept_ && spill(in_memory_.front())) in_memory_.pop_front();
  }
  // Moves a packed page to the file. False if there can be none, or it is full.
  bool spill(std::size_t number) const {
    Packed& packed = packed_[number];
    PHOTON_CHECK(packed.bytes != nullptr, "what is in memory can be moved");
    if (file_ == nullptr && !std::exchange(file_tried_, true)) file_ = SpillFile::open();
    if (file_ == nullptr) return false;
    const auto place = file_->append({packed.bytes.get(), packed.size});
    if (!place) return false;
    packed.place = *place;
    packed.bytes.reset();
    packed_bytes_ -= packed.size;
    return true;
  }
  static constexpr std::size_t kSpare = 64;

  std::size_t size_ = 0;
  RowShape shape_{kWords, 1};
  std::size_t kept_ = kKept;  // bytes
  // A reader has a table that it does not change; what is packed changes all the same.
  mutable std::vector<Page> pages_{};
  mutable std::vector<Packed> packed_{};       // of the same numbers; kept until it is changed
  mutable std::vector<std::size_t> in_use_{};  // pages with rows
  mutable std::vector<std::unique_ptr<Rows>> spare_{};
  mutable std::vector<std::byte> scratch_{};
  mutable std::uint32_t now_ = 0;
  mutable std::size_t packed_bytes_ = 0;         // in memory
  mutable std::deque<std::size_t> in_memory_{};  // packed pages, in the order of packing
  mutable std::unique_ptr<SpillFile> file_{};
  mutable bool file_tried_ = false;
};

}  // namespace photon::analysis
