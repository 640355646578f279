// db: about results files.
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/results/result_merge.h"
#include "analysis/results/result_store.h"
#include "analysis/results/result_verify.h"
#include "campaigns/runs/shell_words.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"

namespace photonsim::cli {

namespace analysis = photon::analysis;

namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr double kMebibyte = 1024.0 * 1024.0;
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / kMebibyte);
}

std::string line_of(const std::string& file, const analysis::StoreFindings& found) {
  std::string line = file + ": whole: ";
  if (found.runs > 0 || found.campaigns == 0) {
    line += fmt::format("{} of {}, {} sealed, ", analysis::counted(found.runs, "run"),
                        analysis::counted(found.scenarios, "scenario"),
                        analysis::counted(found.rows, "row"));
  }
  if (found.campaigns > 0) {
    line += fmt::format("{} of {}, ", analysis::counted(found.campaigns, "campaign"),
                        analysis::counted(found.campaign_runs, "run"));
  }
  line += fmt::format("{}, schema {}", size_text(found.bytes), found.schema);
  return line + "\n";
}

}  // namespace

int db_verify(const DbVerifyCommand& command) {
  const auto verified = analysis::verify_results(command.results);
  if (!verified) {
    const analysis::FileError& error = verified.assume_error();
    complain(error.message());
    return code_of_unreadable(error);
  }
  const analysis::StoreFindings& found = verified.assume_value();
  if (found.is_whole()) return print_and_exit_with(line_of(command.results, found), kOk);
  for (const std::string& fault : found.faults) complain(command.results + ": " + fault);
  if (found.faulty_campaigns.size() == found.faults.size()) {  // there are no other errors
    for (const std::string& key : found.faulty_campaigns) {
      complain(fmt::format(
          "{}: campaign {} is damaged: take it out, then run it again: {}", command.results, key,
          campaigns::sqlite_command(command.results, analysis::removal_of_campaign(key))));
    }
    return kEnvironment;
  }
  const bool others = found.faulty_runs > 0 && found.faulty_runs < found.runs;
  complain(fmt::format(
      "{}: it is damaged: {}; then run again what is missing, into a new file", command.results,
      others ? fmt::format("{} of its {} runs are not as they were saved, copy the "
                           "others with `sqlite3`",
                           found.faulty_runs, found.runs)
             : std::string("move it away")));
  return kEnvironment;
}

int db_merge(const DbMergeCommand& command) {
  const auto merged = analysis::merge_results(command.into, command.from);
  if (!merged) {
    complain(merged.assume_error().message());
    return code_of_unreadable(merged.assume_error());
  }
  const analysis::Merged& found = merged.assume_value();
  if (found.left_out > 0) {
    say(fmt::format("{} of run --out left out: they belong to no campaign\n",
                    analysis::counted(found.left_out, "run")));
  }
  return print_and_exit_with(
      fmt::format("{}: {} of {} copied, {} there already\n", command.into,
                  analysis::counted(found.copied, "run"),
                  analysis::counted(found.campaigns, "campaign"), found.known),
      kOk);
}

}  // namespace photonsim::cli
