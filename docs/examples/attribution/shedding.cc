// photonsim with this project's joiner.
#include "shedding_joiner.h"

int main(int argc, char** argv) {
  photonsim::Extensions mine;
  mine.joiner = [](const photon::JoinerOptions& options, const photon::Adapter& adapter) {
    return std::make_unique<SheddingJoiner>(options, adapter, 5, photon::JoinOutcome::too_many_in_flight);
  };
  return photonsim::run_program(argc, argv, mine);
}
