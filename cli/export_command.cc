#include <filesystem>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/shell_words.h"
#include "notebooks_export/campaign_csv.h"
#include "notebooks_export/csv_export.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

int refused(const std::string& why) {
  complain(why);
  return kUsage;
}

// An unreadable file, or one without what is wanted, is wrong input, as for judge.
int export_runs(const ExportCommand& command, const analysis::CampaignStore& campaigns) {
  const auto store = analysis::ResultStore::open(command.results);
  if (!store) return refused(store.assume_error().message());
  const auto keys = store.assume_value().keys();
  const auto others = campaigns.campaigns();
  if (keys && keys.assume_value().empty() && others && !others.assume_value().empty()) {
    return refused(command.results + ": it holds runs of campaigns alone; add --campaigns");
  }
  const auto exported = notebooks::export_csv(store.assume_value(), command.csv);
  if (exported) return kOk;
  complain(error_text(exported.assume_error()));
  return kEnvironment;
}

int export_campaigns(const ExportCommand& command, const analysis::CampaignStore& store) {
  const auto campaigns = store.campaigns();
  if (campaigns && campaigns.assume_value().empty()) {
    return refused(command.results + ": it holds no campaign; give a file of fuzz --out");
  }
  const auto exported = notebooks::export_campaigns_csv(store, command.csv);
  if (exported) return kOk;
  complain(error_text(exported.assume_error()));
  return kEnvironment;
}

}  // namespace

int export_results(const ExportCommand& command) {
  if (of_results(command.results, command.csv)) {
    return refused(command.csv +
                   ": this is part of the results file; choose another file for the CSV");
  }
  // Opening creates what does not exist; an export must not.
  if (!std::filesystem::exists(command.results)) {
    return refused(command.results + ": there is no such file; give the one that --out has made");
  }
  const auto campaigns = analysis::CampaignStore::open(command.results);
  if (!campaigns) return refused(campaigns.assume_error().message());
  return command.what == ExportCommand::What::runs
             ? export_runs(command, campaigns.assume_value())
             : export_campaigns(command, campaigns.assume_value());
}

}  // namespace photonsim::cli
