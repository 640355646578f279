#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class ReproVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("repro", "Replay a failing run: a scenario, or a seed of the swarm");
    verb->add_option("SCENARIO", command_.scenario, "Scenario file, such as a minimized repro");
    auto* swarm = verb->add_flag("--swarm", of_the_swarm_,
                                 "Generate the configuration from --seed; takes no SCENARIO");
    verb->add_option_function<std::string>(
            "--seed",
            [this](const std::string& text) {
              command_.swarm.seed = seed_of("--seed", text);
              command_.run.seed = command_.swarm.seed;
            },
            "Seed of the run (default: run.seed; with --swarm 1)")
        ->type_name("SEED");
    add_overrides(verb, command_.run.overrides);
    verb->add_flag("--twice", command_.run.twice,
                   "Rerun in another process; exit with 5 if the two runs differ");
    add_swarm_options(verb, command_.swarm.options, swarm);
    verb->add_option("--trace", command_.run.trace,
                     "Record the trace in this file, for judge and trace")
        ->type_name("FILE")
        ->check(not_empty);
    add_workers(verb, command_.run.workers);
    add_memory(verb, command_.run.memory);
    add_json(verb, command_.run.form);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (command_.scenario.empty() && !of_the_swarm_) {
      complain("repro needs a scenario file, or --swarm with --seed");
      return kUsage;
    }
    const std::size_t scenarios = command_.scenario.empty() ? 0 : 1;
    if (of_the_swarm_ && !takes_only_seeds(scenarios, command_.run.overrides)) return kUsage;
    return repro(command_);
  }

 private:
  ReproCommand command_{};
  bool of_the_swarm_ = false;
};

}  // namespace

std::unique_ptr<Verb> repro_verb() { return std::make_unique<ReproVerb>(); }

}  // namespace photonsim::cli
