// export: a results file as CSV, and notebooks that read it.
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/results/file_names.h"
#include "analysis/results/result_reader.h"
#include "campaigns/runs/shell_words.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "notebooks_export/csv_export.h"
#include "notebooks_export/notebooks.h"
#include "notebooks_export/tidy_export.h"
#include "scenarios/language/schema.h"

namespace photonsim::cli {

namespace analysis = photon::analysis;

int code_of_unreadable(const analysis::FileError& error) {
  return error.damaged ? kEnvironment : kUsage;  // as judge: the input is wrong
}

namespace {

// What the schema says of a key; of another parameter nothing.
std::string meaning_of(std::string_view parameter) {
  const scenarios::KeyPlace place = scenarios::find_key(parameter);
  return place.table == nullptr ? "" : std::string(place.table->key(place.index).doc);
}

// The target that is part of the results file, or none.
std::string target_in_results(const ExportCommand& command) {
  std::vector<std::string> targets{command.csv};
  for (const std::string& each : notebooks::tidy_files()) {
    if (!command.folder.empty()) targets.push_back(command.folder + "/" + each);
  }
  for (const std::string& each : notebooks::notebook_files()) {
    if (!command.notebooks.empty()) targets.push_back(command.notebooks + "/" + each);
  }
  for (const std::string& each : targets) {
    if (analysis::of_results(command.results, each)) return each;
  }
  return {};
}

int export_folders(const ExportCommand& command, const analysis::ResultReader& results) {
  const auto exported = notebooks::export_tidy(results, command.folder, meaning_of);
  if (!exported) {
    complain(campaigns::error_text(exported.assume_error()));
    return kEnvironment;
  }
  for (const notebooks::ExportedFile& each : exported.assume_value()) {
    say(fmt::format("{}/{}: {}\n", command.folder, each.name,
                    photon::analysis::counted(each.rows, "row")));
  }
  if (command.notebooks.empty()) return kOk;
  const auto written = notebooks::write_notebooks(command.notebooks, command.folder);
  if (!written) {
    complain(campaigns::error_text(written.assume_error()));
    return kEnvironment;
  }
  say(fmt::format("{}: {}; photonsim_results.py beside them reads the tables\n", command.notebooks,
                  photon::analysis::counted(written.assume_value(), "notebook")));
  return kOk;
}

}  // namespace

int export_results(const ExportCommand& command) {
  if (const std::string target = target_in_results(command); !target.empty()) {
    complain(target + ": this is part of the results file; choose another place for the export");
    return kUsage;
  }
  const auto results = analysis::ResultReader::open(command.results);
  if (!results) {
    complain(results.assume_error().message());
    return code_of_unreadable(results.assume_error());
  }
  const auto& reader = results.assume_value();
  if (!command.folder.empty()) return export_folders(command, reader);
  const auto form = command.what == ExportCommand::What::metrics ? notebooks::CsvForm::metrics
                                                                 : notebooks::CsvForm::runs;
  std::uint64_t pairs = 0;
  const bool joined = command.what == ExportCommand::What::joined;
  const auto exported = joined ? notebooks::export_joined_pairs(reader, command.csv, pairs)
                               : notebooks::export_csv(reader, command.csv, form);
  if (exported && joined && pairs == 0) {
    complain(
        command.results +
        ": no run of it replayed a log; `photonsim run SCENARIO --out FILE` keeps the pairs of "
        "one with workload.kind = \"trace\"");
    return kUsage;
  }
  if (exported) return kOk;
  complain(campaigns::error_text(exported.assume_error()));
  return kEnvironment;  // it is damaged, or the CSV cannot be written
}

}  // namespace photonsim::cli
