// report: a results file as a page or as Markdown.
#include <filesystem>

#include "analysis/results/file_names.h"
#include "analysis/results/result_reader.h"
#include "analysis/trace_files/draft_file.h"
#include "campaigns/runs/shell_words.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/report_data.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

// False after an error message.
bool apart(const ReportCommand& command) {
  for (const std::string& file : {command.html, command.markdown}) {
    if (file.empty() || file == "-" || !analysis::of_results(command.results, file)) continue;
    complain(file + ": this is part of the results file; choose another file for the report");
    return false;
  }
  return true;
}

// "-": to standard output. Any other code than kOk after an error message.
int write(const std::string& file, const std::string& text) {
  if (file == "-") return print_and_exit_with(text, kOk);
  const auto written = analysis::write_file(file, text);
  if (written) return kOk;
  complain(campaigns::error_text(written.assume_error()));
  return kEnvironment;
}

}  // namespace

int write_report(const ReportCommand& command) {
  if (!apart(command)) return kUsage;
  if (command.html == "-" && command.markdown == "-") {
    complain("--html and --md both write to standard output; name a file for one of them");
    return kUsage;
  }
  const auto results = analysis::ResultReader::open(command.results);
  if (!results) {
    complain(results.assume_error().message());
    return code_of_unreadable(results.assume_error());
  }
  const std::string name = std::filesystem::path(command.results).filename().string();
  const auto data = report::report_data(results.assume_value(), name);
  if (!data) {
    complain(data.assume_error().message());
    return code_of_unreadable(data.assume_error());
  }
  if (data.assume_value().at("verdict").as_object().at("runs") == 0) {
    complain(command.results + ": it has no runs; `photonsim run SCENARIO --out FILE` writes some");
    return kUsage;
  }
  if (!command.html.empty()) {
    const int code = write(command.html, report::html_page(data.assume_value()));
    if (code != kOk) return code;
  }
  return command.markdown.empty() ? kOk
                                  : write(command.markdown, report::markdown(data.assume_value()));
}

}  // namespace photonsim::cli
