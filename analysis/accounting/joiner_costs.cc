#include "analysis/accounting/joiner_costs.h"

#include "analysis/evidence/evidence.h"

namespace photon::analysis {

JoinerCosts::JoinerCosts(const Evidence& evidence) : evidence_(evidence) {
  for (const JoinerEnd& end : evidence.join().joiner_ends()) costs_.push_back({.end = end});
}

// Each lost click is charged to one end, unless its output was durable after all: then to storage.
void JoinerCosts::charge(std::uint32_t click_index) {
  const Registration& registration = evidence_.registry().registration(click_index);
  if (!registration.is_owned()) return;
  const Attempt* owner = evidence_.join().find_attempt(click_index, registration.owner);
  if (owner == nullptr) return;
  const Attempt& dead = owner->superseded ? evidence_.join().last_try(*owner) : *owner;
  if (dead.end != kNoIndex && !dead.output_durable) ++costs_[dead.end].charged;
}

std::vector<JoinerEndCost> JoinerCosts::finish() {
  for (std::uint32_t i = 0; i < evidence_.join().attempts(); ++i) {
    if (i % Evidence::kTickRows == 0) evidence_.tick();
    const Attempt& attempt = evidence_.join().attempt(i);
    if (attempt.end != kNoIndex) place(attempt);
  }
  return std::move(costs_);
}

void JoinerCosts::place(const Attempt& attempt) {
  const Click& click = evidence_.join().click(attempt.click);
  const Registration& registration = evidence_.registry().registration(attempt.click);
  JoinerEndCost& cost = costs_[attempt.end];
  if (attempt.output_durable) {
    ++cost.became_durable;
  } else if (is_lost(attempt, click)) {
    ++cost.lost;
  } else if (attempt.took_effect &&
             (!registration.is_owned() || registration.owner != attempt.token)) {
    ++cost.returned;
  } else {
    ++cost.never_registered;
  }
}

bool JoinerCosts::is_lost(const Attempt& attempt, const Click& click) const {
  const Registration& registration = evidence_.registry().registration(attempt.click);
  if (!click.generated || click.is_joined() || !registration.is_owned()) return false;
  if (registration.owner == attempt.token) return attempt.took_effect;
  const Attempt* owner = evidence_.join().find_attempt(attempt.click, registration.owner);
  return owner != nullptr && owner->superseded && &evidence_.join().last_try(*owner) == &attempt;
}

}  // namespace photon::analysis
