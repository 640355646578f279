#include "analysis/results/result_merge.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/results/campaign_rows.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/result_store.h"
#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kSavedAtOnce = 256;  // runs

// The point and the seed of a run of one campaign.
using Number = std::pair<std::uint32_t, std::uint64_t>;
Number number_of(const RunRecord& run) { return {run.scenario, run.seed}; }

// A results file to read from.
struct Source {
  std::string file;
  Database database;

  FileError damaged(const std::string& key, const std::string& fault) const {
    return {file, fmt::format("it is damaged: campaign {}: {}", key, fault),
            "leave this file out, or take the campaign out of it"};
  }
  FileError error() const { return error_of(file, database.get()); }

  // Of the studies of that kind. An error if a row is not as it was saved.
  Result<std::vector<StudyRow>, FileError> studies(std::string_view kind) const {
    std::vector<StudyRow> found;
    Statement row(database.get(), "SELECT * FROM study WHERE kind = ? ORDER BY key");
    if (!row.prepared()) return error();
    int step = row.bind(kind).step();
    for (; step == SQLITE_ROW; step = row.step()) {
      found.push_back(study_row(row));
      if (!found.back().fault.empty()) return damaged(found.back().key, found.back().fault);
    }
    if (step != SQLITE_DONE) return error();
    return found;
  }

  Result<CampaignIdentity, FileError> identity_of(const StudyRow& study) const {
    StoredCampaign campaign;
    if (!read_campaign(database.get(), study, campaign)) return error();
    std::vector<PointRow> points;
    if (!read_points(database.get(), study.key, points)) return error();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!read_parameters(database.get(), points[i].id, campaign.identity.points[i])) {
        return error();
      }
    }
    return std::move(campaign.identity);
  }

  // Hands each run to `take`, which says what is wrong with it, or nothing.
  Result<void, FileError> runs(const StudyRow& study,
                               const std::function<std::string(RunRecord run)>& take) const {
    const std::string fault =
        walk_study(database.get(), study, [&](const PointRow& point, const RunPlace& place) {
          if (!place.fault.empty()) return place.fault;
          auto run = read_record(database.get(), place.id);
          if (!run) return std::string("a run of it is not written as this program writes them");
          run->scenario = static_cast<std::uint32_t>(point.number);
          return take(*std::move(run));
        });
    if (!fault.empty()) return damaged(study.key, fault);
    return boost::outcome_v2::success();
  }
};

Result<Source, FileError> open_source(const std::string& file) {
  auto database = open_results_for_reading(file);
  if (!database) return std::move(database).assume_error();
  return Source{file, std::move(database).assume_value()};
}

// What one file knows of a campaign.
struct Known {
  std::map<Number, std::string> fingerprints{};  // of complete runs; empty text: it has none
  std::optional<std::string> outcome{};          // nothing: the campaign is not there
};

class Merge {
 public:
  explicit Merge(std::string into) : into_(std::move(into)) {}

  Result<Merged, FileError> add(const std::string& file) {
    auto source = open_source(file);
    if (!source) return std::move(source).assume_error();
    const auto runs = source.assume_value().studies(kRunKind);
    if (!runs) return runs.assume_error();
    Merged merged;
    for (const StudyRow& each : runs.assume_value()) {
      merged.left_out += static_cast<std::uint64_t>(each.runs);
    }
    const auto campaigns = source.assume_value().studies(kCampaignKind);
    if (!campaigns) return campaigns.assume_error();
    for (const StudyRow& each : campaigns.assume_value()) {
      if (auto done = add_campaign(source.assume_value(), each, merged); !done) {
        return std::move(done).assume_error();
      }
    }
    return merged;
  }

  std::uint64_t campaigns() const { return campaigns_.size(); }

 private:
  // The runs of that campaign that the target has.
  Result<Known, FileError> known_of(const std::string& campaign) const {
    Known known;
    auto target = open_source(into_);
    if (!target) return std::move(target).assume_error();
    const auto studies = target.assume_value().studies(kCampaignKind);
    if (!studies) return studies.assume_error();
    const auto study = std::ranges::find(studies.assume_value(), campaign, &StudyRow::key);
    if (study == studies.assume_value().end()) return known;
    known.outcome = study->outcome;
    auto read = target.assume_value().runs(*study, [&](const RunRecord& run) {
      if (run.end != RunEnd::died) known.fingerprints.emplace(number_of(run), run.fingerprint);
      return std::string();
    });
    if (!read) return std::move(read).assume_error();
    return known;
  }

  Result<void, FileError> add_campaign(const Source& source, const StudyRow& study,
                                       Merged& merged) {
    auto identity = source.identity_of(study);
    if (!identity) return std::move(identity).assume_error();
    auto store = ResultStore::open(into_);
    if (!store) return std::move(store).assume_error();
    auto known = known_of(study.key);
    if (!known) return std::move(known).assume_error();
    const Known& there = known.assume_value();
    // What was concluded of all runs holds if both parts had concluded it.
    const bool alike = !there.outcome || *there.outcome == study.outcome;
    const std::string outcome = alike ? study.outcome : std::string();
    std::vector<RunRecord> waiting;
    std::optional<FileError> failed;
    std::uint64_t copied = 0;
    const auto save = [&] {
      auto saved = store.assume_value().append(identity.assume_value(), waiting, outcome);
      if (!saved) failed = std::move(saved).assume_error();
      copied += waiting.size();
      waiting.clear();
      return failed ? failed->message() : std::string();
    };
    auto read = source.runs(study, [&](RunRecord run) {
      const auto found = there.fingerprints.find(number_of(run));
      if (found == there.fingerprints.end()) {
        waiting.push_back(std::move(run));
        return waiting.size() < kSavedAtOnce ? std::string() : save();
      }
      ++merged.known;
      if (run.end == RunEnd::died || run.fingerprint == found->second) return std::string();
      return fmt::format("its run with seed {} has another fingerprint than in {}", run.seed,
                         into_);
    });
    if (failed) return *std::move(failed);
    if (!read) return std::move(read).assume_error();
    if (!waiting.empty()) save();
    if (failed) return *std::move(failed);
    merged.copied += copied;
    if (copied > 0) campaigns_.insert(study.key);
    return boost::outcome_v2::success();
  }

  std::string into_;
  std::set<std::string> campaigns_{};  // keys of those with runs that were copied
};

bool is_one_file(const std::string& first, const std::string& second) {
  std::error_code error;
  return std::filesystem::equivalent(first, second, error) && !error;
}

}  // namespace

Result<Merged, FileError> merge_results(const std::string& into,
                                        std::span<const std::string> from) {
  for (const std::string& file : from) {
    if (!is_one_file(into, file)) continue;
    return FileError{file, "it is the file to merge into", "name the others only"};
  }
  Merged all;
  Merge merge(into);
  for (const std::string& file : from) {
    const auto added = merge.add(file);
    if (!added) return added.assume_error();
    const Merged& one = added.assume_value();
    all.copied += one.copied;
    all.known += one.known;
    all.left_out += one.left_out;
  }
  all.campaigns = merge.campaigns();
  return all;
}

}  // namespace photon::analysis
