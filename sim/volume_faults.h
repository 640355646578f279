// Faults on requests to volumes, while they last.
//
// Whether a request is hit is drawn from (fault, process, its life, ordinal of the request), so
// a fault disturbs no other draw. The head of volumes.h states what a hit does and when it
// takes effect.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/fault_effects.h"
#include "sim/slowness.h"

namespace photon::sim {

struct VolumeFault {
  enum class Kind : std::uint8_t {
    write_error,        // a write is answered `unavailable`, with or without effect
    full,               // appends and replacements are answered `full`
    slow,               // requests take `permille` of their time
    lost_sync,          // acknowledged bytes are not durable until the fault ends
    misdirected_write,  // the bytes of an append land where others are stored
  };
  Kind kind = Kind::write_error;
  Chance share{};                   // of the requests that it can hit
  std::uint64_t permille = 10'000;  // slow: ten times as long; at least 1,000

  friend bool operator==(const VolumeFault&, const VolumeFault&) = default;
};

class VolumeFaults {
 public:
  explicit VolumeFaults(std::uint64_t seed) : seed_(seed) {}

  bool any() const { return !active_.empty(); }
  // Later draws come from another seed, those of active faults too.
  void renew(std::uint64_t seed);
  void add(std::uint32_t fault, VolumeId volume, const VolumeFault& effect);
  void remove(std::uint32_t fault);

  // One request as the volume sees it.
  struct Request {
    VolumeId volume{};
    NodeId from{};
    std::uint32_t life = 0;     // of the process
    std::uint64_t ordinal = 0;  // in that life
  };
  struct Hit {
    std::uint32_t fault = kNoFault;  // none: nothing of that kind hits this request
    std::uint64_t word = 0;          // for its effect

    explicit operator bool() const { return fault != kNoFault; }
  };
  // Of several faults the one that began first.
  Hit hit(VolumeFault::Kind kind, const Request& request) const;

  // The duration of what usually takes `usual`. Of several faults the greatest factor counts.
  Slowness::Stretched stretch(const Request& request, Duration usual) const;

 private:
  struct Active {
    std::uint32_t fault = 0;
    VolumeId volume{};
    VolumeFault effect{};
    RandomStream stream{};
  };
  static Hit hit_by(const Active& active, VolumeFault::Kind kind, const Request& request);

  std::uint64_t seed_;
  std::vector<Active> active_;  // in the order in which they began
};

}  // namespace photon::sim
