// photonsim with this project's adapter: every verb, every scenario, every fault and oracle.
#include "attribution.h"
#include "reference.h"

using namespace std::chrono_literals;

int main(int argc, char** argv) {
  photonsim::Extensions mine;
  mine.adapter = [] { return std::make_unique<AttributionAdapter>(20s); };
  mine.reference = attribution_reference(20'000'000'000);
  return photonsim::run_program(argc, argv, mine);
}
