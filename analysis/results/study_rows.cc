#include "analysis/results/study_rows.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "analysis/results/run_rows.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

std::uint64_t row_digest(const Statement& row, int columns) {
  Bytes bytes;
  append_row(row, columns, bytes);
  return hash_bytes(bytes);
}

constexpr std::string_view kScenarioPoint = "scenario";
constexpr std::string_view kGeneratedPoint = "generated";

PointRow point_row(const Statement& row) {
  const PointKind kind =
      row.text(4) == kGeneratedPoint ? PointKind::generated : PointKind::scenario;
  return {row.whole(0), row.whole(2), {row.text(3), kind, row.text(5), {}}};
}

std::string changed_point(std::int64_t number) {
  return fmt::format("a value of its point number {} is not the one that was saved", number);
}

std::string other_points(std::int64_t found, std::int64_t saved) {
  return fmt::format("it has {} points, and {} were saved", found, saved);
}

struct SealedPoint {
  std::int64_t id = 0;
  std::int64_t number = 0;
  std::string seal{};
};

// In the order of their numbers. False: an error.
bool read_sealed_points(sqlite3* database, const std::string& study,
                        std::vector<SealedPoint>& points) {
  Statement row(database, "SELECT id, number, seal FROM point WHERE study = ? ORDER BY number");
  if (!row.prepared()) return false;
  int step = row.bind(study).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    points.push_back({row.whole(0), row.whole(1), row.text(2)});
  }
  return step == SQLITE_DONE;
}

}  // namespace

std::string seal_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::uint64_t seal_number(const std::string& text) {
  constexpr int kHexadecimal = 16;
  std::uint64_t number = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, kHexadecimal);
  return error == std::errc{} && stop == text.data() + text.size() ? number : 0;
}

std::string key_of_runs(std::string_view model_version) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(std::string(kRunKind), std::string(model_version));
  return seal_text(hash_bytes(bytes));
}

StudyRow study_row(const Statement& row) {
  StudyRow study{row.text(0),
                 row.text(1),
                 row.real(2),
                 row.text(3),
                 row.whole(4),
                 row.whole(5),
                 seal_number(row.text(6)),
                 row.text(7),
                 {}};
  constexpr int kSeal = 8;
  if (seal_text(row_digest(row, kSeal)) != row.text(kSeal)) {
    study.fault = "a value of its own row is not the one that was saved";
  }
  return study;
}

bool write_study(sqlite3* database, const StudyRow& study) {
  // No REPLACE: that would first delete the row and all rows that belong to it.
  Statement insert(
      database,
      "INSERT INTO study VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '') ON CONFLICT (key) "
      "DO UPDATE SET points = ?5, runs = ?6, digest = ?7, outcome = ?8");
  if (!insert.prepared()) return false;
  insert.bind(study.key).bind(study.kind).bind(study.self_check).bind(study.model_version);
  insert.bind(study.points).bind(study.runs).bind(seal_text(study.digest));
  if (!insert.bind(study.outcome).run()) return false;
  Statement row(database, "SELECT * FROM study WHERE key = ?");
  if (!row.prepared() || row.bind(study.key).step() != SQLITE_ROW) return false;
  const std::string seal = seal_text(row_digest(row, row.columns() - 1));
  Statement update(database, "UPDATE study SET seal = ? WHERE key = ?");
  return update.prepared() && update.bind(seal).bind(study.key).run();
}

bool read_study(sqlite3* database, const std::string& key, std::optional<StudyRow>& study) {
  Statement row(database, "SELECT * FROM study WHERE key = ?");
  if (!row.prepared()) return false;
  const int step = row.bind(key).step();
  if (step == SQLITE_ROW) study = study_row(row);
  return step == SQLITE_ROW || step == SQLITE_DONE;
}

PointDigest::PointDigest(sqlite3* database)
    : point_(database, "SELECT study, number, scenario, kind, text FROM point WHERE id = ?"),
      parameters_(database, "SELECT name, value FROM parameter WHERE point = ? ORDER BY name") {}

std::optional<std::uint64_t> PointDigest::of(std::int64_t id) {
  Bytes bytes;
  for (Statement* const rows : {&point_, &parameters_}) {
    if (!rows->prepared()) return std::nullopt;
    int step = rows->bind(id).step();
    for (; step == SQLITE_ROW; step = rows->step()) append_row(*rows, rows->columns(), bytes);
    rows->reset();
    if (step != SQLITE_DONE) return std::nullopt;
  }
  return hash_bytes(bytes);
}

std::optional<PointRow> add_point(sqlite3* database, StudyRow& study, const Point& added) {
  Statement insert(database, "INSERT INTO point VALUES (NULL, ?, ?, ?, ?, ?, '')");
  if (!insert.prepared()) return std::nullopt;
  insert.bind(study.key).bind(study.points).bind(added.scenario);
  insert.bind(added.kind == PointKind::generated ? kGeneratedPoint : kScenarioPoint);
  if (!insert.bind(added.text).run()) return std::nullopt;
  const PointRow point{sqlite3_last_insert_rowid(database),
                       study.points,
                       {added.scenario, added.kind, added.text, {}}};
  Statement parameter(database, "INSERT INTO parameter VALUES (?, ?, ?)");
  if (!parameter.prepared()) return std::nullopt;
  for (const auto& [name, value] : added.parameters) {
    if (!parameter.bind(point.id).bind(name).bind(value).run()) return std::nullopt;
  }
  const auto digest = PointDigest(database).of(point.id);
  Statement seal(database, "UPDATE point SET seal = ? WHERE id = ?");
  if (!digest || !seal.prepared() || !seal.bind(seal_text(*digest)).bind(point.id).run()) {
    return std::nullopt;
  }
  ++study.points;
  study.digest += *digest;
  return point;
}

