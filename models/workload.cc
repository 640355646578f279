#include "models/workload.h"

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::models {

std::uint64_t expected_join_hash(const EventId& click, const EventId& query,
                                 std::span<const std::byte> click_payload,
                                 std::span<const std::byte> query_payload) {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(click, query, static_cast<std::uint32_t>(click_payload.size()));
  encoder.raw(click_payload);
  encoder(static_cast<std::uint32_t>(query_payload.size()));
  encoder.raw(query_payload);
  return hash_bytes(bytes);
}

}  // namespace photon::models
