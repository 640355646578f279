// What befalls requests to volumes for a while, on behalf of faults.
//
// Whether a request is struck is drawn from (fault, process, its life, ordinal of the request): one
// fault disturbs no draw of another and of nobody else. What a strike does, and when it is an
// effect, is said at the head of volumes.h and done there.
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

struct DiskMishap {
  enum class Kind : std::uint8_t {
    write_error,        // what would write is answered `unavailable`, with or without effect
    full,               // appends and replacements are answered `full`
    slow,               // requests take `permille` of their time
    lost_sync,          // what is said to be durable is not, until the fault ends
    misdirected_write,  // the bytes of an append land where others are stored
  };
  Kind kind = Kind::write_error;
  Chance share{};                   // of the requests that it can strike
  std::uint64_t permille = 10'000;  // slow: ten times as long; at least 1,000

  friend bool operator==(const DiskMishap&, const DiskMishap&) = default;
};

class DiskTroubles {
 public:
  explicit DiskTroubles(std::uint64_t seed) : seed_(seed) {}

  bool any() const { return !troubles_.empty(); }
  void add(std::uint32_t fault, VolumeId volume, const DiskMishap& mishap);
  void remove(std::uint32_t fault);

  // One request as the volume sees it.
  struct Request {
    VolumeId volume{};
    NodeId from{};
    std::uint32_t life = 0;     // of the process
    std::uint64_t ordinal = 0;  // in that life
  };
  struct Strike {
    std::uint32_t fault = kNoFault;  // none: nothing of that kind strikes this request
    std::uint64_t word = 0;          // for what it does

    explicit operator bool() const { return fault != kNoFault; }
  };
  // Of several faults the one that began first.
  Strike strike(DiskMishap::Kind kind, const Request& request) const;

  // What usually takes `usual` takes so long. Of several faults the slowest rules.
  Slowness::Stretched stretch(const Request& request, Duration usual) const;

 private:
  struct Trouble {
    std::uint32_t fault = 0;
    VolumeId volume{};
    DiskMishap mishap{};
    RandomStream stream{};
  };
  static Strike struck_by(const Trouble& trouble, DiskMishap::Kind kind, const Request& request);

  std::uint64_t seed_;
  std::vector<Trouble> troubles_;  // in the order in which they began
};

}  // namespace photon::sim
