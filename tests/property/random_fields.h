// A visitor that fills the fields of a message or record with random values of their types.
//
// Everything is drawn from one seed, so that a failure is replayed by the seed it prints.
#pragma once

#include <type_traits>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"

namespace photon::testing {

class RandomFields {
 public:
  explicit RandomFields(std::uint64_t seed) : stream_(seed, Purpose::test, 1) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (fill(fields), ...);
  }

 private:
  // Now and then an extreme value: zero, or all ones.
  std::uint64_t word() {
    const std::uint64_t drawn = stream_.word(ordinal_++);
    if (drawn % 16 == 0) return 0;
    return drawn % 16 == 1 ? ~std::uint64_t{0} : mix(drawn);
  }
  std::size_t length(std::size_t most) { return uniform_below(mix(word()), most + 1); }

  Bytes bytes() {
    Bytes out(length(24));
    for (std::byte& byte : out) byte = static_cast<std::byte>(word());
    return out;
  }

  template <class T>
  void fill(T& value) {
    if constexpr (std::same_as<T, bool>) {
      value = (word() & 1U) != 0;
    } else if constexpr (codec_detail::Scalar<T>) {
      value = static_cast<T>(word());
    } else if constexpr (codec_detail::Id<T>) {
      value = T(static_cast<typename T::representation>(word()));
    } else if constexpr (codec_detail::TimePoint<T>) {
      value = from_nanoseconds<T>(static_cast<std::int64_t>(word()));
    } else if constexpr (std::same_as<T, Duration>) {
      value = Duration(static_cast<std::int64_t>(word()));
    } else if constexpr (std::same_as<T, EventId>) {
      (*this)(value.server, value.process, value.stamp);
    } else if constexpr (std::same_as<T, Token>) {
      (*this)(value.address, value.incarnation, value.sequence);
    } else if constexpr (std::same_as<T, SharedBytes>) {
      value = SharedBytes(bytes());
    } else if constexpr (codec_detail::SelfCoded<T>) {
      value = T(bytes());
    } else if constexpr (codec_detail::Composite<T>) {
      T::each_field(value, *this);
    } else if constexpr (codec_detail::kIsVariant<T>) {
      codec_detail::emplace_alternative(value, length(std::variant_size_v<T> - 1));
      std::visit([this](auto& held) { fill(held); }, value);
    } else {
      value.resize(length(4));
      for (auto& element : value) fill(element);
    }
  }

  RandomStream stream_;
  std::uint64_t ordinal_ = 0;
};

}  // namespace photon::testing
