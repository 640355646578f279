#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/commands.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class DiffVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "diff", "Compare two results files seed by seed, or two traces record by record");
    verb->add_option("BEFORE", command_.before, "Results file, or trace with --first-divergence")
        ->required()
        ->check(not_empty);
    verb->add_option("AFTER", command_.after, "The other one")->required()->check(not_empty);
    CLI::Option* gate =
        verb->add_option("--gate", command_.gates,
                         "End with 1 if a figure changed by more than this file accepts")
            ->type_name("TOML")
            ->check(not_empty);
    CLI::Option* json = verb->add_flag_callback(
        "--json", [this] { command_.form = OutputForm::json; }, "Print one JSON object");
    verb->add_flag("--first-divergence", command_.traces,
                   "Compare two traces of one run (run --trace): which record differs first, in "
                   "which fields")
        ->excludes(gate)
        ->excludes(json);
    verb->callback(std::move(chosen));
  }

  int execute() override { return diff(command_); }

 private:
  DiffCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> diff_verb() { return std::make_unique<DiffVerb>(); }

}  // namespace photonsim::cli
