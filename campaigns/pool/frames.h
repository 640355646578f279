// What processes of this program send each other, between rank 0 and the other ranks, and between a
// process and its workers: frames of a length in eight bytes and as many bytes.
#pragma once

#include <cstdint>
#include <string>

#include "core_impl/base/bytes.h"

namespace photonsim::campaigns {

inline constexpr std::uint64_t kMostFrameBytes = std::uint64_t{1} << 32;

enum class Arrival : std::uint8_t {
  none,    // the next frame has not arrived whole
  frame,   // it is taken
  broken,  // what comes is no frame, or one above the limit: nothing more can be read
};

// Bytes that have arrived on a channel, until they are whole frames.
class FrameReader {
 public:
  // Frames may have so many bytes.
  explicit FrameReader(std::uint64_t most_bytes = kMostFrameBytes) : most_bytes_(most_bytes) {}

  // Appends what has arrived; blocks if there is nothing. Returns false at the end of data. To be
  // called again only when take() says `none`: it does not see that the bytes are broken.
  bool read_some(int channel);
  // Of `frame`: its bytes.
  Arrival take(photon::Bytes& bytes);

 private:
  std::uint64_t most_bytes_;
  std::string text_{};
};

// Returns false if the peer no longer reads.
bool send_frame(int channel, const photon::Bytes& bytes);

// What rank 0 sends for a run; the answer is encode_result(). Until then the rank sends an empty
// frame now and then, as a sign of life.
struct RemoteOrder {
  std::uint64_t number = 0;
  bool rerun = false;
  std::uint64_t memory = 0;               // bytes; PoolLimits::memory
  std::uint64_t run_milliseconds = 0;     // PoolLimits::run_time; 0: none
  std::uint64_t signal_milliseconds = 0;  // between two signs of life
  std::string text{};                     // the scenario

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.rerun, self.memory, self.run_milliseconds, self.signal_milliseconds,
          self.text);
  }
};

// The first frame of a connection: who calls.
struct Introduction {
  static constexpr std::uint64_t kMostBytes = 4096;  // a stranger may send them

  std::string secret{};
  std::uint64_t rank = 0;
  std::string host{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.secret, self.rank, self.host);
  }
};

}  // namespace photonsim::campaigns
