// Takes a target's bytes apart into what it needs: numbers, texts, files. Every sequence of bytes
// is an input; after its end everything is zero and empty.
//
// Numbers are base-128, the low digits first, so that small ones, which get further into the code,
// take one byte, and every value of 64 bits can be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core_impl/base/codec.h"
#include "core_impl/base/record_codec.h"

namespace photon::fuzz {

class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool is_empty() const { return rest_.empty(); }
  std::span<const std::byte> rest() const { return rest_; }

  std::uint8_t byte() {
    const auto one = take(1);
    return one.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(one.front());
  }
  // Below `limit`.
  std::uint32_t below(std::uint32_t limit) { return byte() % limit; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t digit = byte();
      value |= (digit & 0x7fU) << shift;
      if (digit < 0x80U) break;
    }
    return value;
  }
  // Near zero on both sides for small numbers.
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }
  // Up to `count` bytes.
  std::span<const std::byte> take(std::size_t count) {
    const auto front = rest_.first(count < rest_.size() ? count : rest_.size());
    rest_ = rest_.subspan(front.size());
    return front;
  }
  // Their number precedes them.
  std::span<const std::byte> bytes() { return take(static_cast<std::size_t>(number())); }

 private:
  std::span<const std::byte> rest_;
};

// A visitor (base/codec.h) that fills the fields of a record from the input.
class InputFields {
 public:
  explicit InputFields(Input& input) : input_(input) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (fill(fields), ...);
  }

 private:
  static constexpr std::uint32_t kMostElements = 16;

  template <class T>
  void fill(T& value) {
    if constexpr (std::same_as<T, bool>) {
      value = (input_.byte() & 1U) != 0;
    } else if constexpr (codec_detail::Scalar<T>) {
      value = static_cast<T>(input_.number());
    } else if constexpr (codec_detail::Id<T>) {
      value = T(static_cast<typename T::representation>(input_.number()));
    } else if constexpr (codec_detail::TimePoint<T>) {
      value = from_nanoseconds<T>(input_.signed_number());
    } else if constexpr (std::same_as<T, Duration>) {
      value = Duration(input_.signed_number());
    } else if constexpr (std::same_as<T, EventId>) {
      (*this)(value.server, value.process, value.stamp);
    } else if constexpr (std::same_as<T, Token>) {
      (*this)(value.address, value.incarnation, value.sequence);
    } else if constexpr (std::same_as<T, SharedBytes>) {
      value = SharedBytes(input_.bytes());
    } else if constexpr (codec_detail::SelfCoded<T>) {  // encoded as a byte string
      const auto bytes = input_.bytes();
      value = T(Bytes(bytes.begin(), bytes.end()));
    } else if constexpr (codec_detail::Composite<T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kIsVariant<T>) {
      codec_detail::emplace_alternative(value, input_.below(std::variant_size_v<T>));
      std::visit([this](auto& held) { fill(held); }, value);
    } else {
      fill_list(value);
    }
  }

  template <class T>
  void fill_list(T& list) {
    if constexpr (codec_detail::kRawElements<T>) {
      const auto bytes = input_.bytes();
      list.resize(bytes.size() < list.max_size() ? bytes.size() : list.max_size());
      if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size());
    } else {
      list.resize(input_.below(kMostElements));
      for (auto& element : list) fill(element);
    }
  }

  Input& input_;
};

template <class T>
T value_from(Input& input) {
  T value{};
  InputFields fill(input);
  T::each_field(value, fill);
  return value;
}

template <class T>
Bytes encoding_of(const T& value) {
  Bytes bytes;
  Encoder encode(bytes);
  T::each_field(value, encode);
  return bytes;
}

}  // namespace photon::fuzz
