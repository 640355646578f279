#include "core_impl/photon/registry/id_store.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {
namespace {

std::uint64_t entry_hash(const EventId& id, const Token& token) {
  return combine(hash_of(id), hash_of(token));
}

}  // namespace

IdStore::IdStore(Duration slice) : slice_(slice), table_(slice) {}

OperationResult IdStore::apply(const StoreOperation& operation) {
  switch (operation.operation) {
    case RegistryOperation::insert:
      return insert(operation.id, operation.token);
    case RegistryOperation::move_boundary:
      // Hardly ever: a new master has applied what its predecessors proposed before it proposes.
      if (operation.boundary < boundary_) PHOTON_MARK("registry.boundary.smaller");
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
  // The boundary comes first, so that the answer does not depend on the progress of collection.
  PHOTON_LIMIT("registry.insert.stamp", id.stamp, boundary_);
  if (id.stamp < boundary_) {
    PHOTON_MARK("registry.insert.too_old");
    return {.code = RegistryCode::too_old};
  }
  const auto [slot, freshness] = table_.insert(id, token);
  if (freshness == Freshness::fresh) {
    PHOTON_CHECK(!token.is_empty(), "an empty token is refused before it is proposed (B-45)");
    contents_hash_ += entry_hash(id, token);
    return {.code = RegistryCode::inserted, .freshness = freshness};
  }
  // A retry of the very attempt that won learns that it won (B-41). A cleared value matches
  // nothing.
  const Token& stored = table_.token(slot);
  const bool same_attempt = !stored.is_empty() && stored == token;
  if (same_attempt) PHOTON_MARK("registry.insert.retry_of_winner");
  if (stored.is_empty()) PHOTON_MARK("registry.insert.cleared_already");
  return {.code = same_attempt ? RegistryCode::inserted : RegistryCode::already_exists};
}

OperationResult IdStore::clear(const EventId& id, const Token& token) {
  PHOTON_LIMIT("registry.clear.stamp", id.stamp, boundary_);
  if (id.stamp < boundary_) {
    PHOTON_MARK("registry.clear.too_old");
    return {.code = RegistryCode::too_old};
  }
  const IdTable::Slot slot = table_.find(id);
  if (slot == IdTable::kAbsent) {
    PHOTON_MARK("registry.clear.absent");
    return {.code = RegistryCode::not_found};
  }
  const Token& stored = table_.token(slot);
  if (stored.is_empty()) {
    PHOTON_MARK("registry.clear.repeated");
    return {.code = RegistryCode::cleared};
  }
  if (stored != token) {
    PHOTON_MARK("registry.clear.other_token");
    return {.code = RegistryCode::no_match};
  }
  contents_hash_ += entry_hash(id, Token{}) - entry_hash(id, token);
  table_.clear_token(slot);
  return {.code = RegistryCode::cleared, .freshness = Freshness::fresh};
}

OperationResult IdStore::remove(const EventId& id, const Token& token) {
  PHOTON_LIMIT("registry.remove.stamp", id.stamp, boundary_);
  if (id.stamp < boundary_) {
    PHOTON_MARK("registry.remove.too_old");
    return {.code = RegistryCode::too_old};
  }
  const IdTable::Slot slot = table_.find(id);
  if (slot == IdTable::kAbsent) {
    PHOTON_MARK("registry.remove.absent");
    return {.code = RegistryCode::not_found};
  }
  const Token& stored = table_.token(slot);
  if (stored.is_empty() || stored != token) {
    PHOTON_MARK("registry.remove.other_token");
    return {.code = RegistryCode::no_match};
  }
  contents_hash_ -= entry_hash(id, token);
  table_.erase(slot);
  return {.code = RegistryCode::removed, .freshness = Freshness::fresh};
}

void IdStore::collect(std::uint32_t limit) {
  collected_.clear();
  while (collected_.size() < limit && has_garbage()) {
    const IdTable::Slot slot = table_.next_garbage();
    const EventId id = table_.id(slot);
    PHOTON_CHECK(id.stamp < boundary_, "collection stays below the boundary (B-64)");
    if (!table_.token(slot).is_empty()) PHOTON_MARK("registry.collect.with_token");
    contents_hash_ -= entry_hash(id, table_.token(slot));
    table_.erase(slot);
    collected_.push_back(id);
  }
}

bool IdStore::has_garbage() const {
  return table_.size() > 0 && table_.oldest_slice() < table_.slice_of(boundary_);
}

RegistryCode IdStore::lookup(const EventId& id) const {
  PHOTON_LIMIT("registry.lookup.stamp", id.stamp, boundary_);
  if (id.stamp < boundary_) {
    PHOTON_MARK("registry.lookup.too_old");
    return RegistryCode::too_old;
  }
  return table_.find(id) == IdTable::kAbsent ? RegistryCode::not_found : RegistryCode::exists;
}

IdStore::StoredToken IdStore::read_token(const EventId& id) const {
  PHOTON_LIMIT("registry.read_token.stamp", id.stamp, boundary_);
  if (id.stamp < boundary_) {
    PHOTON_MARK("registry.read_token.too_old");
    return {RegistryCode::too_old, {}};
  }
  const Token* token = token_of(id);
  if (token == nullptr) {
    PHOTON_MARK("registry.read_token.absent");
    return {RegistryCode::not_found, {}};
  }
  return {token->is_empty() ? RegistryCode::cleared : RegistryCode::exists, *token};
}

const Token* IdStore::token_of(const EventId& id) const {
  const IdTable::Slot slot = table_.find(id);
  return slot == IdTable::kAbsent ? nullptr : &table_.token(slot);
}

void IdStore::snapshot(Bytes& out) const {
  constexpr std::size_t kHeaderBytes = 24;
  constexpr std::size_t kIdBytes = 17;  // and whether its token follows
  out.reserve(out.size() + kHeaderBytes + table_.size() * kIdBytes +
              table_.tokens() * sizeof(Token));
  Encoder encode(out);
  encode(slice_, boundary_, std::uint64_t{table_.size()});
  table_.for_each([&](IdTable::Slot slot) {
    const Token& token = table_.token(slot);
    encode(table_.id(slot), !token.is_empty());
    if (!token.is_empty()) encode(token);
  });
}

bool IdStore::restore(std::span<const std::byte> snapshot) {
  table_.clear();
  contents_hash_ = 0;
  Decoder decode(snapshot);
  Duration slice{};
  std::uint64_t ids = 0;
  decode(slice, boundary_, ids);
  if (!decode.ok() || slice != slice_) {
    PHOTON_MARK("registry.restore.header_wrong");
    return false;
  }
  for (std::uint64_t i = 0; i < ids; ++i) {
    if (!restore_entry(decode)) {
      PHOTON_MARK("registry.restore.entry_wrong");
      return false;
    }
  }
  return decode.remaining() == 0;
}

// Ids come slice by slice, each one once.
bool IdStore::restore_entry(Decoder& decode) {
  EventId id;
  bool has_token = false;
  Token token;
  decode(id, has_token);
  if (has_token) decode(token);
  if (!decode.ok() || has_token == token.is_empty()) return false;
  if (table_.size() > 0 && table_.slice_of(id.stamp) < table_.newest_slice()) return false;
  contents_hash_ += entry_hash(id, token);
  return table_.insert(id, token).freshness == Freshness::fresh;
}

}  // namespace photon
