// Messages between the output mirrors of two datacenters.
//
// Paper: Photon section 3.3.1 (output in the logs datacenters); SPEC D-08, D-16.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/bytes.h"
#include "core_impl/runtime/body.h"

namespace photon {

// Bytes of one joiner's output file, from `offset` on. Without bytes: how long is the copy?
struct CopyPiece {
  static constexpr MessageType kType = 340;
  static constexpr std::string_view kName = "copy_piece";
  std::uint64_t request = 0;
  std::uint32_t address = 0;      // of the joiner whose file it is, ...
  std::uint32_t incarnation = 0;  // ... and its life
  std::uint64_t offset = 0;
  Bytes data{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.address, self.incarnation, self.offset, self.data);
  }
};

// The copy is durable up to `length`.
struct CopyAck {
  static constexpr MessageType kType = 341;
  static constexpr std::string_view kName = "copy_ack";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  std::uint64_t length = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.length);
  }
};

}  // namespace photon
