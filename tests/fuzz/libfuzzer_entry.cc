// The entry point of libFuzzer: one program for each target, named by the build.
#include <cstdlib>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const photon::fuzz::Target* const kTarget = photon::fuzz::find_target(PHOTONSIM_TARGET);
  if (kTarget == nullptr) std::abort();
  static_cast<void>(kTarget->run(std::as_bytes(std::span(data, size))));
  return 0;
}
