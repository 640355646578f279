#include "analysis/accounting/joiner_costs.h"

namespace photon::analysis {

JoinerCosts::JoinerCosts(const Evidence& evidence) : evidence_(evidence) {
  for (const JoinerEnd& end : evidence.joiner_ends()) costs_.push_back({.end = end});
}

// Each lost click is charged to one end, unless its output was durable after all: then to storage.
void JoinerCosts::charge(std::uint32_t click_index) {
  const Click& click = evidence_.click(click_index);
  if (!click.is_owned()) return;
  const Attempt* owner = evidence_.find_attempt(click_index, click.owner);
  if (owner == nullptr) return;
  const Attempt& dead = owner->superseded ? evidence_.last_try(*owner) : *owner;
  if (dead.end != kNoIndex && !dead.output_durable) ++costs_[dead.end].charged;
}

std::vector<JoinerEndCost> JoinerCosts::finish() {
  for (std::uint32_t i = 0; i < evidence_.attempts(); ++i) {
    const Attempt& attempt = evidence_.attempt(i);
    if (attempt.end != kNoIndex) place(attempt);
  }
  return std::move(costs_);
}

void JoinerCosts::place(const Attempt& attempt) {
  const Click& click = evidence_.click(attempt.click);
  JoinerEndCost& cost = costs_[attempt.end];
  if (attempt.output_durable) {
    ++cost.landed;
  } else if (is_lost(attempt, click)) {
    ++cost.lost;
  } else if (attempt.took_effect && (!click.is_owned() || click.owner != attempt.token)) {
    ++cost.returned;
  } else {
    ++cost.idle;
  }
}

bool JoinerCosts::is_lost(const Attempt& attempt, const Click& click) const {
  if (!click.generated || click.is_joined() || !click.is_owned()) return false;
  if (click.owner == attempt.token) return attempt.took_effect;
  const Attempt* owner = evidence_.find_attempt(attempt.click, click.owner);
  return owner != nullptr && owner->superseded && &evidence_.last_try(*owner) == &attempt;
}

}  // namespace photon::analysis
