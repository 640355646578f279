#include "campaigns/results_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "campaigns/runs/points.h"
#include "campaigns/runs/shell_words.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/check.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

std::vector<std::string> texts_of(const analysis::CampaignIdentity& campaign) {
  std::vector<std::string> texts;
  for (const analysis::Point& each : campaign.points) texts.push_back(each.text);
  return texts;
}

// The differences from the campaign `stored`.
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
  if (texts_of(stored) != texts_of(now)) list.emplace_back("has other settings");
  return list;
}

// A note on the stored campaign with the same names that differs least from the new one.
std::string about(const std::string& file, const analysis::CampaignIdentity& identity,
                  const std::vector<analysis::StoredCampaign>& stored) {
  std::optional<std::vector<std::string>> least;
  for (const analysis::StoredCampaign& each : stored) {
    if (each.key == identity.key()) return {};
    if (each.identity.names() != identity.names()) continue;
    std::vector<std::string> differs = differences(each.identity, identity);
    if (!least || differs.size() < least->size()) least = std::move(differs);
  }
  if (!least) return {};
  return fmt::format("{}: starts a new campaign: the stored one of {} {}", file,
                     fmt::join(identity.names(), ", "), fmt::join(*least, ", and "));
}

// Whether these are the first points of it.
bool begins(const analysis::CampaignIdentity& longer, const analysis::CampaignIdentity& points) {
  const std::vector<std::string> all = texts_of(longer), first = texts_of(points);
  return longer.model_version == points.model_version && longer.self_check == points.self_check &&
         all.size() >= first.size() && std::equal(first.begin(), first.end(), all.begin());
}

bool plain(const std::string& file) {
  std::error_code error;
  const auto found = std::filesystem::status(file, error);
  return !std::filesystem::exists(found) || std::filesystem::is_regular_file(found);
}

}  // namespace

analysis::CampaignIdentity identity_of(const CampaignPlan& plan) {
  analysis::CampaignIdentity identity;
  if (plan.spec().swarm) identity.points.push_back(point_of(*plan.spec().swarm));
  for (const CampaignSpec::Scenario& each : plan.spec().scenarios) {
    identity.points.push_back(point_of(each.config.scenario.name, each.config));
  }
  if (const auto& search = plan.spec().guided) {
    // Its configurations depend on the seed of the first one.
    const std::string first = fmt::format("{}", plan.spec().first);
    const std::string feedback = search->feedback == scenarios::guided::Feedback::on ? "on" : "off";
    analysis::Point& point = identity.points.front();
    point.text += fmt::format("\n# guided search from seed {}, feedback {}\n", first, feedback);
    point.parameters.push_back({"guided-first-seed", first});
    point.parameters.push_back({"guided-feedback", feedback});
  }
  identity.self_check = plan.spec().determinism_share;
  identity.model_version = plan.spec().model_version;
  return identity;
}

bool ResultsFile::open(const std::string& file, analysis::CampaignIdentity identity) {
  named_ = file;
  const std::string target = analysis::target_of(named_);
  if (!plain(target)) {
    error_ = named_ + ": this is no plain file; choose another file with --out";
    return false;
  }
  analysis::make_folders_of(target);
  auto store = analysis::ResultStore::open(target);
  if (!store) return refuse(std::move(store).assume_error());
  store_ = std::move(store).assume_value();
  identity_ = std::move(identity);
  planned_ = identity_.points.size();
  // Errors in the file's contents show when its runs are read.
  const auto stored = store_->campaigns();
  if (stored) about_others_ = about(named_, identity_, stored.assume_value());
  return true;
}

bool ResultsFile::refuse(analysis::FileError error) {
  error.file = named_;
  error_ = error_text(error);
  return false;
}

bool ResultsFile::read(const std::function<void(analysis::RunRecord run)>& take) {
  if (!store_) return true;
  auto done = store_->read(identity_.key(), take);
  return done ? true : refuse(std::move(done).assume_error());
}

std::optional<ResultsFile::Growth> ResultsFile::grow(analysis::CampaignIdentity identity) {
  planned_ = identity.points.size();
  const bool same = identity.key() == identity_.key();
  // It may have more points: those of the stored study that it goes on as.
  if (!same && begins(identity_, identity)) return Growth::unchanged;
  if (!store_) {
    identity_ = std::move(identity);
    return same ? Growth::unchanged : Growth::extended;
  }
  PHOTON_CHECK(waiting_.empty(), "the rows of a campaign are saved before it grows");
  const auto fail = [this](analysis::FileError error) {
    refuse(std::move(error));
    return std::nullopt;
  };
  auto longest = store_->longest_from(identity, identity_.key());
  if (!longest) return fail(std::move(longest).assume_error());
  if (auto& found = longest.assume_value()) {
    const bool present = found->key() == identity_.key();
    if (!present) identity_ = *std::move(found);
    return present ? Growth::unchanged : Growth::adopted;
  }
  if (same) return Growth::unchanged;  // nothing of it is stored yet
  auto done = store_->continue_as(identity_, identity, announced_);
  if (!done) return fail(std::move(done).assume_error());
  identity_ = std::move(identity);
  const bool in_place = done.assume_value() == analysis::ResultStore::Continued::in_place;
  return in_place ? Growth::extended : Growth::adopted;
}

void ResultsFile::add(const analysis::RunRecord& run) {
  if (store_) waiting_.push_back(run);
}

bool ResultsFile::save() {
  saved_ = Clock::now();
  if (!store_ || waiting_.empty()) return true;
  auto done = is_longer() ? store_->append(identity_, waiting_, std::nullopt)
                          : store_->append(identity_, waiting_, announced_);
  if (!done) {
    store_.reset();
    return refuse(std::move(done).assume_error());
  }
  waiting_.clear();
  return true;
}

bool ResultsFile::announce(std::string outcome) {
  announced_ = std::move(outcome);
  return conclude(announced_);
}

bool ResultsFile::conclude(const std::string& outcome) {
  if (!store_ || is_longer()) return true;
  auto done = store_->conclude(identity_, outcome);
  return done ? true : refuse(std::move(done).assume_error());
}

}  // namespace photonsim::campaigns
