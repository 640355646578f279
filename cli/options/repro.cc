#include <utility>

#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"
#include "cli/output.h"

namespace photonsim::cli {
namespace {

class ReproVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "repro",
        "Show a failure again: a story, a scenario with its seed, or a world of the swarm");
    auto* scenario = verb->add_option("SCENARIO", command_.scenario, "TOML file");
    auto* swarm = verb->add_flag("--swarm", of_the_swarm_, "A world of the swarm");
    swarm->excludes(scenario);
    verb->add_option_function<std::string>(
        "--seed",
        [this](const std::string& text) {
          command_.swarm.seed = seed_of("--seed", text);
          command_.run.seed = command_.swarm.seed;
        },
        "Seed (default: the scenario's; of the swarm 1)");
    add_overrides(verb, command_.run.overrides)->excludes(swarm);
    verb->add_flag("--twice", command_.run.twice,
                   "Do it again in another process and compare: 5 if it is not the same");
    add_swarm_options(verb, command_.swarm.options, swarm);
    verb->add_option("--trace", command_.run.trace, "Write every trace record to this file")
        ->check(not_empty);
    add_json(verb, command_.run.form);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    if (command_.scenario.empty() && !of_the_swarm_) {
      complain("name a scenario, or say --swarm and --seed");
      return kUsage;
    }
    return repro(command_);
  }

 private:
  ReproCommand command_{};
  bool of_the_swarm_ = false;
};

}  // namespace

std::unique_ptr<Verb> repro_verb() { return std::make_unique<ReproVerb>(); }

}  // namespace photonsim::cli
