#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "models/arrivals.h"
#include "models/rate_file.h"
#include "models/registry_workload.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/config/units.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios {
namespace {

// Hash of a file's bytes after those with the hash `digest`, or nothing if it cannot be read.
std::optional<std::uint64_t> digest_of(const std::string& path, std::uint64_t digest) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;
  }
  std::ifstream stream{path, std::ios::binary};
  std::array<char, 1 << 16> buffer{};
  while (stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const std::span piece{buffer.data(), static_cast<std::size_t>(stream.gcount())};
    if (!piece.empty()) {
      digest = photon::hash_bytes(std::as_bytes(piece), digest);
    }
  }
  return stream.eof() ? std::optional{digest} : std::nullopt;
}

void check_trace_files(Validation& v, std::string_view key, const std::vector<std::string>& files,
                       std::uint64_t& digest) {
  if (files.empty()) {
    v.refuse({key, "workload.kind"},
             fmt::format("the workload is a trace, but {} is not stated", key),
             fmt::format("--set {}=FILE.csv, or in the scenario file", key));
    return;
  }
  constexpr std::size_t kMostFiles = 10'000;
  if (files.size() > kMostFiles) {
    v.refuse({key, "workload.kind"}, fmt::format("{} names {} files", key, files.size()),
             fmt::format("at most {}", kMostFiles));
    return;
  }
  std::uint64_t hash = 0;  // of the pieces so far: the seed of the next one
  for (const std::string& file : files) {
    const std::optional<std::uint64_t> found = digest_of(file, hash);
    if (!found) {
      v.refuse({key, "workload.kind"}, fmt::format("{}: cannot read the file {}", key, file),
               "names in a scenario file are relative to it, in --set to the working directory");
      return;
    }
    hash = *found;
  }
  digest = hash;
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
  check_trace_files(v, "workload.primary.file", primary.files, primary.digest);
  check_trace_files(v, "workload.foreign.file", foreign.files, foreign.digest);
  check_column(v, "workload.primary.id", primary.id);
  check_column(v, "workload.primary.time", primary.time);
  check_column(v, "workload.foreign.id", foreign.id);
  check_column(v, "workload.foreign.primary_id", foreign.primary_id);
  check_column(v, "workload.foreign.time", foreign.time);
}

// Events of one kind: their number, the time to generate them, and the servers.
struct Load {
  std::string_view events;
  double count;
  Duration time;
  std::string_view servers_key;
  std::uint64_t servers;
};

void check_rate(Validation& v, const Load& load) {
  if (load.time <= Duration{0} || load.servers == 0) {
    return;  // refused elsewhere
  }
  const double per_second = load.count * 1e9 / static_cast<double>(load.time.count()) /
                            static_cast<double>(load.servers) * peak_factor(v.config());
  if (per_second <= photon::models::Arrivals::kMostPerSecond) {
    return;
  }
  v.refuse({"workload.synthetic.clicks", "workload.synthetic.queries_per_click", load.servers_key,
            "run.duration", "run.warm_up", "workload.kind"},
           fmt::format("{} {} in {} from {} servers are {:.3g} per server and second, more than "
                       "{:.3g}",
                       format_real(load.count), load.events, format_duration(load.time),
                       load.servers, per_second, photon::models::Arrivals::kMostPerSecond),
           fmt::format("fewer clicks, a longer run.duration, or more {}", load.servers_key));
}

// Generation is random access, but each event uses a part of the index and each click is judged.
void check_volume(Validation& v) {
  constexpr double kMostQueries = 1e12;
  const Run& run = v.config().run;
  const SyntheticWorkload& s = v.config().workload.synthetic;
  const auto clicks = static_cast<double>(s.clicks);
  const double queries = clicks * static_cast<double>(s.queries_per_click);
  if (queries > kMostQueries) {
    v.refuse({"workload.synthetic.queries_per_click", "workload.synthetic.clicks", "workload.kind"},
             fmt::format("clicks x queries_per_click = {} queries, more than {}",
                         format_real(queries), format_real(kMostQueries)),
             "fewer clicks, or fewer queries for each");
  }
  if (!run.duration) {
    return;
  }
  check_rate(v, {"clicks", clicks, *run.duration - run.warm_up, "workload.synthetic.click_servers",
                 s.click_servers});
  check_rate(
      v, {"queries", queries, *run.duration, "workload.synthetic.query_servers", s.query_servers});
}

// The file number of a server must fit its name (logs::LogFile).
void check_files(Validation& v, std::string_view servers_key, double bytes, std::uint64_t servers) {
  constexpr double kMostFiles = 16'000;
  const std::uint64_t size = v.config().workload.synthetic.log_file_bytes;
  if (size == 0 || servers == 0) return;
  const double files = bytes / static_cast<double>(servers) / static_cast<double>(size);
  if (files <= kMostFiles) return;
  v.refuse({"workload.synthetic.log_file_bytes", servers_key, "workload.kind"},
           fmt::format("each server would write {:.0f} files, more than {:.0f}", files, kMostFiles),
           "longer files, or more servers");
}

