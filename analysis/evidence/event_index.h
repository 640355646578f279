// From event ids to the numbers that were given to them: one array of 8 bytes an entry, of which
// 40 to 80 % are in use. The ids themselves stay where the rows are.
//
// An entry holds 32 bits of the id's hash, so that other ids are looked at once in four billion
// times. Nothing is ever removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

class EventIndex {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  std::size_t size() const { return size_; }

  // The number of that id, or kUnknown. `id_of(number)`: the id to which a number was given.
  template <class IdOf>
  std::uint32_t find(const EventId& id, IdOf&& id_of) const {
    return entries_.empty() ? kUnknown : entries_[place_of(id, id_of)].number;
  }
  // Gives `number` to an id that has none. Returns the id's number, and whether it is new.
  template <class IdOf>
  std::pair<std::uint32_t, bool> insert(const EventId& id, std::uint32_t number, IdOf&& id_of) {
    if (5 * (size_ + 1) > 4 * entries_.size()) grow();
    Entry& entry = entries_[place_of(id, id_of)];
    if (entry.number != kUnknown) return {entry.number, false};
    entry = {tag_of(id), number};
    ++size_;
    return {number, true};
  }

 private:
  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t number = kUnknown;  // kUnknown: empty
  };

  static std::uint32_t tag_of(const EventId& id) {
    return static_cast<std::uint32_t>(hash_of(id) >> 32U);
  }
  // Where the id is, or would be.
  template <class IdOf>
  std::size_t place_of(const EventId& id, IdOf&& id_of) const {
    const std::uint32_t tag = tag_of(id);
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t place = tag & mask;; place = (place + 1) & mask) {
      const Entry& entry = entries_[place];
      if (entry.number == kUnknown) return place;
      if (entry.tag == tag && id_of(entry.number) == id) return place;
    }
  }
  // Entries keep their order among those of one place, so that nothing has to be compared.
  void grow() {
    std::vector<Entry> larger(entries_.empty() ? 64 : 2 * entries_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Entry& entry : entries_) {
      if (entry.number == kUnknown) continue;
      std::size_t place = entry.tag & mask;
      while (larger[place].number != kUnknown) place = (place + 1) & mask;
      larger[place] = entry;
    }
    entries_ = std::move(larger);
  }

  std::vector<Entry> entries_{};  // as many as a power of two
  std::size_t size_ = 0;
};

}  // namespace photon::analysis
