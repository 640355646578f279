// Times and durations as text: exact, in seconds, without trailing zeros.
#pragma once

#include <cstdint>
#include <string>

#include "core_impl/base/time.h"

namespace photon {

// "180s", "0.25s", "-62.398000001s".
inline std::string in_seconds(Duration time) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::int64_t count = time.count();
  const auto size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  std::string text = (count < 0 ? "-" : "") + std::to_string(size / kSecond);
  if (size % kSecond != 0) {
    std::string fraction = std::to_string(kSecond + size % kSecond);
    fraction.front() = '.';
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += fraction;
  }
  return text + "s";
}

}  // namespace photon
