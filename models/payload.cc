#include "models/payload.h"

#include <cstring>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"

namespace photon::models {
namespace {
constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15ULL;  // odd: the words of a payload differ
}  // namespace

std::uint32_t campaign_of(std::uint64_t word) {
  return static_cast<std::uint32_t>(uniform_below(word, kCampaigns));
}

void write_payload(std::uint64_t word, std::span<std::byte> out) {
  PHOTON_CHECK(out.size() >= kCampaignBytes, "a payload holds at least its campaign");
  const std::uint32_t campaign = campaign_of(word);
  std::memcpy(out.data(), &campaign, sizeof campaign);
  std::byte* cursor = out.data() + sizeof campaign;
  std::size_t left = out.size() - sizeof campaign;
  for (; left >= sizeof word; left -= sizeof word, cursor += sizeof word) {
    word += kStride;
    const std::uint64_t filler = mix(word);
    std::memcpy(cursor, &filler, sizeof filler);
  }
  const std::uint64_t filler = mix(word + kStride);
  std::memcpy(cursor, &filler, left);
}

void append_payload(std::uint64_t word, std::size_t size, Bytes& out) {
  const std::size_t start = out.size();
  out.resize(start + size);
  write_payload(word, std::span<std::byte>(out).subspan(start));
}

}  // namespace photon::models
