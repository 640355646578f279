// Binary codec: little-endian, fixed width, driven by a type's `each_field`.
//
// A type takes part by giving
//   template <class Self, class Visitor>
//   static void each_field(Self& self, Visitor&& visit) { visit(self.a, self.b); }
// from which encoding, decoding, hashing and comparison of message bodies and stored records all
// come. Integers, enums, strong ids, time points, EventId, Token, byte strings, fixed strings and
// vectors and variants of any of these are known: a variant is the number of its alternative, then
// that. A type that is more than the list of its fields gives instead
//   void encode(Encoder&) const;  bool decode(Decoder&);      false: malformed
// Decoding never reads past its input: a short or oversized field makes `ok()` false and leaves the
// value unspecified.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>

#include "core_impl/base/bytes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon {

class Encoder;
class Decoder;

namespace codec_detail {
template <class T>
concept Scalar = std::is_integral_v<T> || std::is_enum_v<T>;  // no raw double crosses the seam
template <class T>
concept Id = requires(T id) {
  typename T::representation;
  { id.value() } -> std::same_as<typename T::representation>;
};
template <class T>
concept TimePoint = requires(T time) {
  time.time_since_epoch();
};
template <class T>
concept Sequence = requires(T list) {
  typename T::value_type;
  list.resize(1);
  list.data();
};
// Lists whose elements are copied byte for byte: every bit pattern is a valid value.
template <class T>
constexpr bool kRawElements = sizeof(typename T::value_type) == 1 &&
                              !std::is_class_v<typename T::value_type> &&
                              !std::same_as<typename T::value_type, bool>;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... Alternatives>
inline constexpr bool kIsVariant<std::variant<Alternatives...>> = sizeof...(Alternatives) <=
                                                                  0xff;  // the index is one byte

// Makes `value` hold alternative number `index`, as it is by default; false if there is none.
template <class... Alternatives>
bool emplace_alternative(std::variant<Alternatives...>& value, std::size_t index) {
  std::size_t place = 0;
  return ((place++ == index && (value.template emplace<Alternatives>(), true)) || ...);
}

struct Probe {
  template <class... Fields>
  void operator()(Fields&...) const {}
};
template <class T>
concept Composite = requires(T& value) {
  T::each_field(value, Probe{});
};
template <class T>
concept SelfCoded = requires(const T& value, T& decoded, Encoder& encoder, Decoder& decoder) {
  value.encode(encoder);
  { decoded.decode(decoder) } -> std::same_as<bool>;
};
}  // namespace codec_detail

class Encoder {
 public:
  // How payloads by reference are encoded (base/payload.h). With `as_references` the result says
  // which bytes they are and does not hold them: for digests. It cannot be decoded.
  enum class Payloads : std::uint8_t { as_bytes, as_references };

  explicit Encoder(Bytes& out, Payloads payloads = Payloads::as_bytes)
      : out_(out), payloads_(payloads) {}

