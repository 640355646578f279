// One run of PHOLD or M/M/1 on photonsim's kernel or on a bare queue, for tests/bench/compare.
//
//   peer photonsim|ladder|binary_heap|four_heap phold|mm1 PENDING EVENTS
//
// Prints user seconds, the fingerprint of all events and the peak memory in bytes.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/bench/peers/bare_heaps.h"
#include "tests/bench/peers/bare_ladder.h"
#include "tests/bench/peers/measured_run.h"
#include "tests/bench/peers/models.h"
#include "tests/bench/peers/photonsim_peer.h"

namespace {

using namespace photon::bench;

template <class Peer>
int run(const RunSize& size) {
  Peer peer(size.pending);
  print_measured(measure_run(peer, size));
  return 0;
}

template <class Model>
int run_on(std::string_view simulator, const RunSize& size) {
  if (simulator == "photonsim") return run<PhotonsimPeer<Model>>(size);
  if (simulator == "ladder") return run<BarePeer<BareLadder, Model>>(size);
  if (simulator == "binary_heap") return run<BarePeer<BinaryHeap, Model>>(size);
  if (simulator == "four_heap") return run<BarePeer<FourHeap, Model>>(size);
  std::fprintf(stderr, "peer: there is no simulator of this name\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = peer_arguments(argc, argv);
  if (!arguments) return 2;
  return arguments->model == PeerModel::phold ? run_on<Phold>(arguments->simulator, arguments->size)
                                              : run_on<Mm1>(arguments->simulator, arguments->size);
}
