// Puts the campaigns and studies of several results files into one: of the parts of a job array, or
// of several machines.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

struct Merged {
  std::uint64_t campaigns = 0;  // with runs that were copied
  std::uint64_t copied = 0;     // runs
  std::uint64_t known = 0;      // runs that `into` had already
  std::uint64_t left_out = 0;   // runs of `run --out`, which belong to no campaign
};

// Copies the runs of all campaigns of `from` into `into`, which is created if there is none. A run
// that is there already stays as it is, so merging again does no harm; two files that have one run
// with other results are an error, since one of them is wrong. What a campaign concluded is copied
// with a campaign that is new to `into`; further runs of it remove that. An error leaves `into`
// with whole runs, and the same call does the rest.
Result<Merged, FileError> merge_results(const std::string& into, std::span<const std::string> from);

}  // namespace photon::analysis