  Payloads payloads() const { return payloads_; }

  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }

  void raw(std::span<const std::byte> bytes) { append_bytes(bytes, out_); }
  // Space for that many bytes, which the caller writes before the next call.
  std::span<std::byte> room(std::size_t count) {
    out_.resize(out_.size() + count);
    return std::span<std::byte>(out_).last(count);
  }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (codec_detail::Scalar<T>) {
      const auto* begin = reinterpret_cast<const std::byte*>(&value);
      raw({begin, sizeof(T)});
    } else if constexpr (codec_detail::Id<T>) {
      put(value.value());
    } else if constexpr (codec_detail::TimePoint<T>) {
      put(nanoseconds_of(value));
    } else if constexpr (std::same_as<T, EventId>) {
      (*this)(value.server, value.process, value.stamp);
    } else if constexpr (std::same_as<T, Token>) {
      (*this)(value.address, value.incarnation, value.sequence);
    } else if constexpr (std::same_as<T, Duration>) {
      put(value.count());
    } else if constexpr (std::same_as<T, SharedBytes>) {
      put(narrow<std::uint32_t>(value.size()));
      raw(value.view());
    } else if constexpr (codec_detail::SelfCoded<T>) {
      value.encode(*this);
    } else if constexpr (codec_detail::Composite<const T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kIsVariant<T>) {
      put(narrow<std::uint8_t>(value.index()));
      std::visit([this](const auto& held) { put(held); }, value);
    } else {
      static_assert(codec_detail::Sequence<T>, "this field type has no codec");
      put_sequence(value);
    }
  }

  template <class T>
  void put_sequence(const T& list) {
    PHOTON_CHECK(list.size() <= 0xffffffffU, "the length of a list fits 32 bits");
    put(narrow<std::uint32_t>(list.size()));
    if constexpr (codec_detail::kRawElements<T>) {
      raw(std::as_bytes(std::span(list.data(), list.size())));
    } else {
      for (const auto& element : list) put(element);
    }
  }

  static_assert(std::endian::native == std::endian::little, "the codec copies native words");
  Bytes& out_;
  Payloads payloads_;
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> in) : in_(in) {}

  bool ok() const { return ok_; }
  std::size_t remaining() const { return in_.size(); }

  template <class... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }

  // The next bytes, inside the input; not ok() and none if it has fewer.
  std::span<const std::byte> raw(std::size_t count) { return take(count); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (!ok_ || count > in_.size()) {
      ok_ = false;
      return {};
    }
    const auto front = in_.first(count);
    in_ = in_.subspan(count);
    return front;
  }

  template <class T>
  void get(T& value) {
    if constexpr (codec_detail::Scalar<T>) {
      get_scalar(value);
    } else if constexpr (codec_detail::Id<T>) {
      typename T::representation raw{};
      get(raw);
      value = T(raw);
    } else if constexpr (codec_detail::TimePoint<T>) {
      std::int64_t count = 0;
      get(count);
      value = from_nanoseconds<T>(count);
    } else if constexpr (std::same_as<T, EventId>) {
      (*this)(value.server, value.process, value.stamp);
    } else if constexpr (std::same_as<T, Token>) {
      (*this)(value.address, value.incarnation, value.sequence);
    } else if constexpr (std::same_as<T, Duration>) {
      std::int64_t count = 0;
      get(count);
      value = Duration(count);
    } else if constexpr (std::same_as<T, SharedBytes>) {
      std::uint32_t size = 0;
      get(size);
      value = SharedBytes(take(size));
    } else if constexpr (codec_detail::SelfCoded<T>) {
      ok_ = value.decode(*this) && ok_;
    } else if constexpr (codec_detail::Composite<T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kIsVariant<T>) {
      std::uint8_t index = 0;
      get(index);
      ok_ = ok_ && codec_detail::emplace_alternative(value, index);
      if (ok_) std::visit([this](auto& held) { get(held); }, value);
    } else {
      static_assert(codec_detail::Sequence<T>, "this field type has no codec");
      get_sequence(value);
    }
  }

  template <class T>
  void get_scalar(T& value) {
    const auto bytes = take(sizeof(T));
    if (!ok_) return;
    if constexpr (std::same_as<T, bool>) {
      const auto byte = std::to_integer<unsigned>(bytes[0]);
      ok_ = byte <= 1;  // any other pattern is no bool
      value = byte == 1;
    } else {
      std::memcpy(&value, bytes.data(), sizeof(T));
    }
  }

  template <class T>
  void get_sequence(T& list) {
    std::uint32_t size = 0;
    get(size);
    // Every element takes at least one byte; a list of fixed capacity may hold fewer.
    ok_ = ok_ && size <= in_.size() && size <= list.max_size();
    if (!ok_) return;
    if constexpr (codec_detail::kRawElements<T>) {
      const auto bytes = take(size);
      list.resize(size);
      if (size > 0) std::memcpy(list.data(), bytes.data(), size);
    } else {
      get_elements(list, size);
    }
  }

  // A list grows with the elements really decoded, so that a false length costs no memory.
  template <class T>
  void get_elements(T& list, std::uint32_t size) {
    list.clear();
    for (std::uint32_t i = 0; i < size && ok_; ++i) {
      list.resize(i + 1U);
      get(list.data()[i]);
    }
  }

  std::span<const std::byte> in_;
  bool ok_ = true;
};

}  // namespace photon
