// Conversion to a smaller integer, checked: for sizes and numbers that were computed or came from
// outside. Where losing bits is intended (hashes, packed fields), use a static_cast and a mask.
#pragma once

#include <concepts>
#include <utility>

#include "core_impl/base/check.h"

namespace photon {

template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  PHOTON_CHECK(std::in_range<To>(value), "a number fits the type that it is converted to");
  return static_cast<To>(value);
}

}  // namespace photon
