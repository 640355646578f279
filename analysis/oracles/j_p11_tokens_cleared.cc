#include "analysis/oracles/j_p11_tokens_cleared.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void TokensCleared::finish(Liveness liveness) {
  if (liveness == Liveness::exempt || !config().verified()) return;
  for (std::uint32_t index = 0; index < join_.clicks(); ++index) {
    const Click& click = join_.click(index);
    const Registration& registration = registry_.registration(index);
    const bool holds = click.is_joined() && registration.owner == click.joined_by;
    if (!holds) continue;
    if (registration.is_cleared()) {
      oblige();
      continue;
    }
    if (!had_time(click, registration)) continue;
    oblige();
    report_at_end(kNoNode, click.id,
                  fmt::format("its joined record has been durable since {}, and shard {} still "
                              "stores token {}",
                              describe(click.joined_at), registration.owner_shard.value(),
                              describe(registration.owner)));
  }
}

bool TokensCleared::had_time(const Click& click, const Registration& registration) const {
  if (click.record_lost) return false;
  const SimTime passed = registry_.boundaries().passed_at(registration.owner_shard, click.id.stamp);
  if (passed != SimTime::max()) return false;
  const SimTime since = std::max(click.joined_at, registration.owned_at);
  return join_.longest_fault_free(since, now(), Duration{}) > config().recovery_bound;
}

}  // namespace photon::analysis
