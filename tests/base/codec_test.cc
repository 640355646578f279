#include "core_impl/base/codec.h"

#include <memory>

#include <boost/container/static_vector.hpp>
#include <rapidcheck.h>

#include "core_impl/base/static_string.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

enum class Colour : std::uint8_t { red, green };
using NodeName = StaticString<8>;

struct Inner {
  std::int32_t number = 0;
  Bytes text{};
  friend bool operator==(const Inner&, const Inner&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.text);
  }
};

// One field of every kind that the codec knows.
struct Everything {
  std::uint8_t byte = 0;
  std::int64_t word = 0;
  bool flag = false;
  Colour colour = Colour::red;
  NodeId node{};
  MonotonicTime monotonic{};
  LocalTime local{};
  Duration duration{};
  EventId id{};
  Token token{};
  Bytes bytes{};
  SharedBytes shared{};
  NodeName name{};
  PooledVector<Inner> inners{};
  PooledVector<EventId> ids{};
  PooledVector<PooledVector<std::uint16_t>> lists{};
  boost::container::static_vector<std::uint32_t, 3> few{};

  friend bool operator==(const Everything&, const Everything&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.byte, self.word, self.flag, self.colour, self.node, self.monotonic, self.local,
          self.duration, self.id, self.token, self.bytes, self.shared, self.name, self.inners,
          self.ids, self.lists, self.few);
  }
};

Bytes draw_bytes(int most) {
  const auto drawn = *rc::gen::resize(most, rc::gen::arbitrary<std::vector<std::uint8_t>>());
  Bytes out;
  for (const std::uint8_t byte : drawn) out.push_back(std::byte{byte});
  return out;
}

EventId draw_id() {
  return {*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<std::uint32_t>(),
          Stamp(Duration(*rc::gen::arbitrary<std::int64_t>()))};
}

Everything draw() {
  Everything value;
  value.byte = *rc::gen::arbitrary<std::uint8_t>();
  value.word = *rc::gen::arbitrary<std::int64_t>();
  value.flag = *rc::gen::arbitrary<bool>();
  value.colour = value.flag ? Colour::green : Colour::red;
  value.node = NodeId(*rc::gen::arbitrary<std::uint32_t>());
  value.monotonic = from_nanoseconds<MonotonicTime>(*rc::gen::arbitrary<std::int64_t>());
  value.local = from_nanoseconds<LocalTime>(*rc::gen::arbitrary<std::int64_t>());
  value.duration = Duration(*rc::gen::arbitrary<std::int64_t>());
  value.id = draw_id();
  value.token = {value.id.server, value.id.process, *rc::gen::arbitrary<std::uint64_t>()};
  value.bytes = draw_bytes(40);
  value.shared = SharedBytes(draw_bytes(40));
  value.name = *rc::gen::element<const char*>("", "a", "primary", "12345678");
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) value.inners.push_back({i - 2, draw_bytes(9)});
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) value.ids.push_back(draw_id());
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    value.lists.emplace_back(i - 1, std::uint16_t{7});
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) value.few.push_back(1U << i);
  return value;
}

template <class T>
Bytes encode(const T& value) {
  Bytes out;
  Encoder encoder(out);
  encoder(value);
  return out;
}

// Decodes from a heap block of exactly the right size, so that the address sanitizer sees any byte
// read outside of it.
template <class T>
bool decode(std::span<const std::byte> bytes, T& value) {
  const auto exact = std::make_unique<std::byte[]>(bytes.size());
  std::ranges::copy(bytes, exact.get());
  Decoder decoder(std::span<const std::byte>(exact.get(), bytes.size()));
  decoder(value);
  return decoder.ok() && decoder.remaining() == 0;
}

TEST_CASE("J-S17 codec round trip over all kinds of field") {
  CHECK(rc::check("encode, decode, encode", [] {
    const Everything value = draw();
    const Bytes bytes = encode(value);
    Everything back = draw();  // earlier content must not show
    RC_ASSERT(decode(bytes, back));
    RC_ASSERT(back == value);
    RC_ASSERT(encode(back) == bytes);
  }));
}

