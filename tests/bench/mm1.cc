// M/M/1 on the kernel: at most two events pending, the other end of the scale from PHOLD.
//
//   mm1 [events per measurement, millions] [rounds]
//
// As phold.cc: the kernel's full path against a bare std::priority_queue.
#include "tests/bench/peers/models.h"
#include "tests/bench/peers/rounds.h"

int main(int argc, char** argv) {
  using namespace photon::bench;
  const auto rounds = rounds_of(argc, argv);
  if (!rounds) return 2;
  print_load("before");
  if (!compare_with_heap<Mm1>("M/M/1", 2, *rounds)) return 1;
  print_peak();
  print_load("after");
  return 0;
}
