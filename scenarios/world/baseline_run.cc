#include "scenarios/world/baseline_run.h"

#include "analysis/reports/baseline.h"

namespace photonsim::scenarios {

std::string run_baseline(const Config& config, std::uint64_t seed, photon::trace::Sink* trace,
                         RunObserver* observer, photon::analysis::Summary& summary) {
  if (summary.fault_latencies.empty()) return "no fault of this run took effect";
  Config calm = config;
  calm.faults = {};
  RunRequest request{&calm, seed, trace, observer};
  request.latencies = true;
  const auto finished = run_scenario(request);
  if (!finished || !finished.assume_value().is_complete()) {
    return "the run without faults did not come to its end";
  }
  const RunOutcome& without = finished.assume_value();
  const photon::analysis::LatenciesByTime latencies(without.latencies);
  photon::analysis::compare_with_baseline(without.summary, latencies, summary);
  return {};
}

}  // namespace photonsim::scenarios
