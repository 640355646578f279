// export: a results file as CSV.
#include "analysis/results/file_names.h"
#include "analysis/results/result_reader.h"
#include "campaigns/runs/shell_words.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "notebooks_export/csv_export.h"

namespace photonsim::cli {

namespace analysis = photon::analysis;

int code_of_unreadable(const analysis::FileError& error) {
  return error.damaged ? kEnvironment : kUsage;  // as judge: the input is wrong
}

int export_results(const ExportCommand& command) {
  if (analysis::of_results(command.results, command.csv)) {
    complain(command.csv + ": this is part of the results file; choose another file for the CSV");
    return kUsage;
  }
  const auto results = analysis::ResultReader::open(command.results);
  if (!results) {
    complain(results.assume_error().message());
    return code_of_unreadable(results.assume_error());
  }
  const auto& reader = results.assume_value();
  const auto form = command.what == ExportCommand::What::metrics ? notebooks::CsvForm::metrics
                                                                 : notebooks::CsvForm::runs;
  std::uint64_t pairs = 0;
  const bool joined = command.what == ExportCommand::What::joined;
  const auto exported = joined ? notebooks::export_joined_pairs(reader, command.csv, pairs)
                               : notebooks::export_csv(reader, command.csv, form);
  if (exported && joined && pairs == 0) {
    say(command.results +
        ": no run of it replayed a log; `photonsim run SCENARIO --out FILE` keeps the pairs of one "
        "with workload.kind = \"trace\"\n");
  }
  if (exported) return kOk;
  complain(campaigns::error_text(exported.assume_error()));
  return kEnvironment;  // it is damaged, or the CSV cannot be written
}

}  // namespace photonsim::cli
