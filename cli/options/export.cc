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
    CLI::App* verb = app.add_subcommand("export", "Write the figures of a results file as CSV");
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
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (command_.csv.empty()) {
      complain("name a file to write: photonsim export RESULTS CSV, or --joined CSV");
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
