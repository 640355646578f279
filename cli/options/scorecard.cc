#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/commands.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ScorecardVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "scorecard", "List the claims of publications that studies of a results file judged");
    verb->add_option("RESULTS", command_.results, kResultsFile)->required();
    add_json(verb, command_.form);
    verb->callback(std::move(chosen));
  }

  int execute() override { return scorecard(command_); }

 private:
  ScorecardCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> scorecard_verb() { return std::make_unique<ScorecardVerb>(); }

}  // namespace photonsim::cli
