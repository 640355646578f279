#include "core_impl/photon/registry/id_store.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon {
namespace {

std::uint64_t entry_hash(const EventId& id, const Token& token) {
  return combine(hash_of(id), hash_of(token));
}

// Rounds towards minus infinity, so that stamps around zero do not share a bucket twice as wide.
std::int64_t floor_divide(std::int64_t value, std::int64_t width) {
  const std::int64_t quotient = value / width;
  return value % width < 0 ? quotient - 1 : quotient;
}

}  // namespace

IdStore::IdStore(Duration bucket) : bucket_width_(bucket.count()) {
  PHOTON_CHECK(bucket_width_ > 0, "a bucket has a width");
}

OperationResult IdStore::apply(const StoreOperation& operation) {
  switch (operation.operation) {
    case RegistryOperation::insert:
      return insert(operation.id, operation.token);
    case RegistryOperation::move_boundary:
      boundary_ =
          std::max(boundary_, operation.boundary);  // B-63: a late, smaller value is harmless
      return {};
    case RegistryOperation::collect:
      collect(operation.limit);
      return {};
    case RegistryOperation::clear:
      return clear(operation.id, operation.token);
    case RegistryOperation::remove:
      return remove(operation.id, operation.token);
    case RegistryOperation::lookup:
    case RegistryOperation::read_token:
      break;
  }
  PHOTON_CHECK(false, "reads are not replicated");
  return {};
}

OperationResult IdStore::insert(const EventId& id, const Token& token) {
  // The boundary comes first, so that the answer does not depend on how far collection has got.
  if (id.stamp < boundary_) return {.code = RegistryCode::too_old};
  const auto [place, absent] = tokens_.try_emplace(id, token);
  if (absent) {
    PHOTON_CHECK(!token.is_empty(), "an empty token is refused before it is proposed (B-45)");
    contents_hash_ += entry_hash(id, token);
    buckets_[floor_divide(nanoseconds_of(id.stamp), bucket_width_)].push_back(id);
    return {.code = RegistryCode::inserted, .freshness = Freshness::fresh};
  }
  // A retry of the very attempt that won learns that it won (B-41). A cleared value matches
  // nothing.
  const bool same_attempt = !place->second.is_empty() && place->second == token;
  return {.code = same_attempt ? RegistryCode::inserted : RegistryCode::already_exists};
}

OperationResult IdStore::clear(const EventId& id, const Token& token) {
  if (id.stamp < boundary_) return {.code = RegistryCode::too_old};
  const auto place = tokens_.find(id);
  if (place == tokens_.end()) return {.code = RegistryCode::not_found};
  if (place->second.is_empty()) return {.code = RegistryCode::cleared};
  if (place->second != token) return {.code = RegistryCode::no_match};
  contents_hash_ += entry_hash(id, Token{}) - entry_hash(id, token);
  place->second = Token{};
  return {.code = RegistryCode::cleared, .freshness = Freshness::fresh};
}

OperationResult IdStore::remove(const EventId& id, const Token& token) {
  if (id.stamp < boundary_) return {.code = RegistryCode::too_old};
  const auto place = tokens_.find(id);
  if (place == tokens_.end()) return {.code = RegistryCode::not_found};
  if (place->second.is_empty() || place->second != token) return {.code = RegistryCode::no_match};
  contents_hash_ -= entry_hash(id, token);
  tokens_.erase(place);
  forget(id);
  return {.code = RegistryCode::removed, .freshness = Freshness::fresh};
}

// The rest of the bucket keeps its order, which is part of the state. A walk over one bucket is
// cheap for what happens as rarely as a recovery.
void IdStore::forget(const EventId& id) {
  const auto bucket = buckets_.find(floor_divide(nanoseconds_of(id.stamp), bucket_width_));
  PHOTON_CHECK(bucket != buckets_.end(), "a stored id has its bucket");
  auto& ids = bucket->second;
  const auto place = std::ranges::find(ids, id);
  PHOTON_CHECK(place != ids.end(), "a bucket lists every id that is stored");
  ids.erase(place);
  if (ids.empty()) buckets_.erase(bucket);
}