bool read_points(sqlite3* database, const std::string& study, std::vector<PointRow>& points) {
  Statement row(database, "SELECT * FROM point WHERE study = ? ORDER BY number");
  if (!row.prepared()) return false;
  int step = row.bind(study).step();
  for (; step == SQLITE_ROW; step = row.step()) points.push_back(point_row(row));
  return step == SQLITE_DONE;
}

bool rename_study(sqlite3* database, StudyRow& study, const std::string& key, std::string& fault) {
  std::vector<SealedPoint> points;
  if (!read_sealed_points(database, study.key, points)) return false;
  const auto found = static_cast<std::int64_t>(points.size());
  if (found != study.points) fault = other_points(found, study.points);
  // A new seal would hide a change.
  PointDigest digests(database);
  for (const SealedPoint& point : points) {
    const auto digest = digests.of(point.id);
    if (!digest) return false;
    if (seal_text(*digest) != point.seal) fault = changed_point(point.number);
    study.digest -= *digest;
  }
  if (!fault.empty()) return false;
  const std::string old = std::exchange(study.key, key);
  Statement move(database, "UPDATE point SET study = ? WHERE study = ?");
  if (!write_study(database, study) || !move.prepared() || !move.bind(key).bind(old).run()) {
    return false;
  }
  Statement renew(database, "UPDATE point SET seal = ? WHERE id = ?");
  for (const SealedPoint& point : points) {
    const auto digest = digests.of(point.id);
    if (!digest || !renew.prepared()) return false;
    if (!renew.bind(seal_text(*digest)).bind(point.id).run()) return false;
    study.digest += *digest;
  }
  Statement remove(database, "DELETE FROM study WHERE key = ?");
  return remove.prepared() && remove.bind(old).run() && write_study(database, study);
}

bool read_parameters(sqlite3* database, std::int64_t id, Point& point) {
  Statement row(database, "SELECT name, value FROM parameter WHERE point = ? ORDER BY name");
  if (!row.prepared()) return false;
  int step = row.bind(id).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    point.parameters.push_back({row.text(0), row.text(1)});
  }
  return step == SQLITE_DONE;
}

namespace {

// Walks through the runs of one study, and adds up the seals that it has proven.
class StudyWalk {
 public:
  StudyWalk(sqlite3* database, const StudyRow& study) : database_(database), study_(study) {}

  std::string points() {
    if (!read_points(database_, study_.key, points_)) return "its points cannot be read";
    PointDigest digests(database_);
    for (const PointRow& point : points_) {
      Statement seal(database_, "SELECT seal FROM point WHERE id = ?");
      const auto digest = digests.of(point.id);
      if (!digest || !seal.prepared() || seal.bind(point.id).step() != SQLITE_ROW) {
        return "its points cannot be read";
      }
      if (seal_text(*digest) != seal.text(0)) {
        return changed_point(point.number);
      }
      sum_ += *digest;
    }
    const auto found = static_cast<std::int64_t>(points_.size());
    return found == study_.points ? std::string() : other_points(found, study_.points);
  }

  std::string runs(const std::function<std::string(const PointRow&, const RunPlace&)>& take) {
    Statement row(database_,
                  "SELECT run.id, run.number, run.seal, point.number FROM run JOIN point ON "
                  "point.id = run.point WHERE point.study = ? ORDER BY run.id");
    if (!row.prepared()) return "its runs cannot be read";
    int step = row.bind(study_.key).step();
    std::int64_t runs = 0;
    for (; step == SQLITE_ROW; step = row.step()) {
      ++runs;
      RunPlace place{row.whole(0), row.whole(1), 0, {}};
      const auto contents = contents_of_run(database_, place.id);
      if (!contents) return "its runs cannot be read";
      place.rows = contents->rows;
      const auto point = static_cast<std::size_t>(row.whole(3));
      if (seal_text(contents->digest) != row.text(2) || point >= points_.size()) {
        place.fault =
            fmt::format("a value of its run number {} is not the one that was saved", place.number);
      }
      if (point >= points_.size()) return place.fault;
      sum_ += seal_number(row.text(2));
      if (std::string fault = take(points_[point], place); !fault.empty()) return fault;
    }
    if (step != SQLITE_DONE) return "its runs cannot be read";
    if (runs != study_.runs) {
      return fmt::format("it has {} runs, and {} were saved", runs, study_.runs);
    }
    return sum_ == study_.digest ? std::string() : "its runs are not those that were saved";
  }

 private:
  sqlite3* database_;
  const StudyRow& study_;
  std::vector<PointRow> points_{};
  std::uint64_t sum_ = 0;
};

}  // namespace

std::string walk_study(sqlite3* database, const StudyRow& study,
                       const std::function<std::string(const PointRow&, const RunPlace&)>& take) {
  if (!study.fault.empty()) return study.fault;
  StudyWalk walk(database, study);
  std::string fault = walk.points();
  return fault.empty() ? walk.runs(take) : fault;
}

}  // namespace photon::analysis
