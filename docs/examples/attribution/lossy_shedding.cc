// The same with an error: what is shed is answered as if another pipeline had joined it, so it is lost.
#include "shedding_joiner.h"

int main(int argc, char** argv) {
  photonsim::Extensions mine;
  mine.joiner = [](const photon::JoinerOptions& options, const photon::Adapter& adapter) {
    return std::make_unique<SheddingJoiner>(options, adapter, 5, photon::JoinOutcome::already_exists);
  };
  return photonsim::run_program(argc, argv, mine);
}