void IdStore::collect(std::uint32_t limit) {
  collected_.clear();
  while (collected_.size() < limit && has_garbage()) {
    auto& ids = buckets_.begin()->second;
    // From the back: a bucket is never shifted.
    while (collected_.size() < limit && !ids.empty()) {
      const auto place = tokens_.find(ids.back());
      PHOTON_CHECK(place != tokens_.end(), "a bucket lists ids that are stored");
      PHOTON_CHECK(place->first.stamp < boundary_, "collection stays below the boundary (B-64)");
      contents_hash_ -= entry_hash(place->first, place->second);
      collected_.push_back(place->first);
      tokens_.erase(place);
      ids.pop_back();
    }
    if (ids.empty()) buckets_.erase(buckets_.begin());
  }
}

bool IdStore::has_garbage() const {
  return !buckets_.empty() &&
         buckets_.begin()->first < floor_divide(nanoseconds_of(boundary_), bucket_width_);
}

RegistryCode IdStore::lookup(const EventId& id) const {
  if (id.stamp < boundary_) return RegistryCode::too_old;
  return tokens_.contains(id) ? RegistryCode::exists : RegistryCode::not_found;
}

IdStore::StoredToken IdStore::read_token(const EventId& id) const {
  if (id.stamp < boundary_) return {RegistryCode::too_old, {}};
  const Token* token = token_of(id);
  if (token == nullptr) return {RegistryCode::not_found, {}};
  return {token->is_empty() ? RegistryCode::cleared : RegistryCode::exists, *token};
}

const Token* IdStore::token_of(const EventId& id) const {
  const auto place = tokens_.find(id);
  return place == tokens_.end() ? nullptr : &place->second;
}

Bytes IdStore::snapshot() const {
  constexpr std::size_t kEntryBytes = 32;  // id and token
  Bytes bytes;
  bytes.reserve(tokens_.size() * kEntryBytes + buckets_.size() * 12 + 24);
  Encoder encode(bytes);
  encode(bucket_width_, boundary_, static_cast<std::uint64_t>(buckets_.size()));
  for (const auto& [bucket, ids] : buckets_) {
    encode(bucket, static_cast<std::uint32_t>(ids.size()));
    for (const EventId& id : ids) encode(id, *token_of(id));
  }
  return bytes;
}

bool IdStore::restore(std::span<const std::byte> snapshot) {
  tokens_.clear();
  buckets_.clear();
  contents_hash_ = 0;
  collected_.clear();
  Decoder decode(snapshot);
  std::int64_t width = 0;
  std::uint64_t buckets = 0;
  decode(width, boundary_, buckets);
  if (!decode.ok() || width != bucket_width_) return false;
  for (std::uint64_t i = 0; i < buckets; ++i) {
    if (!restore_bucket(decode)) return false;
  }
  return decode.remaining() == 0;
}

bool IdStore::restore_bucket(Decoder& decode) {
  std::int64_t bucket = 0;
  std::uint32_t count = 0;
  decode(bucket, count);
  if (!decode.ok() || count == 0 || !(buckets_.empty() || buckets_.rbegin()->first < bucket)) {
    return false;
  }
  auto& ids = buckets_[bucket];
  for (std::uint32_t i = 0; i < count; ++i) {
    EventId id;
    Token token;
    decode(id, token);
    if (!decode.ok() || floor_divide(nanoseconds_of(id.stamp), bucket_width_) != bucket ||
        !tokens_.try_emplace(id, token).second) {
      return false;
    }
    contents_hash_ += entry_hash(id, token);
    ids.push_back(id);
  }
  return true;
}

std::size_t IdStore::memory_bytes() const {
  // The flat table stores 15 elements in groups with 16 bytes of metadata.
  const std::size_t slots = tokens_.bucket_count();
  std::size_t bytes = slots * sizeof(std::pair<const EventId, Token>) + slots / 15 * 16;
  for (const auto& [bucket, ids] : buckets_) {
    bytes += sizeof(ids) + sizeof(bucket) + 32 + ids.capacity() * sizeof(EventId);
  }
  return bytes;
}

}  // namespace photon
