#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class SwarmVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("swarm", "Print the configuration that the swarm generates from a seed");
    verb->add_option_function<std::string>(
            "--seed", [this](const std::string& text) { command_.seed = seed_of("--seed", text); },
            "Seed of the configuration (default: 1)")
        ->type_name("SEED");
    add_swarm_options(verb, command_.options);
    verb->callback(std::move(chosen));
  }

  int execute() override { return swarm(command_); }

 private:
  SwarmCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> swarm_verb() { return std::make_unique<SwarmVerb>(); }

}  // namespace photonsim::cli
