// Building FileNames and taking them apart: text, and decimal numbers with leading zeros, so that
// names sort as the numbers do.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "core_impl/base/check.h"
#include "core_impl/runtime/volume.h"

namespace photon {

inline std::string_view view_of(const FileName& name) { return {name.data(), name.size()}; }

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

// Nothing, unless all of it is digits and the number no greater than `most`.
inline std::optional<std::uint32_t> parse_number(std::string_view digits,
                                                 std::uint32_t most = ~std::uint32_t{0}) {
  std::uint32_t value = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (error != std::errc{} || end != last || value > most) return std::nullopt;
  return value;
}

}  // namespace photon
