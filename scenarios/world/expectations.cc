#include "scenarios/world/expectations.h"

#include <algorithm>

#include "analysis/oracles/oracle_table.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/consequences.h"

namespace photonsim::scenarios {
namespace {

bool is_of_liveness(std::string_view oracle) {
  const photon::analysis::OracleRow* const row = photon::analysis::find_oracle(oracle);
  return row != nullptr && row->severity == photon::analysis::Severity::liveness;
}

// Wrong bytes in a cell stay wrong, and no other copy exists: a joined record that is never copied
// elsewhere (D-08), because its original is damaged, is not a stall of Photon.
bool has_rotten_cell(const Config& config) {
  return std::ranges::any_of(consequences_of(config).wrong_bytes, [&](const std::string& place) {
    return has_datacenter(config, place);
  });
}

}  // namespace

bool Expectations::is_exempt(std::string_view oracle) const {
  return std::ranges::find(exempt, oracle) != exempt.end();
}

bool Expectations::is_expected(std::string_view oracle) const {
  return std::ranges::find(detected_by, oracle) != detected_by.end();
}

bool Expectations::expects_safety() const {
  return tier != Tier::kContract || std::ranges::all_of(detected_by, is_of_liveness);
}

Expectations expectations_of(const Config& config) {
  const Scenario& scenario = config.scenario;
  Expectations expectations{scenario.tier, scenario.breaks, scenario.detected_by, {}};
  if (scenario.tier == Tier::kOver && has_rotten_cell(config))
    expectations.exempt.emplace_back("D-08");
  return expectations;
}

}  // namespace photonsim::scenarios
