// What the end of a run means to its caller: an exit code, why, and the command for a replay.
//
// The one place where verdicts become exit codes: `run`, `judge` and `fuzz` agree.
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

// Of what the judge found, by what may be demanded (scenarios/world/demands.h). That none of the
// oracles of scenario.detected_by noticed the damage of a broken assumption is a shortfall: it is
// the positive control. Which others did is no matter there.
int verdict_of(const photon::analysis::Summary& summary, const scenarios::Demands& demands = {});
// Of a run, which may also have been interrupted, or ended by a check of the code.
int verdict_of(const scenarios::RunOutcome& outcome);

// What was asked for and did not happen, or was to be checked and was not: one sentence each, with
// what to do about it.
std::vector<std::string> shortfalls(const photon::analysis::Summary& summary,
                                    const scenarios::Demands& demands = {});

// "the damage that this tier demands (clock_bound) was detected by J-S5: 2 violations; ..."; empty
// if none was demanded, or if none was detected.
std::string damage_line(const scenarios::RunOutcome& outcome);

// All that is known of a run that can be done: its verdict, its findings by what its tier demands,
// and what the judge and the runner say of it. The caller adds what it costs, how it is replayed,
// and whether it is the same twice.
photon::analysis::RunRecord record_of(const scenarios::RunOutcome& outcome);

// The worse of two verdicts of runs (analysis/reports/verdict.h). Requires that both are such.
int worse_of(int a, int b);

// "2 violations; the first: ..."; empty if there are none.
std::string violations_line(const photon::analysis::Summary& summary);
// Everything that is wrong with the run, on one line; empty if nothing is.
std::string failure_line(const scenarios::RunOutcome& outcome);

// Why a scenario cannot be run: a line for each fault of its input.
std::string faults_text(const photon::models::InputFaults& faults);

// The end of a replay line that shows that the run is not the same twice.
inline constexpr const char* kTwiceWord = " --twice";

// The one command that shows the same run again, to be pasted into a shell.
std::string replay_line(std::string_view scenario, const std::vector<std::string>& overrides,
                        std::uint64_t seed);

// The same for a scenario file that fails by itself.
std::string repro_line(std::string_view file);

// " --profile deep --tier over": the options of a swarm that are not the default ones.
std::string swarm_words(const scenarios::swarm::Options& options);
// The same for a world of the swarm.
std::string swarm_replay_line(const scenarios::swarm::Options& options, std::uint64_t seed);

}  // namespace photonsim::campaigns
