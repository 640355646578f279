#include <utility>

#include <CLI/CLI.hpp>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/options/values.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

class TraceVerb final : public Verb {
 public:
  void declare(CLI::App& app, std::function<void()> chosen) override {
    CLI::App* verb =
        app.add_subcommand("trace", "Draw what happened around a violation, a time, or an event");
    verb->add_option("INPUT", command_.input,
                     "Trace file written by run --trace, or a scenario (.toml), which is run")
        ->required();
    add_overrides(verb, command_.overrides);
    verb->add_option_function<std::string>(
            "--seed", [this](const std::string& text) { command_.seed = seed_of("--seed", text); },
            "Seed of the run (default: run.seed)")
        ->type_name("SEED");
    CLI::Option* around = verb->add_option_function<std::string>(
        "--around",
        [this](const std::string& text) { command_.around = length_of("--around", text); },
        "Show what happened around this time of the run, such as 83.5s");
    around->type_name("TIME");
    verb->add_option("--violation", command_.violation,
                     "Show this violation, by its number in judge's list (default: 1)")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->excludes(around);
    verb->add_option_function<std::string>(
            "--window", [this](const std::string& text) { set_window(text); },
            "Length of what is shown (default: 5s, 4s of it before a violation)")
        ->type_name("TIME");
    verb->add_option("--process", command_.processes,
                     "Show only these processes and their peers: us-east1, */joiner, ...")
        ->type_name("PATTERN")
        ->check(not_empty);
    verb->add_option("--event", command_.event,
                     "Show only what concerns this event, by its id, or its name in the log that "
                     "was replayed; without --around and --violation, from the whole run")
        ->type_name("ID")
        ->check(not_empty);
    verb->add_option("--html", command_.html, "Write a space-time diagram, an offline HTML page")
        ->type_name("FILE")
        ->check(not_empty);
    verb->add_option("--perfetto", command_.perfetto, "Write a Perfetto trace (protobuf)")
        ->type_name("FILE")
        ->check(not_empty);
    verb->callback(std::move(chosen));
  }

  int execute() override {
    const auto refuse = [](const char* why) {
      complain(why);
      return static_cast<int>(kUsage);
    };
    if (command_.html.empty() && command_.perfetto.empty()) {
      return refuse("name a file to write: --html FILE, --perfetto FILE, or both");
    }
    const bool all_of_event = !command_.event.empty() && !command_.around && !command_.violation;
    if (all_of_event && command_.window) {
      return refuse("--event alone shows all about it; --window goes with --around or --violation");
    }
    return trace(command_);
  }

 private:
  void set_window(const std::string& text) {
    command_.window = length_of("--window", text);
    if (*command_.window == photon::Duration::zero()) {
      throw CLI::ValidationError("--window", "nothing happens in no time; 5s is usual");
    }
  }

  TraceCommand command_{};
};

}  // namespace

std::unique_ptr<Verb> trace_verb() { return std::make_unique<TraceVerb>(); }

}  // namespace photonsim::cli
