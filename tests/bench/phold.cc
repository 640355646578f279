// PHOLD on the kernel: every event schedules one event of a uniformly random one of 1,024 processes
// after an exponential delay.
//
//   phold [events per measurement, millions] [rounds]
//
// Measures the kernel's full path (queue, dispatch to a process through its virtual on_event, the
// fingerprint, the project's own random draws) against a bare std::priority_queue of 24-byte events
// that makes the same draws and hashes. Rounds (9) of 2 million events are interleaved; medians of
// user time. Both sides must execute the same events: their fingerprints agree.
#include "tests/bench/peers/models.h"
#include "tests/bench/peers/rounds.h"

int main(int argc, char** argv) {
  using namespace photon::bench;
  const auto rounds = rounds_of(argc, argv);
  if (!rounds) return 2;
  print_load("before");
  for (const std::uint32_t pending : {1'000U, 16'384U, 262'144U}) {
    if (!compare_with_heap<Phold>("PHOLD", pending, *rounds)) return 1;
  }
  print_peak();
  print_load("after");
  return 0;
}
