// What rank 0 and the other ranks send each other: frames of a length in eight bytes and as many
// bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core_impl/base/bytes.h"

namespace photonsim::campaigns {

// Bytes that have arrived on a channel, until they are whole frames.
class FrameReader {
 public:
  // Appends what has arrived; blocks if there is nothing. Returns false at the end of data, or when
  // what comes is no frame.
  bool read_some(int channel);
  // The next whole one; nothing: it has not arrived yet.
  std::optional<photon::Bytes> take();

 private:
  std::string text_{};
  bool broken_ = false;
};

// Returns false if the peer no longer reads.
bool send_frame(int channel, const photon::Bytes& bytes);

// What rank 0 sends for a run; the answer is encode_result().
struct RemoteOrder {
  std::uint64_t number = 0;
  bool rerun = false;
  std::uint64_t memory = 0;            // bytes; PoolLimits::memory
  std::uint64_t run_milliseconds = 0;  // PoolLimits::run_time; 0: none
  std::string text{};                  // the scenario

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.rerun, self.memory, self.run_milliseconds, self.text);
  }
};

// The first frame of a connection: who calls.
struct Introduction {
  std::string secret{};
  std::uint64_t rank = 0;
  std::string host{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.secret, self.rank, self.host);
  }
};

}  // namespace photonsim::campaigns
