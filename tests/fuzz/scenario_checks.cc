#include "tests/fuzz/scenario_checks.h"

#include <string>

#include "scenarios/deployment/deployment.h"
#include "scenarios/world/fault_plan.h"

namespace photon::fuzz {

namespace scenarios = photonsim::scenarios;

namespace {

bool is_readable(const scenarios::Diagnostic& problem) {
  const auto is_printable = [](const std::string& text) {
    return scenarios::printable(text) == text;
  };
  return !problem.message.empty() && is_printable(problem.message) && is_printable(problem.hint) &&
         is_printable(problem.file) && is_printable(problem.source_line);
}

}  // namespace

Outcome check_loaded(const scenarios::LoadResult& loaded) {
  if (!loaded) {
    require(!loaded.diagnostics().empty(), "a refusal has a reason");
    for (const auto& each : loaded.diagnostics()) require(is_readable(each), "errors are readable");
    require(!scenarios::format(loaded.diagnostics()).empty(), "errors can be shown");
    return Outcome::refused;
  }
  const std::string text = scenarios::to_toml(loaded.config());
  const scenarios::LoadResult again = scenarios::load_text(text, "scenarios/again.toml");
  require(again.ok(), "the canonical text of a scenario is a scenario");
  require(scenarios::to_toml(again.config()) == text, "the canonical text holds all of a scenario");
  require(scenarios::config_hash(again.config()) == scenarios::config_hash(loaded.config()),
          "the same scenario has the same hash");
  const scenarios::Deployment deployment = scenarios::deploy(again.config());
  require(deployment.groups() > 0, "a scenario has a registry");
  return Outcome::accepted;
}

}  // namespace photon::fuzz
