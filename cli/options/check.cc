#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class CheckVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("check",
                           "Validate a scenario, with the log that it replays, and print it "
                           "with the value of every key");
    verb->add_option("SCENARIO", command_.scenario, "Scenario file (TOML)")->required();
    add_overrides(verb, command_.overrides);
    verb->callback(std::move(chosen));
  }

  int execute() override { return check(command_); }

 private:
  CheckCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> check_verb() { return std::make_unique<CheckVerb>(); }

}  // namespace photonsim::cli
