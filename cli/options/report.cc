#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ReportVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "report", "Draw the runs of a results file: one page for a browser, or Markdown");
    verb->add_option("RESULTS", command_.results, kResultsFile)->required();
    verb->add_option(
            "-o,--html", command_.html,
            "Write a page with charts: one file, for which a browser needs no network; - is "
            "standard output")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_option("--md", command_.markdown,
                     "Write the short form for a pull request; - is standard output")
        ->type_name("FILE")
        ->check(not_empty);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (command_.html.empty() && command_.markdown.empty()) {
      complain("name a file to write: photonsim report RESULTS -o report.html, or --md -");
      return kUsage;
    }
    return write_report(command_);
  }

 private:
  ReportCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> report_verb() { return std::make_unique<ReportVerb>(); }

}  // namespace photonsim::cli
