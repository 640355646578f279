#include "core_impl/photon/registry/id_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"

namespace photon {
namespace {

constexpr Token kCleared{};

// The low bits of the hash chose the shard (SPEC B-50), so they distinguish little here.
std::uint32_t head_of(const EventId& id, std::uint32_t heads) {
  const auto hash = static_cast<std::uint32_t>(hash_of(id) >> 32U);
  const std::uint32_t mask = std::bit_ceil(heads) - 1;
  const std::uint32_t head = hash & mask;
  return head < heads ? head : head & (mask >> 1U);
}

}  // namespace

IdTable::IdTable(Duration slice) : slice_width_(slice.count()) {
  PHOTON_CHECK(slice_width_ > 0, "a slice has a width");
}

void IdTable::clear() { *this = IdTable(Duration(slice_width_)); }

IdTable::Slot IdTable::find(const EventId& id) const {
  const std::int64_t number = slice_of(id.stamp);
  const auto slice = lower_bound(number);
  return slice == slices_.end() || slice->number != number ? kAbsent : find_in(*slice, id);
}

IdTable::Slot IdTable::find_in(const Slice& slice, const EventId& id) const {
  if (slice.heads.empty()) {
    Slot slot = slice.newest;
    while (slot != kAbsent && entries_[slot].id != id) slot = entries_[slot].older;
    return slot;
  }
  Slot slot = slice.heads[head_of(id, slice.heads.size())];
  while (slot != kAbsent && entries_[slot].id != id) slot = entries_[slot].chain;
  return slot;
}

const Token& IdTable::token(Slot slot) const {
  const std::uint32_t place = entries_[slot].token;
  return place == kAbsent ? kCleared : tokens_[place];
}

IdTable::Placed IdTable::insert(const EventId& id, const Token& token) {
  const std::int64_t number = slice_of(id.stamp);
  auto place = slices_.begin() + (lower_bound(number) - slices_.cbegin());
  if (place == slices_.end() || place->number != number) {
    Slice slice;
    slice.number = number;
    place = slices_.insert(place, std::move(slice));
  } else if (const Slot present = find_in(*place, id); present != kAbsent) {
    return {present, Freshness::unchanged};
  }
  const Slot slot = entries_.size();
  PHOTON_CHECK(slot != kAbsent, "a slot's number fits its field");
  const bool has_token = !token.is_empty();
  entries_.push_back({id, kAbsent, kAbsent, kAbsent, has_token ? tokens_.size() : kAbsent});
  if (has_token) {
    tokens_.push_back(token);
    token_owners_.push_back(slot);
  }
  PHOTON_CHECK(tokens_.size() == token_owners_.size(), "every token has its owner");
  append(*place, slot);
  return {slot, Freshness::fresh};
}

void IdTable::clear_token(Slot slot) {
  const std::uint32_t place = std::exchange(entries_[slot].token, kAbsent);
  if (place == kAbsent) return;
  PHOTON_CHECK(place < tokens_.size(), "an id's token is in use");
  PHOTON_CHECK(token_owners_[place] == slot, "a token belongs to one id");
  if (place != tokens_.size() - 1) {
    tokens_[place] = tokens_.back();
    token_owners_[place] = token_owners_.back();
    entries_[token_owners_[place]].token = place;
  }
  tokens_.pop_back();
  token_owners_.pop_back();
}

void IdTable::erase(Slot slot) {
  PHOTON_CHECK(slot < size(), "only what is stored is erased");
  clear_token(slot);
  remove_from_slice(slot);
  const Slot last = size() - 1;
  if (slot != last) move_entry(last, slot);
  entries_.pop_back();
  PHOTON_CHECK(tokens_.size() <= entries_.size(), "an id has at most one token");
}

// `to` is free: all links to `from` now point there.
void IdTable::move_entry(Slot from, Slot to) {
  const Entry entry = entries_[from];
  Slice& slice = *slice_at(entry.id.stamp);
  if (!slice.heads.empty()) link_to(slice, from) = to;
  PHOTON_CHECK((entry.older == kAbsent ? slice.oldest : entries_[entry.older].newer) == from,
               "neighbours in a slice name each other");
  PHOTON_CHECK((entry.newer == kAbsent ? slice.newest : entries_[entry.newer].older) == from,
               "neighbours in a slice name each other");
  (entry.older == kAbsent ? slice.oldest : entries_[entry.older].newer) = to;
  (entry.newer == kAbsent ? slice.newest : entries_[entry.newer].older) = to;
  if (entry.token != kAbsent) token_owners_[entry.token] = to;
  entries_[to] = entry;
}

// Rounds towards minus infinity, so that stamps around zero do not share a slice twice as wide.
std::int64_t IdTable::slice_of(Stamp stamp) const {
  const std::int64_t time = nanoseconds_of(stamp);
  const std::int64_t quotient = time / slice_width_;
  return time % slice_width_ < 0 ? quotient - 1 : quotient;
}

// Where slices follow one another without gaps up to the newest, the distance to it is the place.
IdTable::Slices::const_iterator IdTable::lower_bound(std::int64_t number) const {
  if (slices_.empty() || number > newest_slice()) return slices_.end();
  if (number <= oldest_slice()) return slices_.begin();
  const std::size_t last = slices_.size() - 1;
  const std::uint64_t from_end =
      static_cast<std::uint64_t>(newest_slice()) - static_cast<std::uint64_t>(number);
  if (from_end <= last && slices_[last - from_end].number == number) {
    return slices_.end() - 1 - static_cast<std::ptrdiff_t>(from_end);
  }
  return std::lower_bound(
      slices_.begin(), slices_.end(), number,
      [](const Slice& slice, std::int64_t bound) { return slice.number < bound; });
}

IdTable::Slices::iterator IdTable::slice_at(Stamp stamp) {
  const auto place = lower_bound(slice_of(stamp));
  PHOTON_CHECK(place != slices_.cend(), "every entry has its slice");
  return slices_.begin() + (place - slices_.cbegin());
}

void IdTable::append(Slice& slice, Slot slot) {
  PHOTON_CHECK(slice.newest == kAbsent || entries_[slice.newest].newer == kAbsent,
               "nothing is newer than the newest id of a slice");
  entries_[slot].older = slice.newest;
  (slice.newest == kAbsent ? slice.oldest : entries_[slice.newest].newer) = slot;
  slice.newest = slot;
  ++slice.ids;
  if (!slice.heads.empty()) {
    link(slice, slot);
    if (slice.heads.size() < slice.ids) add_head(slice);
  } else if (slice.ids > kUnindexed) {
    while (slice.heads.size() < slice.ids) slice.heads.push_back(kAbsent);
    for (Slot each = slot; each != kAbsent; each = entries_[each].older) link(slice, each);
  }
}

void IdTable::remove_from_slice(Slot slot) {
  const Entry& entry = entries_[slot];
  const auto slice = slice_at(entry.id.stamp);
  if (!slice->heads.empty()) link_to(*slice, slot) = entry.chain;
  PHOTON_CHECK((entry.older == kAbsent ? slice->oldest : entries_[entry.older].newer) == slot,
               "neighbours in a slice name each other");
  PHOTON_CHECK((entry.newer == kAbsent ? slice->newest : entries_[entry.newer].older) == slot,
               "neighbours in a slice name each other");
  (entry.older == kAbsent ? slice->oldest : entries_[entry.older].newer) = entry.newer;
  (entry.newer == kAbsent ? slice->newest : entries_[entry.newer].older) = entry.older;
  PHOTON_CHECK(slice->ids > 0, "a slice counts its ids");
  if (--slice->ids == 0) slices_.erase(slice);
}

void IdTable::link(Slice& slice, Slot slot) {
  Entry& entry = entries_[slot];
  Slot& head = slice.heads[head_of(entry.id, slice.heads.size())];
  entry.chain = std::exchange(head, slot);
}

IdTable::Slot& IdTable::link_to(Slice& slice, Slot slot) {
  Slot* link = &slice.heads[head_of(entries_[slot].id, slice.heads.size())];
  while (*link != slot) {
    PHOTON_CHECK(*link != kAbsent, "every entry is in the chain of its head");
    link = &entries_[*link].chain;
  }
  return *link;
}

// The new head takes its share of the chain that held the ids of both.
void IdTable::add_head(Slice& slice) {
  const std::uint32_t added = slice.heads.size();
  PHOTON_CHECK(added > 0, "an index grows from its first head");
  Slot rest = std::exchange(slice.heads[added - std::bit_floor(added)], kAbsent);
  slice.heads.push_back(kAbsent);
  while (rest != kAbsent) {
    const Slot next = entries_[rest].chain;
    link(slice, rest);
    rest = next;
  }
}

std::size_t IdTable::memory_bytes() const {
  std::size_t bytes = entries_.memory_bytes() + tokens_.memory_bytes() +
                      token_owners_.memory_bytes() + slices_.size() * sizeof(Slice);
  for (const Slice& slice : slices_) bytes += slice.heads.memory_bytes();
  return bytes;
}

}  // namespace photon
