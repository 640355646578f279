// photonsim: one verb per job (DESIGN 7). Each verb declares its own options (cli/options).
#include <csignal>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"
#include "cli/options/verb.h"
#include "cli/output.h"
#include "cli/version.h"

namespace photonsim::cli {
namespace {

// In the order in which --help lists them.
std::vector<std::unique_ptr<Verb>> all_verbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto make : {run_verb, fuzz_verb, swarm_verb, repro_verb, judge_verb, trace_verb,
                          check_verb, explain_verb, export_verb, db_verb}) {
    verbs.push_back(make());
  }
  return verbs;
}

int execute(int argc, char** argv) {
  const std::vector<std::unique_ptr<Verb>> verbs = all_verbs();
  Verb* chosen = nullptr;
  CLI::App app("A research simulator and deterministic test harness for Photon.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "photonsim, model " + model_version());
  app.footer(
      "Data goes to stdout, progress and errors to stderr. Exit codes: 0 ok, 2 usage or "
      "scenario, 3 safety violation, 4 liveness violation, 5 not deterministic, 7 something that "
      "was asked for did not happen or was not checked, 8 environment, 70 internal, 130 "
      "interrupted.");
  for (const auto& verb : verbs) {
    verb->declare(app, [&chosen, each = verb.get()] { chosen = each; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;  // help and version
    std::ostringstream err;
    const int code = app.exit(error, out, err);
    say(err.str());
    return code == 0 ? print_and_exit_with(out.str(), kOk) : kUsage;
  }
  return chosen->execute();
}

}  // namespace
}  // namespace photonsim::cli

int main(int argc, char** argv) {
  // A closed pipe and a file-size limit are errors of a write, which say so and end with 8.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  photonsim::cli::keep_standard_streams();
  try {  // nothing below throws on purpose; this is the last line of defence
    return photonsim::cli::execute(argc, argv);
  } catch (const std::exception& error) {
    photonsim::cli::complain(std::string("internal error: ") + error.what());
    return photonsim::cli::kInternal;
  }
}
