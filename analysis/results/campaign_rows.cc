#include "analysis/results/campaign_rows.h"

#include <optional>
#include <span>

#include <fmt/format.h>

#include "analysis/results/run_rows.h"
#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

// The number of the run in the campaign, whatever its outcome.
std::string key_of_run(const std::string& campaign, const RunRecord& run) {
  const std::string text = fmt::format("{} {} {}", campaign, run.scenario, run.seed);
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
                 std::span<const RunRecord> runs, const std::string& outcome) {
  auto study = study_of(database, identity);
  std::vector<PointRow> points;
  if (!study || !read_points(database, study->key, points)) return false;
  RunWriter writer(database);
  for (const RunRecord& run : runs) {
    PHOTON_CHECK(run.scenario < points.size(), "a run is of one of the campaign's scenarios");
    const NewRun place{points[run.scenario].id, study->runs + 1, key_of_run(study->key, run)};
    const auto id = writer.add(place, run);
    if (!id) return false;
    if (*id == RunWriter::kThere) continue;
    const auto seal = writer.seal(*id);
    if (!seal) return false;
    ++study->runs;
    study->digest += *seal;
    study->outcome = outcome;  // what was concluded knew nothing of this run
  }
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
