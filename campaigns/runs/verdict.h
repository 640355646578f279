// What the end of a run means to the caller: an exit code, the reason, and the replay command. The
// single place that maps verdicts to exit codes: `run`, `judge` and `fuzz` agree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reports/summary.h"
#include "analysis/results/run_record.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

// Judges the findings by what the tier checks (scenarios/world/expectations.h). If no oracle of
// scenario.detected_by noticed the damage of a broken assumption, that is a shortfall: the positive
// control failed. Other oracles do not count there.
int verdict_of(const photon::analysis::Summary& summary,
               const scenarios::Expectations& expectations = {});
// Of a run, which may also have been interrupted, or ended by a failed check of the code.
int verdict_of(const scenarios::RunOutcome& outcome);

// Requested events that did not happen and checks that were vacuous: one sentence each,
// with a remedy.
std::vector<std::string> shortfalls(const photon::analysis::Summary& summary,
                                    const scenarios::Expectations& expectations = {});

// "the damage that this tier expects (clock_bound) was detected by J-S5: 2 violations; ..."; empty
// if none was expected or detected.
std::string damage_line(const scenarios::RunOutcome& outcome);

// Everything known of a valid run: its verdict, its findings by what its tier checks, and the
// reports of the judge and the runner. The caller adds cost, replay command and determinism.
photon::analysis::RunRecord record_of(const scenarios::RunOutcome& outcome);

// The worse of two run verdicts (analysis/reports/verdict.h). Requires valid ones.
int worse_of(int a, int b);

// "2 violations; the first: ..."; empty if there are none.
std::string violations_line(const photon::analysis::Summary& summary);
// The failed check or the exceeded limit that ended the run early; empty if none did.
std::string early_end_line(const scenarios::RunOutcome& outcome);
// Everything that is wrong with the run, on one line; empty if nothing is.
std::string failure_line(const scenarios::RunOutcome& outcome);

// Why a scenario cannot be run: one line for each error in its input.
std::string faults_text(const photon::models::InputFaults& faults);

// The end of a replay command that shows a divergence.
inline constexpr const char* kTwiceWord = " --twice";

// The program as a command line names it: "photonsim", or one that brings parts of its own.
std::string program_word();

// The command that reproduces the run, to be pasted into a shell.
std::string replay_line(std::string_view scenario, const std::vector<std::string>& overrides,
                        std::uint64_t seed);

// The same for a scenario file that contains its own seed.
std::string repro_line(std::string_view file);

// The same for a generated configuration.
std::string swarm_replay_line(const scenarios::swarm::Options& options, std::uint64_t seed);

}  // namespace photonsim::campaigns
