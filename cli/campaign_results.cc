#include "cli/campaign_results.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
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

// What makes it another campaign than `stored` is.
std::vector<std::string> differences(const analysis::CampaignIdentity& stored,
                                     const analysis::CampaignIdentity& now) {
  std::vector<std::string> list;
  if (stored.model_version != now.model_version) {
    list.push_back(fmt::format("was done by another version of the program, {}, which is {} now",
                               stored.model_version, now.model_version));
  }
  if (stored.self_check != now.self_check) {
    list.push_back(fmt::format("was done with --self-check {:g}, which is {:g} now",
                               100 * stored.self_check, 100 * now.self_check));
  }
  if (stored.scenarios != now.scenarios) list.emplace_back("says something else");
  return list;
}

// A word about the campaign of the same names that is most like the one that begins.
void tell_new_campaign(const std::string& file, const analysis::CampaignIdentity& identity,
                       const std::vector<analysis::StoredCampaign>& stored) {
  std::optional<std::vector<std::string>> least;
  for (const analysis::StoredCampaign& each : stored) {
    if (each.key == identity.key()) return;
    if (each.identity.names != identity.names) continue;
    std::vector<std::string> differs = differences(each.identity, identity);
    if (!least || differs.size() < least->size()) least = std::move(differs);
  }
  if (!least) return;
  say(fmt::format("{}: a new campaign begins in it: the one of {} that it has {}\n", file,
                  fmt::join(identity.names, ", "), fmt::join(*least, ", and ")));
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
  // What is wrong with the file shows when its runs are read.
  const auto stored = store_->campaigns();
  if (stored) tell_new_campaign(wanted_, identity_, stored.assume_value());
  return kOk;
}

bool CampaignResults::refuse(analysis::FileError error) {
  error.file = wanted_;
  error_ = error_text(error);
  return false;
}

bool CampaignResults::read(const std::function<void(analysis::RunRecord run)>& take) {
  if (!store_) return true;
  auto done = store_->read(identity_.key(), take);
  return done ? true : refuse(std::move(done).assume_error());
}

void CampaignResults::add(const analysis::RunRecord& run) {
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
