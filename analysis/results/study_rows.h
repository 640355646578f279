// Studies and their points in a results file, for the files of this folder that read and write
// them.
//
// Seals: the row of a point is sealed together with its parameters, a run together with all its
// rows (run_rows.h). The row of the study has the numbers of points and runs and the sum of their
// seals; it has a seal of its own. So a changed value is noticed, and so is a missing point or run;
// a missing study is not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/result_database.h"
#include "analysis/results/study.h"

namespace photon::analysis {

// The kinds of studies: the runs of one campaign, or all runs that `run --out` of one model
// version saved.
inline constexpr std::string_view kCampaignKind = "campaign";
inline constexpr std::string_view kRunKind = "run";

// The key of the study to which runs of `run --out` belong.
std::string key_of_runs(std::string_view model_version);

struct StudyRow {
  std::string key{};
  std::string kind{};
  double self_check = 0;
  std::string model_version{};
  std::int64_t points = 0;
  std::int64_t runs = 0;
  std::uint64_t digest = 0;  // the sum of the seals of its points and runs
  std::string outcome{};     // what its program concluded from all its runs; empty: nothing yet
  std::string fault{};       // not as it was saved; empty if it is
};
// Of the row that `SELECT * FROM study` gives.
StudyRow study_row(const Statement& row);
// Writes it with its seal, replacing a row of the same key; false: an error.
bool write_study(sqlite3* database, const StudyRow& study);
// Nothing if there is no such study. False: an error.
bool read_study(sqlite3* database, const std::string& key, std::optional<StudyRow>& study);

struct PointRow {
  std::int64_t id = 0;
  std::int64_t number = 0;  // in its study, from 0
  Point point{};            // without its parameters
};
// Adds a point with its parameters at the end of the study; nothing: an error.
std::optional<PointRow> add_point(sqlite3* database, StudyRow& study, const Point& point);
// In the order of their numbers. False: an error.
bool read_points(sqlite3* database, const std::string& study, std::vector<PointRow>& points);

// Gives the study another key, which no study has, and renews the seals of its points; no row of a
// run is written. `fault`: a point is not as it was saved; then the transaction must not be
// committed. False: that, or an error.
bool rename_study(sqlite3* database, StudyRow& study, const std::string& key, std::string& fault);

// The parameters of the point with that id. False: an error.
bool read_parameters(sqlite3* database, std::int64_t id, Point& point);

// Digests of all rows of points.
class PointDigest {
 public:
  explicit PointDigest(sqlite3* database);
  // Nothing: an error.
  std::optional<std::uint64_t> of(std::int64_t id);

 private:
  Statement point_, parameters_;
};

std::string seal_text(std::uint64_t digest);
std::uint64_t seal_number(const std::string& text);  // 0 if it is none

struct RunPlace {
  std::int64_t id = 0;
  std::int64_t number = 0;
  std::int64_t rows = 0;  // of the run, in all tables
  std::string fault{};    // its rows are not as they were saved; empty if they are
};
// Proves the study: its points, each run, and that none is missing. Each run is passed to
// `take`, which returns whether the walk ends there, and why. Returns that reason, or the first
// fault, or nothing.
std::string walk_study(sqlite3* database, const StudyRow& study,
                       const std::function<std::string(const PointRow&, const RunPlace&)>& take);

}  // namespace photon::analysis
