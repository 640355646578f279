#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class RunVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand("run", "Run a scenario once and check it with the oracles");
    verb->add_option("SCENARIO", command_.scenario, "Scenario file (TOML)")->required();
    add_overrides(verb, command_.overrides);
    verb->add_option_function<std::string>(
            "--seed", [this](const std::string& text) { command_.seed = seed_of("--seed", text); },
            "Seed of all random streams (default: run.seed)")
        ->type_name("SEED");
    verb->add_option("--out", command_.results, "Add the result to this SQLite file")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_option("--trace", command_.trace,
                     "Record the trace in this file, for judge and trace")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_flag("--baseline", command_.baseline,
                   "Run the same seed without faults too, and say what the faults cost beside it");
    add_workers(verb, command_.workers);
    add_memory(verb, command_.memory);
    add_expected(verb, command_.expected);
    add_json(verb, command_.form);
    verb->callback(std::move(chosen));
  }

  int execute() override { return run(command_); }

 private:
  RunCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> run_verb() { return std::make_unique<RunVerb>(); }

}  // namespace photonsim::cli
