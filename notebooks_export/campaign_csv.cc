#include "notebooks_export/campaign_csv.h"

#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/verdict.h"
#include "analysis/trace_files/draft_file.h"
#include "notebooks_export/csv_field.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;
using analysis::FileError;
using analysis::RunRecord;
using analysis::StoredCampaign;

// Columns in the order in which they were first named.
class CsvColumns {
 public:
  std::size_t place_of(const std::string& name) {
    const auto [found, added] = places_.try_emplace(name, names_.size());
    if (added) names_.push_back(name);
    return found->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_{};
  std::map<std::string, std::size_t> places_{};
};

class CampaignLines {
 public:
  CampaignLines(const analysis::CampaignStore& store, std::vector<StoredCampaign> campaigns)
      : store_(store), campaigns_(std::move(campaigns)) {}

  // Which groups of counts there are, is known once all runs were seen.
  photon::Result<void, FileError> find_columns() {
    for (const char* name : {"campaign", "scenario", "seed", "exit_code", "verdict", "what",
                             "replay", "fingerprint", "events", "sim_seconds", "cpu_seconds"}) {
      columns_.place_of(name);
    }
    std::set<std::string> marks;  // by name, whatever run was first
    std::set<std::string> coverage;
    auto seen = for_each_run([&](const StoredCampaign&, const RunRecord& run) {
      for (const auto& each : run.metrics) columns_.place_of(each.name);
      for (const auto& each : run.corner_cases) columns_.place_of(each.name);
      for (const auto& each : run.fault_kinds) coverage.insert("fault_kinds." + each.name);
      for (const auto& each : run.obligations) coverage.insert("demands." + each.name);
      for (const auto& each : run.marks) marks.insert("marks." + each.name);
    });
    if (!seen) return seen;
    for (const std::string& name : coverage) columns_.place_of(name);
    for (const std::string& name : marks) columns_.place_of(name);
    return boost::outcome_v2::success();
  }

  std::string head() const { return fmt::format("{}\n", fmt::join(columns_.names(), ",")); }

  photon::Result<void, FileError> write(std::FILE* out, const std::string& file) {
    bool written = true;
    auto done = for_each_run([&](const StoredCampaign& campaign, const RunRecord& run) {
      const std::string line = line_of(campaign, run);
      written = written && std::fwrite(line.data(), 1, line.size(), out) == line.size();
    });
    if (done && !written) return analysis::cannot_write(file);
    return done;
  }

 private:
  template <class Take>
  photon::Result<void, FileError> for_each_run(const Take& take) const {
    for (const StoredCampaign& each : campaigns_) {
      auto read = store_.read(each.key, [&](const RunRecord& run) { take(each, run); });
      if (!read) return read;
    }
    return boost::outcome_v2::success();
  }

  std::string line_of(const StoredCampaign& campaign, const RunRecord& run) {
    const analysis::CampaignIdentity& identity = campaign.identity;
    std::vector<std::string> cells(columns_.names().size());
    const auto put = [&](const std::string& column, const auto& value) {
      cells[columns_.place_of(column)] = fmt::format("{}", value);
    };
    put("campaign", campaign.key);
    if (run.scenario < identity.names.size()) {
      put("scenario", csv_field(identity.names[run.scenario]));
    }
    put("seed", run.seed);
    put("exit_code", run.exit_code);
    put("verdict", run.end == analysis::RunEnd::died ? analysis::kDied.name
                                                     : analysis::verdict_name(run.exit_code));
    put("what", csv_field(run.what));
    put("replay", csv_field(run.replay));
    put("fingerprint", run.fingerprint);
    put("events", run.events);
    put("sim_seconds", static_cast<double>(run.sim_milliseconds) / 1e3);
    put("cpu_seconds", static_cast<double>(run.cpu_microseconds) / 1e6);
    for (const auto& each : run.metrics) put(each.name, each.value);
    for (const auto& each : run.corner_cases) put(each.name, each.count);
    for (const auto& each : run.fault_kinds) put("fault_kinds." + each.name, each.count);
    for (const auto& each : run.obligations) put("demands." + each.name, each.count);
    for (const auto& each : run.marks) put("marks." + each.name, each.count);
    return fmt::format("{}\n", fmt::join(cells, ","));
  }

  const analysis::CampaignStore& store_;
  std::vector<StoredCampaign> campaigns_;
  CsvColumns columns_{};
};

}  // namespace

photon::Result<void, FileError> export_campaigns_csv(const analysis::CampaignStore& store,
                                                     const std::string& file) {
  auto campaigns = store.campaigns();
  if (!campaigns) return std::move(campaigns).assume_error();
  CampaignLines lines(store, std::move(campaigns).assume_value());
  if (auto found = lines.find_columns(); !found) return found;
  auto draft = analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  std::FILE* const out = draft.assume_value().stream();
  const std::string head = lines.head();
  if (std::fwrite(head.data(), 1, head.size(), out) != head.size()) {
    return analysis::cannot_write(file);
  }
  if (auto written = lines.write(out, file); !written) return written;
  return draft.assume_value().replace();
}

}  // namespace photonsim::notebooks
