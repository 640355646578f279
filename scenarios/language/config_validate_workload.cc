#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "scenarios/language/config_validate.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/units.h"

namespace photonsim::scenarios {
namespace {

// Hash of a file's bytes, or nothing if it cannot be read.
std::optional<std::uint64_t> digest_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;
  }
  std::ifstream stream{path, std::ios::binary};
  std::array<char, 1 << 16> buffer{};
  std::uint64_t digest = kHashOfNothing;
  while (stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    digest = hash_bytes({buffer.data(), static_cast<std::size_t>(stream.gcount())}, digest);
  }
  return stream.eof() ? std::optional{digest} : std::nullopt;
}

void check_trace_file(Validation& v, std::string_view key, const std::string& file,
                      std::uint64_t& digest) {
  if (file.empty()) {
    v.refuse({key, "workload.kind"},
             fmt::format("the workload is a trace, but {} is not stated", key),
             fmt::format("--set {}=FILE.csv, or in the scenario file", key));
    return;
  }
  const std::optional<std::uint64_t> found = digest_of(file);
  if (!found) {
    v.refuse({key, "workload.kind"}, fmt::format("{}: cannot read the file {}", key, file),
             "names in a scenario file are relative to it, in --set to the working directory");
    return;
  }
  digest = *found;
}

void check_column(Validation& v, std::string_view key, const std::string& column) {
  if (column.empty()) {
    v.refuse({key, "workload.kind"}, fmt::format("{} names no column", key),
             "the header line of the CSV file names them");
  }
}

void check_trace(Validation& v) {
  PrimaryTrace& primary = v.config().workload.primary;
  ForeignTrace& foreign = v.config().workload.foreign;
  check_trace_file(v, "workload.primary.file", primary.file, primary.digest);
  check_trace_file(v, "workload.foreign.file", foreign.file, foreign.digest);
  check_column(v, "workload.primary.id", primary.id);
  check_column(v, "workload.primary.time", primary.time);
  check_column(v, "workload.foreign.id", foreign.id);
  check_column(v, "workload.foreign.primary_id", foreign.primary_id);
  check_column(v, "workload.foreign.time", foreign.time);
}

void check_synthetic(Validation& v) {
  const SyntheticWorkload& s = v.config().workload.synthetic;
  if (!v.config().run.duration) {
    v.refuse({"run.duration", "workload.kind"},
             "run.duration = \"auto\" needs a trace; this workload is synthetic",
             "state a duration, as in \"20min\"");
  }
  if (s.fast_fraction < 1.0 && s.slow_median == Duration{0}) {
    v.refuse(
        {"workload.synthetic.slow_median", "workload.synthetic.fast_fraction", "workload.kind"},
        "slow clicks need a median delay above 0s", "or fast_fraction = 1.0: no slow clicks");
  }
}

}  // namespace

void validate_workload(Validation& validation) {
  const Run& run = validation.config().run;
  if (run.duration && run.warm_up >= *run.duration) {
    validation.refuse({"run.warm_up", "run.duration"},
                      fmt::format("run.warm_up = {} leaves no time for clicks in run.duration = {}",
                                  format_duration(run.warm_up), format_duration(*run.duration)),
                      "the warm-up is part of the duration");
  }
  if (validation.config().workload.kind == WorkloadKind::kTrace) {
    check_trace(validation);
  } else {
    check_synthetic(validation);
  }
}

}  // namespace photonsim::scenarios
