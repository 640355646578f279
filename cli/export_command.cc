#include <filesystem>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/files.h"
#include "cli/output.h"
#include "notebooks_export/csv_export.h"

namespace photonsim::cli {

int export_results(const ExportCommand& command) {
  if (of_results(command.results, command.csv)) {
    complain(command.csv + ": this is part of the results file; choose another file for the CSV");
    return kUsage;
  }
  // Opening creates what does not exist; an export must not.
  if (!std::filesystem::exists(command.results)) {
    complain(command.results + ": there is no such file; give the file that run --out has written");
    return kUsage;
  }
  const auto store = photon::analysis::ResultStore::open(command.results);
  if (!store) {
    complain(store.assume_error().message());
    return kUsage;  // as judge: the input is wrong
  }
  const auto exported = notebooks::export_csv(store.assume_value(), command.csv);
  if (!exported) {
    complain(exported.assume_error().message());
    return kEnvironment;
  }
  return kOk;
}

}  // namespace photonsim::cli
