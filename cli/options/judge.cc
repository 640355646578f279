#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class JudgeVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand("judge", "Check a recorded trace with the oracles");
    verb->add_option("TRACE", command_.trace, "Trace file written by run --trace")->required();
    add_json(verb, command_.form);
    verb->callback(std::move(chosen));
  }

  int execute() override { return judge(command_); }

 private:
  JudgeCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> judge_verb() { return std::make_unique<JudgeVerb>(); }

}  // namespace photonsim::cli
