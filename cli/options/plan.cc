#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class PlanVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("plan", "List what a study would run, with predicted utilisation");
    verb->add_option("STUDY", command_.study, "Study file (TOML)")->required();
    add_json(verb, command_.form);
    verb->callback(std::move(chosen));
  }

  int execute() override { return plan(command_); }

 private:
  StudyCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> plan_verb() { return std::make_unique<PlanVerb>(); }

}  // namespace photonsim::cli
