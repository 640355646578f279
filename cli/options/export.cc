#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ExportVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand("export", "Write the figures of a results file as CSV");
    verb->add_option("RESULTS", command_.results, kResultsFile)->required();
    verb->add_option("CSV", command_.csv, "File to write")->required();
    verb->add_flag_callback(
        "--runs", [this] { command_.what = ExportCommand::What::runs; },
        "Write one line for each run instead of one for each figure");
    verb->callback(std::move(chosen));
  }

  int execute() override { return export_results(command_); }

 private:
  ExportCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> export_verb() { return std::make_unique<ExportVerb>(); }

}  // namespace photonsim::cli
