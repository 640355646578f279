#include "cli/program.h"

#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "campaigns/pool/child_process.h"
#include "cli/cluster/launch.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/version.h"
#include "cli/options/help.h"
#include "cli/options/verb.h"

namespace photonsim::cli {
namespace {

// In the order in which --help lists them.
std::vector<std::unique_ptr<Verb>> all_verbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto make :
       {run_verb, plan_verb, sweep_verb, fuzz_verb, swarm_verb, repro_verb, judge_verb, trace_verb,
        report_verb, scorecard_verb, diff_verb, check_verb, explain_verb, export_verb, db_verb}) {
    verbs.push_back(make());
  }
  return verbs;
}

int execute(int argc, char** argv) {
  const std::vector<std::unique_ptr<Verb>> verbs = all_verbs();
  Verb* chosen = nullptr;
  CLI::App app("A research simulator and deterministic test harness for Photon.", "photonsim");
  app.formatter(help_formatter());
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", version_text(), "Print the version");
  app.footer(
      "Data goes to standard output, progress and errors to standard error. `photonsim explain "
      "exit-codes` lists the exit codes.");
  for (const auto& verb : verbs) {
    verb->declare(app, [&chosen, each = verb.get()] { chosen = each; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      complain(usage_problem(app, error));
      return kUsage;
    }
    std::ostringstream out;  // help or version
    app.exit(error, out, out);
    return print_and_exit_with(out.str(), kOk);
  }
  return chosen->execute();
}

}  // namespace

int run_program(int argc, char** argv, scenarios::Extensions extensions) {
  // The writer handles a closed pipe and a file-size limit as write errors.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  keep_standard_streams();
  if ((extensions.adapter != nullptr) != (extensions.reference != nullptr)) {
    complain(
        "the program brings an adapter without a reference, or a reference without an adapter: the "
        "oracles compare one with the other. Remedy: set Extensions::adapter and "
        "Extensions::reference");
    return kUsage;
  }
  if (extensions.adapter || extensions.joiner) extensions.program = argv[0];
  scenarios::install_extensions(std::move(extensions));
  try {  // nothing below throws; this is the last line of defence
    const Launch launched = launch(Words(argv, argv + argc), version_text());
    if (!launched.complaint.empty()) complain(launched.complaint);
    return launched.exit_code ? *launched.exit_code : execute(argc, argv);
  } catch (const std::bad_alloc&) {
    complain(campaigns::out_of_memory({}));
    return kEnvironment;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return kInternal;
  }
}

}  // namespace photonsim::cli