TEST_CASE("every truncation of an encoding is refused") {
  CHECK(rc::check("truncation", [] {
    const Bytes bytes = encode(draw());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      Everything back;
      RC_ASSERT_FALSE(decode(std::span(bytes).first(length), back));
    }
  }));
}

TEST_CASE("damaged and random input never reads out of bounds; what is accepted is canonical") {
  CHECK(rc::check("damage", [] {
    Bytes bytes = encode(draw());
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      const auto place = *rc::gen::inRange<std::size_t>(0, bytes.size());
      bytes[place] ^= std::byte{*rc::gen::inRange<std::uint8_t>(1, 255)};
    }
    Everything back;
    if (decode(bytes, back)) RC_ASSERT(encode(back) == bytes);
  }));
  CHECK(rc::check("noise", [](const std::vector<std::uint8_t>& noise) {
    Everything back;
    static_cast<void>(decode(std::as_bytes(std::span(noise)), back));
  }));
}

TEST_CASE("a false length is refused without reading or reserving what it claims") {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(std::uint32_t{0xffffffff}, std::uint32_t{1});
  Bytes text;
  CHECK_FALSE(decode(bytes, text));
  CHECK(text.capacity() < 100);
  PooledVector<EventId> ids;
  CHECK_FALSE(decode(bytes, ids));
  SharedBytes shared;
  CHECK_FALSE(decode(bytes, shared));
  bytes[0] = std::byte{4};  // 4 elements: fits the bytes left, not what an element needs
  bytes[1] = bytes[2] = bytes[3] = std::byte{0};
  CHECK_FALSE(decode(bytes, ids));
  CHECK(ids.capacity() <= 4);
}

TEST_CASE("a list of fixed capacity refuses more than its capacity") {
  PooledVector<std::uint32_t> four{1, 2, 3, 4};
  boost::container::static_vector<std::uint32_t, 3> few;
  CHECK_FALSE(decode(encode(four), few));
  four.pop_back();
  CHECK(decode(encode(four), few));
  CHECK(few.size() == 3);
  NodeName name;
  CHECK_FALSE(decode(encode(PooledVector<char>(9, 'x')), name));
  CHECK(decode(encode(PooledVector<char>(8, 'x')), name));
}

TEST_CASE(
    "J-S17 a variant is the number of its alternative, then that; other numbers are refused") {
  using Either = std::variant<std::uint16_t, SharedBytes>;
  const Either number = std::uint16_t{0x0203};
  const std::byte text[] = {std::byte{9}};
  const Either bytes = SharedBytes(text);
  CHECK(encode(number) == Bytes{std::byte{0}, std::byte{3}, std::byte{2}});
  for (const Either& value : {number, bytes}) {
    Bytes encoded = encode(value);
    Either back;
    CHECK(decode(encoded, back));
    CHECK(back == value);
    encoded[0] = std::byte{2};
    CHECK_FALSE(decode(encoded, back));
    encoded[0] = std::byte{0xff};
    CHECK_FALSE(decode(encoded, back));
  }
  Either back;
  CHECK_FALSE(decode({}, back));
}

TEST_CASE("a bool is 0 or 1, nothing else") {
  bool flag = false;
  const std::byte one[] = {std::byte{1}};
  const std::byte two[] = {std::byte{2}};
  CHECK(decode(one, flag));
  CHECK(flag);
  CHECK_FALSE(decode(two, flag));
}

TEST_CASE("the encoding is fixed: little-endian, fixed width, lengths of 32 bits") {
  Inner inner{-2, {std::byte{0xaa}}};
  const Bytes bytes = encode(inner);
  const unsigned expected[] = {0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0xaa};
  REQUIRE(bytes.size() == std::size(expected));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CHECK(std::to_integer<unsigned>(bytes[i]) == expected[i]);
  }
}

}  // namespace
}  // namespace photon
