#include "analysis/results/result_verify.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "analysis/results/campaign_rows.h"
#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/result_store.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// One file under examination. Problems of the database itself end it: `broken`.
class Examination {
 public:
  Examination(sqlite3* database, StoreFindings& findings)
      : database_(database), findings_(findings) {}

  void run() {
    check_pages();
    if (!findings_.is_whole()) return;  // what such pages hold says nothing
    check_owners();
    check_runs();
    check_campaigns();
  }

 private:
  struct Run {
    std::string key, scenario, seed, model, fingerprint, resolved, summary;
    int violations = 0;
  };

  void fault(std::string what) {
    if (findings_.faults.size() < StoreFindings::kMostFaults) {
      findings_.faults.push_back(std::move(what));
    }
  }
  void unreadable(const std::string& what) {
    fault(fmt::format("{} cannot be read ({})", what, sqlite3_errmsg(database_)));
  }

  void check_pages() {
    Statement check(database_, "PRAGMA integrity_check");
    int step = check.step();
    for (; step == SQLITE_ROW; step = check.step()) {
      if (const std::string said = check.text(0); said != "ok") fault("its pages: " + said);
    }
    if (step != SQLITE_DONE) unreadable("its pages");
  }

  void check_owners() {
    Statement check(database_, "PRAGMA foreign_key_check");
    int step = check.step();
    for (; step == SQLITE_ROW; step = check.step()) {
      fault(fmt::format("table {}: a row belongs to a {} that is not there", check.text(0),
                        check.text(2)));
    }
    if (step != SQLITE_DONE) unreadable("its tables");
  }

  void check_runs() {
    Statement rows(database_,
                   "SELECT key, scenario, seed, model_version, fingerprint, resolved_scenario, "
                   "summary_json, violations FROM run ORDER BY key");
    int step = rows.step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      ++findings_.runs;
      const Run run{rows.text(0), rows.text(1), rows.text(2), rows.text(3),
                    rows.text(4), rows.text(5), rows.text(6), rows.integer(7)};
      const std::string what = fault_of(run);
      if (what.empty()) continue;
      ++findings_.faulty_runs;
      fault("run " + run.key + ": " + what);
    }
    if (step != SQLITE_DONE) unreadable("its table of runs");
    Statement names(database_, "SELECT count(DISTINCT scenario) FROM run");
    if (names.step() == SQLITE_ROW)
      findings_.scenarios = static_cast<std::uint64_t>(names.integer(0));
  }

  void check_campaigns() {
    Statement rows(database_, "SELECT * FROM campaign ORDER BY key");
    int step = rows.step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      ++findings_.campaigns;
      const CampaignRow campaign = campaign_row(rows);
      std::string what = campaign.fault;
      if (what.empty()) {
        what =
            walk_runs(database_, campaign, [this](const Statement&) { ++findings_.campaign_runs; });
      }
      if (what.empty()) continue;
      findings_.faulty_campaigns.push_back(campaign.campaign.key);
      fault("campaign " + campaign.campaign.key + ": " + what);
    }
    if (step != SQLITE_DONE) unreadable("its table of campaigns");
  }

  // Empty: the run is whole.
  std::string fault_of(const Run& run) {
    std::uint64_t seed = 0;
    if (!is_number(run.seed, seed)) return "its seed is no number";
    if (run_key(run.resolved, seed, run.model) != run.key) {
      return "its key is not that of its scenario, seed and model";
    }
    if (run.fingerprint.empty()) return "it has no fingerprint";
    for (const std::string& what :
         {fault_of_summary(run), fault_of_figures(run), fault_of_seal(run)}) {
      if (!what.empty()) return what;
    }
    return {};
  }

  static bool is_number(const std::string& text, std::uint64_t& number) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end;
  }

  static std::string fault_of_summary(const Run& run) {
    boost::system::error_code error;
    const json::value parsed = json::parse(run.summary, error);
    if (error || !parsed.is_object()) return "its summary is no JSON";
    const json::object& summary = parsed.get_object();
    const json::value* const fingerprint = summary.if_contains("fingerprint");
    const bool same = fingerprint != nullptr && fingerprint->is_string() &&
                      fingerprint->get_string() == run.fingerprint;
    return same ? std::string() : "its summary has another fingerprint";
  }

  std::string fault_of_figures(const Run& run) {
    Statement count(database_, "SELECT count(*) FROM metric WHERE run = ?");
    if (!count.prepared() || count.bind(run.key).step() != SQLITE_ROW || count.integer(0) == 0) {
      return "it has no figures";
    }
    Statement rows(database_, "SELECT name, count, data FROM histogram WHERE run = ?");
    if (!rows.prepared()) return "its histograms cannot be read";
    rows.bind(run.key);
    int step = rows.step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      const auto histogram = LatencyHistogram::from_bytes(rows.blob(2));
      if (!histogram || std::to_string(histogram->count()) != rows.text(1)) {
        return "its histogram '" + rows.text(0) + "' is damaged";
      }
    }
    return step == SQLITE_DONE ? std::string() : "its histograms cannot be read";
  }

  std::string fault_of_seal(const Run& run) {
    Statement row(database_, "SELECT rows, digest FROM seal WHERE run = ?");
    if (!row.prepared()) return "its seal cannot be read";
    const int step = row.bind(run.key).step();
    if (step == SQLITE_DONE) return "it has no seal";
    if (step != SQLITE_ROW) return "its seal cannot be read";
    const auto contents = contents_of_run(database_, run.key);
    if (!contents) return "its rows cannot be read";
    const auto sealed = row.whole(0);
    if (contents->rows != sealed) {
      return fmt::format("it has {} rows, and was saved with {}", contents->rows, sealed);
    }
    if (contents->digest != row.text(1)) return "a value in its rows is not the one that was saved";
    findings_.rows += static_cast<std::uint64_t>(sealed);
    return {};
  }

  sqlite3* database_;
  StoreFindings& findings_;
};

