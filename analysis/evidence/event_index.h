// From event ids to the numbers that were given to them: entries of 8 bytes, in parts of which 53
// to 80 % are in use. The ids themselves stay where the rows are.
//
// An entry holds 32 bits of the id's hash, so that other ids are looked at once in four billion
// times. The other bits choose the part. Parts grow alone: little is copied at a time, and no table
// of twice the size stands beside the old one. Nothing is ever removed.
#pragma once

#include <algorithm>
#include <array>
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
    const std::uint64_t hash = hash_of(id);
    const Part& part = parts_[hash % kParts];
    return part.entries.empty() ? kUnknown : part.entries[place_of(part, hash, id, id_of)].number;
  }
  // Gives `number` to an id that has none. Returns the id's number, and whether it is new.
  template <class IdOf>
  std::pair<std::uint32_t, bool> insert(const EventId& id, std::uint32_t number, IdOf&& id_of) {
    const std::uint64_t hash = hash_of(id);
    Part& part = parts_[hash % kParts];
    if (5 * (part.size + 1) > 4 * part.entries.size()) grow(part);
    Entry& entry = part.entries[place_of(part, hash, id, id_of)];
    if (entry.number != kUnknown) return {entry.number, false};
    entry = {tag_of(hash), number};
    ++part.size;
    ++size_;
    return {number, true};
  }

 private:
  static constexpr std::size_t kParts = 64;
  static constexpr std::size_t kFirst = 16;  // entries of a part

  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t number = kUnknown;  // kUnknown: empty
  };
  struct Part {
    std::vector<Entry> entries{};
    std::size_t size = 0;
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32U);
  }
  // Tags in their order take the places in their order, whatever the length.
  static std::size_t home_of(const Part& part, std::uint32_t tag) {
    return static_cast<std::size_t>((std::uint64_t{tag} * part.entries.size()) >> 32U);
  }
  static std::size_t after(const Part& part, std::size_t place) {
    return place + 1 == part.entries.size() ? 0 : place + 1;
  }
  // Where the id is, or would be.
  template <class IdOf>
  static std::size_t place_of(const Part& part, std::uint64_t hash, const EventId& id,
                              IdOf&& id_of) {
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t place = home_of(part, tag);; place = after(part, place)) {
      const Entry& entry = part.entries[place];
      if (entry.number == kUnknown) return place;
      if (entry.tag == tag && id_of(entry.number) == id) return place;
    }
  }
  static void grow(Part& part) {
    Part larger;
    larger.entries.resize(std::max(kFirst, part.entries.size() + part.entries.size() / 2));
    larger.size = part.size;
    for (const Entry& entry : part.entries) {
      if (entry.number == kUnknown) continue;
      std::size_t place = home_of(larger, entry.tag);
      while (larger.entries[place].number != kUnknown) place = after(larger, place);
      larger.entries[place] = entry;
    }
    part = std::move(larger);
  }

  std::array<Part, kParts> parts_{};
  std::size_t size_ = 0;
};

}  // namespace photon::analysis
