// swarm: prints the complete configuration generated from a seed.
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {

int swarm(const SwarmCommand& command) {
  const scenarios::Config config = scenarios::swarm::scenario(command.options, command.seed);
  return print_and_exit_with(scenarios::to_toml(config), kOk);
}

}  // namespace photonsim::cli
