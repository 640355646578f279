#include "core_impl/base/payload.h"

#include <algorithm>
#include <string_view>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

// Payloads that repeat the low byte of their word.
class Repeated final : public PayloadSource {
 public:
  using PayloadSource::PayloadSource;
  void write(std::uint64_t word, std::span<std::byte> out) const override {
    ++asked;
    std::ranges::fill(out, static_cast<std::byte>(word));
  }
  mutable int asked = 0;
};

Bytes repeated(std::size_t size, unsigned value) {
  return Bytes(size, static_cast<std::byte>(value));
}

Bytes encoded(const Payload& payload, Encoder::Payloads form = Encoder::Payloads::as_bytes) {
  Bytes out;
  Encoder encoder(out, form);
  encoder(payload);
  return out;
}

}  // namespace

TEST_CASE("a payload by reference makes its bytes when they are needed") {
  const Repeated source(1);
  const Payload payload(PayloadView(source, 0x107, 5));
  CHECK(payload.is_reference());
  CHECK(payload.size() == 5);
  CHECK(source.asked == 0);
  Bytes scratch = repeated(9, 1);
  CHECK(std::ranges::equal(payload.bytes(scratch), repeated(5, 7)));
  CHECK(source.asked == 1);
}

TEST_CASE("a payload of bytes owns a copy, and its copies own theirs") {
  Bytes bytes = repeated(6, 3);
  Payload first(bytes);
  bytes[0] = std::byte{9};
  Payload second = first;
  CHECK(second == Payload(repeated(6, 3)));
  first = Payload(repeated(2, 4));
  CHECK(second == Payload(repeated(6, 3)));
  const Payload moved = std::move(second);
  CHECK(moved == Payload(repeated(6, 3)));
  second = moved;  // NOLINT(bugprone-use-after-move): assigned anew
  first = std::move(second);
  CHECK(first == moved);
  Bytes scratch;
  const Payload& same = first;
  first = same;
  CHECK(std::ranges::equal(first.bytes(scratch), repeated(6, 3)));
  CHECK(scratch.empty());  // read in place
}

TEST_CASE("payloads are equal by content, whatever their form and source") {
  const Repeated one(1);
  const Repeated two(2);
  const Payload reference(PayloadView(one, 7, 4));
  CHECK(reference == Payload(PayloadView(one, 7, 4)));
  CHECK(one.asked == 0);  // the same reference
  CHECK(reference == Payload(PayloadView(two, 7, 4)));
  CHECK(reference == Payload(PayloadView(one, 0x207, 4)));
  CHECK(reference == Payload(repeated(4, 7)));
  CHECK_FALSE(reference == Payload(PayloadView(one, 8, 4)));
  CHECK_FALSE(reference == Payload(repeated(5, 7)));
  CHECK_FALSE(reference == Payload(repeated(4, 6)));
  CHECK(Payload() == Payload(Bytes{}));
  CHECK(Payload() == Payload(PayloadView(one, 7, 0)));
}

TEST_CASE("a payload is encoded like a byte string in both forms, and decoded as bytes") {
  const Repeated source(1);
  for (const std::uint32_t size : {0U, 1U, 40U, 5000U}) {
    CAPTURE(size);
    Bytes expected;
    Encoder encoder(expected);
    encoder(repeated(size, 7));
    CHECK(encoded(Payload(repeated(size, 7))) == expected);
    CHECK(encoded(Payload(PayloadView(source, 7, size))) == expected);
    Payload decoded;
    Decoder decoder(expected);
    decoder(decoded);
    REQUIRE(decoder.ok());
    CHECK(decoder.remaining() == 0);
    CHECK_FALSE(decoded.is_reference());
    CHECK(decoded == Payload(repeated(size, 7)));
    for (std::size_t cut = 0; cut < std::min<std::size_t>(expected.size(), 8); ++cut) {
      Decoder short_of(std::span<const std::byte>(expected.data(), cut));
      short_of(decoded);
      CHECK_FALSE(short_of.ok());
    }
  }
}

TEST_CASE("for digests a reference is encoded as itself: source, word and size, no address") {
  const Repeated source(3);
  const Repeated elsewhere(3);
  const Repeated other(4);
  const auto of = [](const PayloadSource& from, std::uint64_t word, std::uint32_t size) {
    return encoded(Payload(PayloadView(from, word, size)), Encoder::Payloads::as_references);
  };
  CHECK(of(source, 7, 40) == of(elsewhere, 7, 40));
  CHECK(of(source, 7, 40) != of(other, 7, 40));
  CHECK(of(source, 7, 40) != of(source, 8, 40));
  CHECK(of(source, 7, 40) != of(source, 7, 41));
  CHECK(source.asked == 0);
  const Payload owned(repeated(40, 7));
  CHECK(encoded(owned, Encoder::Payloads::as_references) == encoded(owned));
}

TEST_CASE("a payload is written whole") {
  const photon::testing::ChecksThrow checks;
  const Repeated source(1);
  Bytes room(3);
  CHECK_THROWS_AS(PayloadView(source, 7, 4).write(room), photon::testing::CheckFailed);
}

}  // namespace photon
