#include "analysis/evidence/spec_values.h"

#include <cstddef>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace photon::analysis {
namespace {

class LittleEndian {
 public:
  LittleEndian& put(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
      bytes_.push_back(static_cast<unsigned char>(value >> (8U * i) & 0xffU));
    }
    return *this;
  }
  std::uint64_t hash() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }

 private:
  std::vector<unsigned char> bytes_;
};

}  // namespace

std::uint32_t spec_shard_of(const EventId& id, std::uint32_t shards) {
  const std::uint64_t place = (std::uint64_t{id.server} << 32U) + id.process;
  const auto stamp = static_cast<std::uint64_t>(id.stamp.time_since_epoch().count());
  return static_cast<std::uint32_t>(spec_digest({place, stamp}) % shards);
}

std::uint64_t spec_value_of(const trace::ShardingApplied& applied) {
  const auto start = static_cast<std::uint64_t>(applied.start.time_since_epoch().count());
  return LittleEndian()
      .put(1, 1)
      .put(static_cast<std::uint32_t>(applied.action), 4)
      .put(applied.version, 8)
      .put(start, 8)
      .put(applied.shards, 4)
      .hash();
}

std::uint64_t spec_generations(std::span<const std::uint32_t> generations) {
  LittleEndian bytes;
  bytes.put(generations.size(), 4);
  for (const std::uint32_t generation : generations) bytes.put(generation, 4);
  return bytes.hash();
}

}  // namespace photon::analysis
