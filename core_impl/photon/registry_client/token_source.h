// The tokens of one life of one joiner: unique and strictly increasing (SPEC B-40, B-43).
//
// Uniqueness over lives follows from the grants of the incarnation registry, never from a clock or
// an operating system's process number; inside a life it follows from the sequence. One token is
// drawn per attempt to process a click, and every retry of that attempt reuses it (D-11).
//
// Paper: Photon section 3.3.2 (token = address, process id, time stamp).
#pragma once

#include <cstdint>
#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/event_id.h"

namespace photon {

class TokenSource {
 public:
  // `incarnation` is the granted one, at least 1. A life must have one source only.
  TokenSource(std::uint32_t address, std::uint32_t incarnation)
      : address_(address), incarnation_(incarnation) {
    PHOTON_CHECK(incarnation > 0, "a joiner draws tokens after its incarnation was granted");
  }

  Token next() {
    PHOTON_CHECK(sequence_ < std::numeric_limits<std::uint64_t>::max(), "tokens never repeat");
    return Token{address_, incarnation_, ++sequence_};
  }

 private:
  std::uint32_t address_;
  std::uint32_t incarnation_;
  std::uint64_t sequence_ = 0;
};

}  // namespace photon
