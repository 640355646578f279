// Frames on a channel: whole, in pieces, too large, and none.
#include "campaigns/pool/frames.h"

#include <array>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

#include "campaigns/pool/child_process.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns::testing {
namespace {

struct Channel {
  Channel() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    for (const int end : ends) ::close(end);
  }

  std::array<int, 2> ends{};
};

// A length in eight bytes.
std::string length_of(char lowest) { return lowest + std::string(7, '\0'); }

}  // namespace

TEST_CASE("frames: they arrive in order and whole, also empty, large and in pieces") {
  const Channel channel;
  FrameReader frames;
  photon::Bytes bytes;
  CHECK(frames.take(bytes) == Arrival::none);
  REQUIRE(send_frame(channel.ends[0], photon::Bytes(3, std::byte{7})));
  REQUIRE(send_frame(channel.ends[0], {}));
  REQUIRE(write_all(channel.ends[0], length_of('\2') + "a"));
  REQUIRE(frames.read_some(channel.ends[1]));
  CHECK(frames.take(bytes) == Arrival::frame);
  CHECK(bytes == photon::Bytes(3, std::byte{7}));
  CHECK(frames.take(bytes) == Arrival::frame);
  CHECK(bytes.empty());
  CHECK(frames.take(bytes) == Arrival::none);
  REQUIRE(write_all(channel.ends[0], "b"));
  REQUIRE(frames.read_some(channel.ends[1]));
  CHECK(frames.take(bytes) == Arrival::frame);
  CHECK(bytes == photon::Bytes{std::byte{'a'}, std::byte{'b'}});

  const photon::Bytes large(100'000, std::byte{9});
  REQUIRE(send_frame(channel.ends[0], large));
  while (frames.take(bytes) == Arrival::none) REQUIRE(frames.read_some(channel.ends[1]));
  CHECK(bytes == large);
}

TEST_CASE("frames: a length above the limit is broken before its bytes arrive, and stays it") {
  for (const std::uint64_t most : {std::uint64_t{4}, kMostFrameBytes}) {
    const Channel channel;
    FrameReader frames(most);
    photon::Bytes bytes;
    const std::string length = most == 4 ? length_of('\5') : std::string(8, '\xff');
    REQUIRE(write_all(channel.ends[0], length_of('\4') + "abcd" + length));
    REQUIRE(frames.read_some(channel.ends[1]));
    CHECK(frames.take(bytes) == Arrival::frame);
    CHECK(bytes.size() == 4);
    CHECK(frames.take(bytes) == Arrival::broken);
    CHECK(frames.take(bytes) == Arrival::broken);
  }
}

}  // namespace photonsim::campaigns::testing
