#include "cli/campaign_results.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/draft_file.h"
#include "cli/exit_codes.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/run_outputs.h"
#include "cli/shell_words.h"
#include "cli/verdict.h"
#include "cli/version.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

// What decides the results of its runs.
analysis::CampaignIdentity identity_of(const CampaignPlan& plan) {
  analysis::CampaignIdentity identity;
  identity.names = plan.command.names();
  if (plan.command.swarm) identity.scenarios.push_back(swarm_words(*plan.command.swarm));
  for (scenarios::Config config : plan.configs) {
    config.run.seed = 0;  // each run has its own
    identity.scenarios.push_back(resolved_text(config));
  }
  identity.self_check = plan.command.self_check;
  identity.model_version = model_version();
  identity.counts = analysis::campaign_count_names();
  for (const photon::MarkPlace& mark : photon::all_marks()) identity.marks.emplace_back(mark.name);
  return identity;
}

// Says so and returns false if the results file is one that the campaign reads or writes otherwise.
bool apart(const CampaignPlan& plan) {
  const CampaignCommand& command = plan.command;
  std::vector<std::string> others = command.scenarios;
  for (const scenarios::Config& config : plan.configs) {
    if (config.workload.kind != scenarios::WorkloadKind::kTrace) continue;
    others.push_back(config.workload.primary.file);
    others.push_back(config.workload.foreign.file);
  }
  others.push_back(command.ci.junit);
  for (const std::string& other : others) {
    if (other.empty() || !of_results(command.results, other)) continue;
    complain("--out " + command.results + ": this file is also " +
             (other == command.ci.junit ? "that of --junit" : "one that the runs read") +
             "; choose another one with --out");
    return false;
  }
  return true;
}

bool plain(const std::string& file) {
  std::error_code error;
  const auto found = std::filesystem::status(file, error);
  return !std::filesystem::exists(found) || std::filesystem::is_regular_file(found);
}

}  // namespace

int CampaignResults::open(const CampaignPlan& plan) {
  wanted_ = plan.command.results;
  if (wanted_.empty()) return kOk;
  if (!apart(plan)) return kUsage;
  const std::string target = analysis::target_of(wanted_);
  if (!plain(target)) {
    complain(wanted_ + ": this is no plain file; choose another file with --out");
    return kEnvironment;
  }
  analysis::make_folders_of(target);
  auto store = analysis::CampaignStore::open(target);
  if (!store) {
    refuse(std::move(store).assume_error());
    complain(error_);
    return kEnvironment;
  }
  store_ = std::move(store).assume_value();
  identity_ = identity_of(plan);
  return kOk;
}

bool CampaignResults::refuse(analysis::FileError error) {
  error.file = wanted_;
  error_ = error_text(error);
  return false;
}

bool CampaignResults::read(const std::function<void(analysis::CampaignRun run)>& take) {
  if (!store_) return true;
  auto done = store_->read(identity_.key(), take);
  return done ? true : refuse(std::move(done).assume_error());
}

void CampaignResults::add(const analysis::CampaignRun& run) {
  if (store_) waiting_.push_back(run);
}

bool CampaignResults::save() {
  saved_ = Clock::now();
  if (!store_ || waiting_.empty()) return true;
  auto done = store_->append(identity_, waiting_);
  if (!done) {
    store_.reset();
    return refuse(std::move(done).assume_error());
  }
  waiting_.clear();
  return true;
}

}  // namespace photonsim::cli
