#include "analysis/results/campaign_rows.h"

#include <optional>
#include <span>

#include <fmt/format.h>

#include "analysis/results/run_rows.h"
#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

// By the row of its point, which stays the same when the study gets more points, and with them
// another key.
std::string key_of_run(std::int64_t point, const RunRecord& run) {
  const std::string text = fmt::format("point {} seed {}", point, run.seed);
  return seal_text(hash_bytes(std::as_bytes(std::span(text))));
}

// The study of the campaign with a point for each of its scenarios, existing or new.
std::optional<StudyRow> study_of(sqlite3* database, const CampaignIdentity& identity) {
  std::optional<StudyRow> study;
  const std::string key = identity.key();
  if (!read_study(database, key, study)) return std::nullopt;
  if (study) return study;
  study = StudyRow{key, std::string(kCampaignKind), identity.self_check, identity.model_version};
  if (!write_study(database, *study)) return std::nullopt;
  for (const Point& each : identity.points) {
    if (!add_point(database, *study, each)) return std::nullopt;
  }
  return study;
}

}  // namespace

bool append_runs(sqlite3* database, const CampaignIdentity& identity,
                 std::span<const RunRecord> runs, const std::optional<std::string>& outcome) {
  auto study = study_of(database, identity);
  std::vector<PointRow> points;
  if (!study || !read_points(database, study->key, points)) return false;
  RunWriter writer(database);
  for (const RunRecord& run : runs) {
    PHOTON_CHECK(run.scenario < points.size(), "a run is of one of the campaign's scenarios");
    const std::int64_t point = points[run.scenario].id;
    const NewRun place{point, study->runs + 1, key_of_run(point, run)};
    const auto id = writer.add(place, run);
    if (!id) return false;
    if (*id == RunWriter::kThere) continue;
    const auto seal = writer.seal(*id);
    if (!seal) return false;
    ++study->runs;
    study->digest += *seal;
    // What was concluded knew nothing of this run.
    if (outcome) study->outcome = *outcome;
  }
  return write_study(database, *study);
}

bool extend_study(sqlite3* database, const CampaignIdentity& from, const CampaignIdentity& to,
                  const std::string& outcome, std::string& fault) {
  std::optional<StudyRow> study;
  if (!read_study(database, from.key(), study)) return false;
  if (!study) return write_outcome(database, to, outcome);
  PHOTON_CHECK(from.points.size() <= to.points.size(), "a study is extended by more points");
  fault = study->fault;
  if (!fault.empty() || !rename_study(database, *study, to.key(), fault)) return false;
  for (std::size_t i = from.points.size(); i < to.points.size(); ++i) {
    if (!add_point(database, *study, to.points[i])) return false;
  }
  study->outcome = outcome;  // what was concluded knew nothing of these points
  return write_study(database, *study);
}

bool write_outcome(sqlite3* database, const CampaignIdentity& identity,
                   const std::string& outcome) {
  auto study = study_of(database, identity);
  if (!study) return false;
  study->outcome = outcome;
  return write_study(database, *study);
}

bool read_campaign(sqlite3* database, const StudyRow& study, StoredCampaign& campaign) {
  campaign.key = study.key;
  campaign.runs = static_cast<std::uint64_t>(study.runs);
  campaign.identity.self_check = study.self_check;
  campaign.identity.model_version = study.model_version;
  std::vector<PointRow> points;
  if (!read_points(database, study.key, points)) return false;
  for (PointRow& each : points) campaign.identity.points.push_back(std::move(each.point));
  return true;
}

}  // namespace photon::analysis
