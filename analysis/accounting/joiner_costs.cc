#include "analysis/accounting/joiner_costs.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

JoinerCosts::JoinerCosts(const Evidence& evidence, ViolationLog& log)
    : evidence_(evidence), log_(log), charged_(evidence.joiner_ends().size()) {
  for (const JoinerEnd& end : evidence.joiner_ends()) costs_.push_back({.end = end});
}

// Each lost click is one end's doing, unless its output was durable after all: then storage's.
void JoinerCosts::charge(std::uint32_t click_index) {
  const Click& click = evidence_.click(click_index);
  if (!click.is_owned()) return;
  const Attempt* owner = evidence_.find_attempt(click_index, click.owner);
  if (owner == nullptr) return;
  const Attempt& dead = owner->superseded ? evidence_.last_try(*owner) : *owner;
  if (dead.end != kNoIndex && !dead.output_durable) ++charged_[dead.end];
}

std::vector<JoinerEndCost> JoinerCosts::finish() {
  for (std::uint32_t i = 0; i < evidence_.attempts(); ++i) {
    const Attempt& attempt = evidence_.attempt(i);
    if (attempt.end != kNoIndex) place(attempt);
  }
  for (std::size_t i = 0; i < costs_.size(); ++i) check(costs_[i], charged_[i]);
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

void JoinerCosts::check(const JoinerEndCost& cost, std::uint64_t charged) {
  const JoinerEnd& end = cost.end;
  const std::uint32_t bound = evidence_.config().joiner_window_bound;
  const auto accuse = [&](std::string_view what) {
    log_.add({"J.2", Severity::safety, evidence_.now(), kNoNode, EventId{},
              fmt::format("node {}, life {}, which ended at {}: {}", end.node.value(),
                          end.life.value(), describe(end.at), what)});
  };
  if (charged != cost.lost) {
    accuse(fmt::format("{} clicks lost with it, but {} stood registered in its window of {}",
                       charged, cost.lost, end.window));
  }
  const std::uint64_t placed = cost.lost + cost.returned + cost.landed + cost.idle;
  if (placed != end.window) {
    accuse(
        fmt::format("{} attempts in its window, but {} came to an end: {} lost, {} brought "
                    "back, {} written after all, {} never registered",
                    end.window, placed, cost.lost, cost.returned, cost.landed, cost.idle));
  }
  if (bound != 0 && end.window > bound) {
    accuse(fmt::format("{} attempts in its window; the declared bound is {}", end.window, bound));
  }
  if (end.in_order && end.window > 0) {
    accuse(fmt::format("ended in good order with {} attempts in its window", end.window));
  }
}

}  // namespace photon::analysis
