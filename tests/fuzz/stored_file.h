// Files as a fuzzer's bytes describe them: pieces, some of them any bytes, some of them sound
// records of the types that belong there. So checksums do not stop the fuzzer.
#pragma once

#include "core_impl/base/record_codec.h"
#include "tests/fuzz/input.h"

namespace photon::fuzz {

// Appends a framed record of the type at that place in the list, filled from the input.
template <class... Records>
void append_one_of(std::uint32_t which, Input& input, Bytes& file) {
  std::uint32_t place = 0;
  (void)((place++ == which % sizeof...(Records) &&
          (append_encoded(value_from<Records>(input), file), true)) ||
         ...);
}

// Until the input says that the file ends.
template <class... Records>
Bytes stored_file(Input& input) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16U;
  Bytes file;
  while (!input.is_empty() && file.size() < kMostBytes) {
    const std::uint32_t piece = input.byte();
    if (piece == 0) break;
    if (piece == 1) {
      append_bytes(input.bytes(), file);
    } else if (piece == 2) {
      append_record(input.bytes(), file);
    } else {
      append_one_of<Records...>(piece - 3, input, file);
    }
  }
  return file;
}

}  // namespace photon::fuzz
