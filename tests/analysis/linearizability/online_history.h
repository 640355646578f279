// A whole history given to the check of a running system.
#pragma once

#include <algorithm>
#include <compare>
#include <vector>

#include "analysis/linearizability/history.h"
#include "analysis/linearizability/online_check.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

// Calls and returns in the order of time, at equal times calls first. False: an answer that no
// order explains.
template <class Model>
bool online(const History<Model>& history) {
  struct Event {
    HistoryTime at = 0;
    bool returns = false;
    std::size_t operation = 0;
    auto operator<=>(const Event&) const = default;
  };
  std::vector<Event> events;
  for (std::size_t i = 0; i < history.size(); ++i) {
    events.push_back({history[i].called, false, i});
    if (history[i].completion == Completion::returned) {
      events.push_back({history[i].returned, true, i});
    }
  }
  std::ranges::sort(events);
  OnlineCheck<Model> check;
  std::vector<typename OnlineCheck<Model>::Handle> handles(history.size());
  for (const Event& event : events) {
    const auto& op = history[event.operation];
    if (!event.returns) {
      handles[event.operation] = check.call(op.input);
    } else if (!check.returned(handles[event.operation], op.output)) {
      return false;
    }
  }
  REQUIRE_FALSE(check.undecided());
  return true;
}

}  // namespace photon::analysis::testing
