#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ExportVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("export", "Write a results file as CSV, and notebooks that read it");
    verb->add_option("RESULTS", command_.results, kResultsFile)->required();
    CLI::Option* csv = verb->add_option("CSV", command_.csv, "File to write");
    CLI::Option* joined = verb->add_option_function<std::string>(
        "--joined",
        [this](const std::string& file) {
          command_.csv = file;
          command_.what = ExportCommand::What::joined;
        },
        "Write one line for each foreign event of the logs that runs have replayed: its primary, "
        "what became of it, when, and where");
    joined->type_name("CSV")->check(not_empty)->excludes(csv);
    verb->add_flag_callback(
            "--runs", [this] { command_.what = ExportCommand::What::runs; },
            "Write one line for each run instead of one for each figure")
        ->excludes(joined);
    CLI::Option* tidy =
        verb->add_option("--csv", command_.folder,
                         "Write tidy tables and a data dictionary: runs, metrics, histograms as "
                         "rows, shards, series, faults, losses, findings; parameters as columns");
    tidy->type_name("FOLDER")->check(not_empty)->excludes(csv)->excludes(joined);
    verb->add_option("--notebooks", command_.notebooks,
                     "Write Jupyter notebooks that read the tables of --csv, and the Python module "
                     "photonsim_results beside them")
        ->type_name("FOLDER")
        ->check(not_empty)
        ->needs(tidy);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (command_.csv.empty() && command_.folder.empty()) {
      complain("name what to write: photonsim export RESULTS CSV, --csv FOLDER or --joined CSV");
      return kUsage;
    }
    return export_results(command_);
  }

 private:
  ExportCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> export_verb() { return std::make_unique<ExportVerb>(); }

}  // namespace photonsim::cli