// A schema that is known, and the tables that every one has; else an error.
std::optional<FileError> read_schema(const std::string& file, sqlite3* database, int& schema) {
  Statement version(database, "PRAGMA user_version");
  if (version.step() != SQLITE_ROW) return error_of(file, database);
  schema = version.integer(0);
  Statement own(database, "SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'metric')");
  if (own.step() != SQLITE_ROW) return error_of(file, database);
  if (schema > kResultStoreVersion) {
    return FileError{file,
                     fmt::format("it was written by a newer photonsim (schema {}, known {})",
                                 schema, kResultStoreVersion),
                     "use that photonsim"};
  }
  if (schema < 1 || own.integer(0) != 2) {
    return FileError{file, "it is not a results file",
                     "name one that --out of run or fuzz has written"};
  }
  if (schema < kResultStoreVersion) return too_old(file, schema);
  return std::nullopt;
}

std::uint64_t size_of(const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : static_cast<std::uint64_t>(size);
}

}  // namespace

Result<StoreFindings, FileError> verify_results(const std::string& file) {
  if (!fs::is_regular_file(file)) {
    return FileError{file, "there is no such file",
                     "name one that --out of run or fuzz has written"};
  }
  StoreFindings findings;
  findings.bytes = size_of(file) + size_of(file + "-wal");
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  const Database database(raw);
  if (raw == nullptr) return FileError{file, "no memory for a database", "free some memory"};
  if (opened != SQLITE_OK) return error_of(file, raw);
  sqlite3_busy_timeout(raw, 60'000);
  if (!execute(raw, "BEGIN")) return error_of(file, raw);
  if (auto error = read_schema(file, raw, findings.schema)) return *error;
  Examination(raw, findings).run();
  return findings;
}

}  // namespace photon::analysis
