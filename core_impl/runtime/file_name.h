// Building FileNames: text, and decimal numbers with leading zeros, so that names order like
// numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/check.h"
#include "core_impl/runtime/volume.h"

namespace photon {

inline void append_text(FileName& name, std::string_view text) {
  name.append(text.data(), text.size());
}

// Requires that `value` has no more than `digits` digits.
inline void append_number(FileName& name, std::uint64_t value, std::size_t digits) {
  const std::size_t begin = name.size();
  name.append(digits, '0');
  for (std::size_t i = name.size(); i-- > begin; value /= 10) {
    name[i] = static_cast<char>('0' + value % 10);
  }
  PHOTON_CHECK(value == 0, "a number in a file name fits its digits");
}

}  // namespace photon
