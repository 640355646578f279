#include "analysis/results/result_verify.h"

#include <charconv>
#include <filesystem>
#include <system_error>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "analysis/results/campaign_rows.h"
#include "analysis/results/histogram_row.h"
#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_details.h"
#include "analysis/results/study_rows.h"

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
    if (!findings_.is_whole()) return;  // the content of such pages is meaningless
    check_owners();
    check_studies();
  }

 private:
  struct Run {
    std::string key, seed, fingerprint, summary;
    RunPlace place;
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
      fault(orphan_text(check));
    }
    if (step != SQLITE_DONE) unreadable("its tables");
  }

  void check_studies() {
    Statement rows(database_, "SELECT * FROM study ORDER BY key");
    int step = rows.step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      const StudyRow study = study_row(rows);
      if (study.kind == kRunKind) {
        check_runs(study);
      } else {
        check_campaign(study);
      }
    }
    if (step != SQLITE_DONE) unreadable("its table of studies");
    Statement names(database_,
                    "SELECT count(DISTINCT scenario) FROM point JOIN study ON key = study WHERE "
                    "study.kind = 'run'");
    if (names.step() == SQLITE_ROW) {
      findings_.scenarios = static_cast<std::uint64_t>(names.integer(0));
    }
  }

  // All its runs, even after a fault in one.
  void check_runs(const StudyRow& study) {
    const std::string what =
        walk_study(database_, study, [&](const PointRow& point, const RunPlace& place) {
          check_run(study, point, place);
          return std::string();
        });
    if (!what.empty()) fault("study " + study.key + ": " + what);
  }

  void check_run(const StudyRow& study, const PointRow& point, const RunPlace& place) {
    ++findings_.runs;
    Statement row(database_,
                  "SELECT key, seed, fingerprint, json FROM run LEFT JOIN summary ON run = run.id "
                  "WHERE run.id = ?");
    if (!row.prepared() || row.bind(place.id).step() != SQLITE_ROW) {
      return unreadable("its table of runs");
    }
    const Run run{row.text(0), row.text(1), row.text(2), row.text(3), place};
    const std::string what = fault_of(study, point, run);
    if (what.empty()) {
      findings_.rows += static_cast<std::uint64_t>(place.rows);
      return;
    }
    ++findings_.faulty_runs;
    fault("run " + run.key + ": " + what);
  }

  void check_campaign(const StudyRow& study) {
    ++findings_.campaigns;
    std::string what = key_fault(study);
    if (what.empty()) {
      what = walk_study(database_, study, [&](const PointRow&, const RunPlace& place) {
        if (place.fault.empty()) ++findings_.campaign_runs;
        return place.fault;
      });
    }
    if (what.empty()) return;
    findings_.faulty_campaigns.push_back(study.key);
    fault("campaign " + study.key + ": " + what);
  }

  std::string key_fault(const StudyRow& study) {
    if (!study.fault.empty()) return study.fault;
    StoredCampaign campaign;
    if (!read_campaign(database_, study, campaign)) return "its points cannot be read";
    return campaign.identity.key() == study.key ? std::string()
                                                : "its key is not that of its scenarios and model";
  }

  // Empty: the run is whole.
  std::string fault_of(const StudyRow& study, const PointRow& point, const Run& run) {
    std::uint64_t seed = 0;
    if (!is_number(run.seed, seed)) return "its seed is no number";
    if (run_key(point.point.text, seed, study.model_version) != run.key) {
      return "its key is not that of its scenario, seed and model";
    }
    if (run.fingerprint.empty()) return "it has no fingerprint";
    for (const std::string& what : {fault_of_summary(run), fault_of_figures(run)}) {
      if (!what.empty()) return what;
    }
    if (run.place.fault.empty()) return {};
    return "its rows are not those that were saved: one is missing, or a value is another one";
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
    Statement count(database_, "SELECT count(*) FROM metric_value WHERE run = ?");
    if (!count.prepared() || count.bind(run.place.id).step() != SQLITE_ROW ||
        count.integer(0) == 0) {
      return "it has no figures";
    }
    Statement rows(database_,
                   "SELECT name, count, min_ns, max_ns, sum_ns, buckets FROM histogram WHERE run = "
                   "?");
    if (!rows.prepared()) return "its histograms cannot be read";
    int step = rows.bind(run.place.id).step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      const auto histogram = histogram_bytes(
          {rows.whole(1), rows.whole(2), rows.whole(3), rows.text(4), rows.text(5)});
      if (!histogram) return "its histogram '" + rows.text(0) + "' is damaged";
    }
    return step == SQLITE_DONE ? std::string() : "its histograms cannot be read";
  }

  sqlite3* database_;
  StoreFindings& findings_;
};

std::uint64_t size_of(const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : static_cast<std::uint64_t>(size);
}

}  // namespace

Result<StoreFindings, FileError> verify_results(const std::string& file) {
  auto database = open_results_for_reading(file);
  if (!database) return std::move(database).assume_error();
  StoreFindings findings;
  findings.schema = kResultStoreVersion;
  findings.bytes = size_of(file) + size_of(file + "-wal");
  Examination(database.assume_value().get(), findings).run();
  return findings;
}

}  // namespace photon::analysis
