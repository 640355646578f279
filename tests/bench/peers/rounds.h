// Interleaved rounds of a model on photonsim's kernel and on a bare std::priority_queue that makes
// the same draws and hashes: the quick comparison, in one process. tests/bench/compare is the long
// one.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/peers/bare_heaps.h"
#include "tests/bench/peers/measured_run.h"
#include "tests/bench/peers/photonsim_peer.h"

namespace photon::bench {

struct Rounds {
  std::uint64_t events = 0;  // of each measurement
  int count = 0;
};

// [millions of events (2)] [rounds (9)]; reports what is wrong.
inline std::optional<Rounds> rounds_of(int argc, char** argv) {
  const double millions = argc > 1 ? std::strtod(argv[1], nullptr) : 2.0;
  const int count = argc > 2 ? std::atoi(argv[2]) : 9;
  const Rounds rounds{static_cast<std::uint64_t>(millions * 1e6), count};
  if (rounds.events > 0 && count > 0) return rounds;
  std::fprintf(stderr, "usage: %s [millions of events] [rounds]\n", argv[0]);
  return std::nullopt;
}

// Prints medians of user time; false if the two sides execute different events.
template <class Model>
bool compare_with_heap(const char* name, std::uint32_t pending, const Rounds& rounds) {
  std::vector<double> kernel;
  std::vector<double> bare;
  std::vector<double> ratio;
  const RunSize size{pending, rounds.events};
  for (int round = 0; round < rounds.count; ++round) {
    PhotonsimPeer<Model> ours(pending);
    BarePeer<BinaryHeap, Model> theirs(pending);
    const Measured one = measure_run(ours, size);
    const Measured other = measure_run(theirs, size);
    if (one.fingerprint != other.fingerprint) {
      std::fprintf(stderr, "%s: the two sides executed different events\n", name);
      return false;
    }
    const auto events = static_cast<double>(rounds.events);
    kernel.push_back(1e9 * one.seconds / events);
    bare.push_back(1e9 * other.seconds / events);
    ratio.push_back(other.seconds / one.seconds);
  }
  std::printf(
      "%s, %7u pending: kernel %6.1f ns an event, bare priority_queue %6.1f, ratio of "
      "throughput %.2f\n",
      name, pending, median(kernel), median(bare), median(ratio));
  return true;
}

inline void print_peak() {
  std::printf("peak memory %.1f MB\n", static_cast<double>(peak_bytes()) / 1e6);
}

}  // namespace photon::bench
