// One run of a campaign: its spec and its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/runs/determinism_check.h"
#include "core_impl/base/bytes.h"
#include "scenarios/config/config.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

struct RunSpec {
  scenarios::Config config{};  // resolved, with the seed of the run (run.seed)
  // Its index among the scenarios of a campaign or the points of a study; nothing: none.
  std::optional<std::size_t> point{};
  // How the user named the scenario, and its overrides: for replay commands of the paths of a
  // splitting. Empty: there are none.
  std::string scenario{};
  std::vector<std::string> overrides{};
};

// What a run must return besides its record.
struct RunExtras {
  // Computed from the outcome in the worker and returned with the record. May be empty.
  std::function<photon::Bytes(const scenarios::RunOutcome&)> probe{};
  bool moments = false;  // the probe reads RunOutcome::moments
  bool seen = false;     // the inputs of a determinism check
  Watched watched{};     // the events to record for that
};

struct RunResult {
  // Without the replay command; but of a splitting with that of a path to the last level.
  photon::analysis::RunRecord record{};
  bool refused = false;  // the run cannot be done; record.what says why
  bool cut_off = false;  // ended from outside: its result is unknown
  photon::Bytes probe{};
  std::optional<SeenRun> seen{};
};

// Executes the run in this process.
RunResult run_one(const RunSpec& spec, const RunExtras& extras);

// The record of a run that did not complete for another reason than a failed check or its limit of
// events.
photon::analysis::RunRecord unfinished_run(photon::analysis::RunEnd how, std::string what);

// For the channel between processes of one program.
photon::Bytes encode_result(const RunResult& result);
// Nothing if the bytes are not valid.
std::optional<RunResult> decode_result(const photon::Bytes& bytes);

}  // namespace photonsim::campaigns
