// One fixed run for the gate on instruction counts (scripts/instructions.sh): it reads no clock and
// prints nothing but its fingerprint, so that all its runs execute the same instructions.
//
//   fixed_run phold|mm1 PENDING EVENTS
//   fixed_run SCENARIO [KEY=VALUE]...
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/bench/peers/models.h"
#include "tests/bench/peers/photonsim_peer.h"

namespace {

using photon::bench::Mm1;
using photon::bench::Phold;
using photon::bench::PhotonsimPeer;

template <class Model>
int run_model(char** argv) {
  PhotonsimPeer<Model> peer(static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)));
  peer.start();
  peer.run(std::strtoull(argv[3], nullptr, 10));
  std::printf("%016" PRIx64 "\n", peer.fingerprint());
  return 0;
}

int run_scenario(const std::string& scenario, const std::vector<std::string>& overrides) {
  const auto loaded = photonsim::scenarios::load(scenario, overrides);
  if (!loaded) {
    std::fputs(photonsim::scenarios::format(loaded.diagnostics()).c_str(), stderr);
    return 2;
  }
  const auto outcome = photonsim::scenarios::run_scenario({&loaded.config(), 1});
  if (!outcome || !outcome.assume_value().is_complete()) {
    std::fputs("the run failed; photonsim run gives the reason\n", stderr);
    return 1;
  }
  std::printf("%s\n", outcome.assume_value().summary.fingerprint.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc == 4 && first == "phold") return run_model<Phold>(argv);
  if (argc == 4 && first == "mm1") return run_model<Mm1>(argv);
  if (first.ends_with(".toml")) return run_scenario(first, {argv + 2, argv + argc});
  std::fprintf(stderr,
               "usage: fixed_run phold|mm1 PENDING EVENTS\n       fixed_run SCENARIO "
               "[KEY=VALUE]...\n");
  return 2;
}
