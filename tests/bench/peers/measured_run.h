// One measured run of a model on one simulator: start it, warm it up, time the rest; and the
// command line and output that tests/bench/compare expects of a peer.
//
// A simulator gives run(count), which executes that many events, and fingerprint(), which every one
// of them has entered.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "tests/bench/measure.h"

namespace photon::bench {

struct Measured {
  double seconds = 0;  // user processor time of `events` events
  std::uint64_t fingerprint = 0;
};

struct RunSize {
  std::uint32_t pending = 0;
  std::uint64_t events = 0;
};

template <class Simulator>
Measured measure_run(Simulator& simulator, const RunSize& size) {
  simulator.start();
  simulator.run(std::uint64_t{size.pending} * 2);
  const double begin = user_seconds();
  simulator.run(size.events);
  return {user_seconds() - begin, simulator.fingerprint()};
}

enum class PeerModel : std::uint8_t { phold, mm1 };

struct PeerArguments {
  std::string_view simulator{};
  PeerModel model = PeerModel::phold;
  RunSize size{};
};

// SIMULATOR phold|mm1 PENDING EVENTS; reports what is wrong.
inline std::optional<PeerArguments> peer_arguments(int argc, char** argv) {
  const std::string_view model = argc == 5 ? argv[2] : "";
  if (model != "phold" && model != "mm1") {
    std::fprintf(stderr, "usage: %s SIMULATOR phold|mm1 PENDING EVENTS\n", argv[0]);
    return std::nullopt;
  }
  return PeerArguments{argv[1],
                       model == "phold" ? PeerModel::phold : PeerModel::mm1,
                       {static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10)),
                        std::strtoull(argv[4], nullptr, 10)}};
}

inline void print_measured(const Measured& measured) {
  std::printf("%.6f %016" PRIx64 " %" PRIu64 "\n", measured.seconds, measured.fingerprint,
              peak_bytes());
}

}  // namespace photon::bench
