// One run of many: what it is, and what came of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "analysis/results/run_record.h"
#include "campaigns/runs/determinism_check.h"
#include "core_impl/base/bytes.h"
#include "scenarios/language/config.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

struct RunSpec {
  scenarios::Config config{};  // resolved, with the seed of the run (run.seed)
  // Its place among the scenarios of a campaign, or the points of a study; nothing: it has none.
  std::optional<std::size_t> point{};
};

// What is asked of a run besides its record.
struct RunWanted {
  // Taken from the outcome where the run is done, and handed over with the record. May be empty.
  std::function<photon::Bytes(const scenarios::RunOutcome&)> probe{};
  bool moments = false;  // the probe reads RunOutcome::moments
  bool seen = false;     // what a determinism check compares
  Watched watched{};     // the events that it notes down for that
};

struct RunResult {
  photon::analysis::RunRecord record{};  // without the command that shows it again
  bool refused = false;                  // the run cannot be done; record.what says why
  bool cut_off = false;                  // it was ended from outside: nothing is known of it
  photon::Bytes probe{};
  std::optional<SeenRun> seen{};
};

// Does the run in this process.
RunResult carry_out(const RunSpec& spec, const RunWanted& wanted);

// The record of a run that came to no end.
photon::analysis::RunRecord broken_run(int exit_code, std::string what);

// For the channel between processes of one program.
photon::Bytes encode_result(const RunResult& result);
// Nothing if these are not the bytes of one.
std::optional<RunResult> decode_result(const photon::Bytes& bytes);

}  // namespace photonsim::campaigns
