#include <utility>

#include <CLI/CLI.hpp>

#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class SweepVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb = app.add_subcommand(
        "sweep", "Run a study: replications of many configurations, with intervals");
    verb->add_option("STUDY", command_.study, "Study file (TOML)")->required();
    verb->add_option("--out", command_.results,
                     "Add each run to this SQLite file; skip the runs that it already holds")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_option("-j,--jobs", command_.jobs, "Number of worker processes (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    verb->add_option_function<std::string>(
            "--memory",
            [this](const std::string& text) { command_.memory = memory_of("--memory", text); },
            "Fail a run whose process needs more memory than this (default: 4GiB)")
        ->type_name("SIZE");
    verb->add_option_function<std::string>(
            "--shard", [this](const std::string& text) { command_.share = share_of(text); },
            "Run one of several shares of the study, such as 2/8, into a file of its own; "
            "`db merge` puts the files together")
        ->type_name("I/N")
        ->needs("--out");
    verb->add_flag("--charts", command_.charts,
                   "Print claims and charts alone, if all runs ended well");
    add_expected(verb, command_.expected);
    add_json(verb, command_.form);
    verb->callback(std::move(chosen));
  }

  int execute() override { return sweep(command_); }

 private:
  StudyCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> sweep_verb() { return std::make_unique<SweepVerb>(); }

}  // namespace photonsim::cli
