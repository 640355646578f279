#include "core_impl/photon/event_store/lru_cache.h"

#include "core_impl/base/check.h"

namespace photon {

void LruCache::unlink(std::uint32_t slot) {
  const Slot& gone = slots_[slot];
  (gone.newer == kNone ? newest_ : slots_[gone.newer].older) = gone.older;
  (gone.older == kNone ? oldest_ : slots_[gone.older].newer) = gone.newer;
}

void LruCache::link_newest(std::uint32_t slot) {
  slots_[slot].newer = kNone;
  slots_[slot].older = newest_;
  (newest_ == kNone ? oldest_ : slots_[newest_].newer) = slot;
  newest_ = slot;
}

void LruCache::remove(std::uint32_t slot) {
  PHOTON_CHECK(slot != kNone, "there is something to evict while bytes are in use");
  unlink(slot);
  Slot& gone = slots_[slot];
  bytes_ -= charge(gone.payload.size());
  table_.erase(gone.id);
  gone.payload = Bytes();
  gone.older = free_;
  free_ = slot;
}

std::uint32_t LruCache::take_slot() {
  if (free_ == kNone) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t slot = free_;
  free_ = slots_[slot].older;
  return slot;
}

void LruCache::insert(const EventId& id, std::span<const std::byte> payload) {
  const auto known = table_.find(id);
  if (known != table_.end()) remove(known->second);
  const std::uint64_t needed = charge(payload.size());
  if (needed > capacity_) return;
  while (bytes_ + needed > capacity_) {
    remove(oldest_);
    ++evictions_;
  }
  const std::uint32_t slot = take_slot();
  slots_[slot].id = id;
  slots_[slot].payload.assign(payload.begin(), payload.end());
  link_newest(slot);
  table_.emplace(id, slot);
  bytes_ += needed;
}

const Bytes* LruCache::find(const EventId& id) {
  const auto known = table_.find(id);
  if (known == table_.end()) return nullptr;
  const std::uint32_t slot = known->second;
  if (slot != newest_) {
    unlink(slot);
    link_newest(slot);
  }
  return &slots_[slot].payload;
}

}  // namespace photon
