#include "models/payload.h"

#include <array>
#include <cstring>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"

namespace photon::models {
namespace {
constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15ULL;  // odd: the words of a payload differ
using Line = std::array<std::uint64_t, 8>;  // of filler; each is the last plus kStride
}  // namespace

std::uint32_t campaign_of(std::uint64_t word) {
  return static_cast<std::uint32_t>(uniform_below(word, kCampaigns));
}

void write_payload(std::uint64_t word, std::span<std::byte> out) {
  PHOTON_CHECK(out.size() >= kCampaignBytes, "a payload holds at least its campaign");
  const std::uint32_t campaign = campaign_of(word);
  std::memcpy(out.data(), &campaign, sizeof campaign);
  out = out.subspan(sizeof campaign);
  Line line;
  for (std::uint64_t& filler : line) filler = mix(word += kStride);
  while (out.size() > sizeof line) {
    std::memcpy(out.data(), line.data(), sizeof line);
    out = out.subspan(sizeof line);
    for (std::uint64_t& filler : line) filler += kStride;
  }
  std::memcpy(out.data(), line.data(), out.size());
}

}  // namespace photon::models
