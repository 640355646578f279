#include "models/payload.h"

#include <cstring>
#include <set>

#include "core_impl/base/hash.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

TEST_CASE("D-05 a payload starts with its campaign and depends on word and size only") {
  for (const std::size_t size : {4, 5, 12, 64, 68, 69, 132, 200, 512}) {
    CAPTURE(size);
    Bytes bytes(size + 1, std::byte{1});
    write_payload(99, std::span(bytes).subspan(1));
    CHECK(bytes.front() == std::byte{1});
    std::uint32_t campaign = 0;
    std::memcpy(&campaign, bytes.data() + 1, sizeof campaign);
    CHECK(campaign == campaign_of(99));
    CHECK(campaign < kCampaigns);
    Bytes again(size, std::byte{0xff});
    write_payload(99, again);
    CHECK(std::memcmp(again.data(), bytes.data() + 1, size) == 0);
  }
  const photon::testing::ChecksThrow checks;
  Bytes small(3);
  CHECK_THROWS_AS(write_payload(1, small), photon::testing::CheckFailed);
}

TEST_CASE("payloads of different words differ, and no word inside one repeats") {
  std::set<std::uint64_t> seen;
  std::size_t looked = 0;
  for (std::uint64_t word = 0; word < 500; ++word) {
    Bytes bytes(512);
    write_payload(mix(word), bytes);
    for (std::size_t place = kCampaignBytes; place + 8 <= bytes.size(); place += 8, ++looked) {
      std::uint64_t filler = 0;
      std::memcpy(&filler, bytes.data() + place, sizeof filler);
      seen.insert(filler);
    }
  }
  CHECK(seen.size() == looked);
}

}  // namespace
}  // namespace photon::models
