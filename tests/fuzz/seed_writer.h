// The inverse: writes what Input (input.h) takes apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/codec.h"

namespace photon::fuzz {

class SeedWriter {
 public:
  SeedWriter& byte(std::uint8_t value) {
    bytes_.push_back(static_cast<std::byte>(value));
    return *this;
  }
  SeedWriter& number(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) byte(static_cast<std::uint8_t>(value | 0x80U));
    return byte(static_cast<std::uint8_t>(value));
  }
  SeedWriter& signed_number(std::int64_t value) {
    return number((static_cast<std::uint64_t>(value) << 1U) ^
                  static_cast<std::uint64_t>(value >> 63U));
  }
  SeedWriter& raw(std::span<const std::byte> bytes) {
    append_bytes(bytes, bytes_);
    return *this;
  }
  SeedWriter& text(std::string_view letters) { return raw(std::as_bytes(std::span(letters))); }
  // Preceded by their number.
  SeedWriter& bytes(std::span<const std::byte> bytes) { return number(bytes.size()).raw(bytes); }

  // The fields of a record, as InputFields reads them.
  template <class T>
  SeedWriter& fields(const T& value) {
    T::each_field(value, *this);
    return *this;
  }
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }

  std::span<const std::byte> view() const { return bytes_; }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (codec_detail::Scalar<T>) {
      number(static_cast<std::uint64_t>(value));
    } else if constexpr (codec_detail::Id<T>) {
      number(value.value());
    } else if constexpr (codec_detail::TimePoint<T>) {
      signed_number(nanoseconds_of(value));
    } else if constexpr (std::same_as<T, Duration>) {
      signed_number(value.count());
    } else if constexpr (std::same_as<T, EventId>) {
      (*this)(value.server, value.process, value.stamp);
    } else if constexpr (std::same_as<T, Token>) {
      (*this)(value.address, value.incarnation, value.sequence);
    } else if constexpr (std::same_as<T, SharedBytes>) {
      bytes(value.view());
    } else if constexpr (codec_detail::SelfCoded<T>) {  // encoded as a byte string
      Bytes encoded;
      Encoder encoder(encoded);
      value.encode(encoder);
      bytes(std::span(encoded).subspan(sizeof(std::uint32_t)));
    } else if constexpr (codec_detail::Composite<const T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kRawElements<T>) {
      bytes(std::as_bytes(std::span(value.data(), value.size())));
    } else {
      byte(static_cast<std::uint8_t>(value.size()));
      for (const auto& element : value) put(element);
    }
  }

  Bytes bytes_;
};

}  // namespace photon::fuzz
