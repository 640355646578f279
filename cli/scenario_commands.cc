// check and explain: about scenarios, without running them.
#include <string>

#include <fmt/format.h>

#include "campaigns/mark_tally.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/schema.h"

namespace photonsim::cli {

int check(const CheckCommand& command) {
  const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
  if (!loaded) {
    say(scenarios::format(loaded.diagnostics()));
    return kUsage;
  }
  say(scenarios::format(loaded.warnings()));
  return print_and_exit_with(scenarios::to_toml(loaded.config()), kOk);
}

namespace {

std::string exit_codes_text() {
  std::string text;
  for (const ExitCodeMeaning& each : kExitCodes) {
    text += fmt::format("{:>3}  {}\n", each.code, each.text);
  }
  return text;
}

}  // namespace

int explain(const std::string& key) {
  if (key == kExitCodesTopic) return print_and_exit_with(exit_codes_text(), kOk);
  if (!key.empty()) {
    const std::string text = scenarios::explain(key);
    if (scenarios::is_known(key)) return print_and_exit_with(text, kOk);
    say(text);
    return kUsage;
  }
  std::string text;
  for (const std::string& each : scenarios::all_keys()) text += each + "\n";
  return print_and_exit_with(text, kOk);
}

int explain_marks() {
  std::string text;
  for (const photon::MarkPlace& each : photon::all_marks()) {
    const std::string_view exemption = photon::exemption_of(each.name);
    text += photon::analysis::line_of(each);
    text += exemption.empty() ? "\n" : fmt::format("  ({})\n", exemption);
  }
  return print_and_exit_with(text, kOk);
}

}  // namespace photonsim::cli