void check_logs(Validation& v) {
  const SyntheticWorkload& s = v.config().workload.synthetic;
  constexpr double kRecordHead = 64;  // at most, besides the payload
  const auto clicks = static_cast<double>(s.clicks);
  const auto bytes = [](std::uint64_t payload) {
    return static_cast<double>(payload) + kRecordHead;
  };
  check_files(v, "workload.synthetic.click_servers", clicks * bytes(s.click_payload),
              s.click_servers);
  check_files(v, "workload.synthetic.query_servers",
              clicks * static_cast<double>(s.queries_per_click) * bytes(s.query_payload),
              s.query_servers);
  if (s.disorder > v.config().event_store.disorder) {
    v.refuse(
        {"workload.synthetic.disorder", "event_store.disorder", "workload.kind"},
        fmt::format("logs are out of order by up to {}, but the EventStore searches {} only",
                    format_duration(s.disorder), format_duration(v.config().event_store.disorder)),
        "event_store.disorder must be at least as large (SPEC E-17)");
  }
}

void read_rate_file(Validation& v) {
  SyntheticWorkload& load = v.config().workload.synthetic;
  if (load.rate_file.empty()) return;
  constexpr std::string_view kKey = "workload.synthetic.rate_file";
  if (load.rate > 0) {
    v.refuse({kKey, "workload.synthetic.rate"}, "rate and rate_file both state the load",
             "leave one of them out (rate = 0)");
  }
  auto rates = photon::models::read_rates(load.rate_file);
  if (rates) {
    load.rates = std::move(rates).assume_value();
    return;
  }
  for (const std::string& each : rates.assume_error().texts()) v.refuse({kKey}, each);
}

// Sets the number of clicks where the load is stated as a rate.
void set_clicks(Validation& v) {
  read_rate_file(v);
  SyntheticWorkload& load = v.config().workload.synthetic;
  if (!v.config().run.duration || v.config().run.warm_up >= *v.config().run.duration) return;
  const std::initializer_list<std::string_view> keys{
      load.rates.empty() ? "workload.synthetic.rate" : "workload.synthetic.rate_file",
      "run.duration", "workload.synthetic.ramp", "workload.synthetic.burst"};
  const auto shape = load_shape_of(v.config());
  const photon::SimTime start(v.config().run.warm_up);
  const photon::SimTime end(*v.config().run.duration);
  if (shape != nullptr && shape->integral(start, end) <= 0) {
    return v.refuse(keys, "the load is 0 all the time from the end of the warm-up",
                    "factors above 0");
  }
  if (load.rate <= 0 && load.rates.empty()) return;
  const double mean = clicks_of_rate(v.config());
  const double clicks = std::round(mean);
  constexpr double kMost = 1e9;
  if (clicks < 1 || clicks > kMost) {
    return v.refuse(
        keys, fmt::format("this rate gives {:.3g} clicks in the run", mean),
        fmt::format("at least 1 and at most {:.0g}: change the rate or the duration", kMost));
  }
  load.clicks = static_cast<std::uint64_t>(clicks);
}

void check_synthetic(Validation& v) {
  set_clicks(v);
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
  check_volume(v);
  check_logs(v);
}

void check_registry_load(Validation& v) {
  const RegistryWorkload& load = v.config().workload.registry;
  const Run& run = v.config().run;
  if (!run.duration) {
    v.refuse({"run.duration", "workload.kind"},
             "run.duration = \"auto\" needs a trace; this workload is generated",
             "state a duration, as in \"20s\"");
    return;
  }
  const double seconds = static_cast<double>((*run.duration - run.warm_up).count()) / 1e9;
  const double around = static_cast<double>(load.contenders);
  if (load.rate * seconds * around > photon::models::RegistryWorkload::kMostOperations) {
    v.refuse({"workload.registry.rate", "run.duration", "workload.registry.contenders"},
             fmt::format("these are up to {:.3g} operations, more than {:.3g}",
                         load.rate * seconds * around,
                         photon::models::RegistryWorkload::kMostOperations),
             "a lower rate, or a shorter run");
  }
  if (load.known + load.aged + load.ahead + load.twins > 1.0) {
    v.refuse({"workload.registry.known", "workload.registry.aged", "workload.registry.ahead",
              "workload.registry.twins"},
             "known, aged, ahead and twins together are more than all operations",
             "each operation is about one id; the rest of 1 are new ids");
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
  if (run.duration && run.measure_from > Duration{0} && run.measure_from >= *run.duration) {
    validation.refuse(
        {"run.measure_from", "run.duration"},
        fmt::format("run.measure_from = {} leaves nothing to measure in run.duration = {}",
                    format_duration(run.measure_from), format_duration(*run.duration)),
        "begin earlier, or run longer");
  }
  if (validation.config().workload.kind == WorkloadKind::kTrace) {
    check_trace(validation);
  } else if (validation.config().registry_only()) {
    check_registry_load(validation);
  } else {
    check_synthetic(validation);
  }
}

}  // namespace photonsim::scenarios
