// What a worker process of a campaign says on its pipe: that it begins a run, how one ended, or
// that one cannot be done at all.
//
// A frame is its length (4 bytes), the XXH3 digest of what follows (8 bytes), and the message in
// the binary codec of core_impl/base, little-endian. Both ends are one program, so there is no
// version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/results/run_record.h"
#include "core_impl/base/bytes.h"

namespace photonsim::campaigns {

struct WorkerMessage {
  enum class Kind : std::uint8_t { begun, ended, refused };

  Kind kind = Kind::begun;
  std::uint64_t run = 0;                 // its number in the campaign, from 0
  std::string text{};                    // refused: why
  std::int32_t exit_code = 0;            // refused: of the process
  photon::analysis::RunRecord record{};  // ended: all that is known of the run
};

// The whole frame.
photon::Bytes frame_of(const WorkerMessage& message);

enum class Taken : std::uint8_t {
  whole,    // a message was taken off the front
  partial,  // the front is the beginning of a frame: more must come
  garbled,  // the front is no frame of a message
};
// Takes one frame off the front of `said`, which is left as it is unless the frame is whole.
Taken take_message(std::string_view& said, WorkerMessage& message);

}  // namespace photonsim::campaigns
