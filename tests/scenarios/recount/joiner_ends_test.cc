// What the ends of joiners' lives cost, beside a second computation from the raw trace.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/scenarios/recount/recounts.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;

class Ends {
 public:
  explicit Ends(const Trace& run) : facts_(run.facts), tokens_(run.config.joiner.tokens) {
    for (const LifeEnd& end : facts_.ends) {
      if (end.joiner) count(end);
    }
  }
  double crashes = 0, stops = 0, window = 0, window_max = 0, lost = 0, returned = 0, lost_max = 0;

 private:
  void count(const LifeEnd& end) {
    ++(end.in_order ? stops : crashes);
    double here = 0, lost_here = 0, returned_here = 0;
    for (const auto& [of, attempt] : facts_.tries) {
      if (attempt.life != end.life || attempt.asked.front() > end.place) continue;
      if (left(of.first, attempt) < end.place) continue;
      ++here;
      if (attempt.durable != kNowhere) continue;
      if (is_lost(of.first, of.second)) {
        ++lost_here;
      } else if (registered(of.first, of.second)) {
        ++returned_here;
      }
    }
    window += here;
    window_max = std::max(window_max, here);
    lost += lost_here;
    returned += returned_here;
    lost_max = std::max(lost_max, lost_here + returned_here);
  }

  // Where an attempt left the window: its output durable, refused, or repeated with another token.
  Place left(const Id& click, const Try& attempt) const {
    return std::min({attempt.durable, attempt.refused(), repeated(click, attempt)});
  }

  Place repeated(const Id& click, const Try& attempt) const {
    Place first = kNowhere;
    if (tokens_) return first;
    for (const auto& [of, other] : facts_.tries) {
      if (of.first != click || other.life != attempt.life) continue;
      const Place asked = other.asked.front();
      const bool open = asked > attempt.asked.front() && attempt.answered() > asked;
      if (open) first = std::min(first, asked);
    }
    return first;
  }

  bool registered(const Id& click, const TokenKey& token) const {
    const auto list = facts_.owners.find(click);
    return list != facts_.owners.end() &&
           std::ranges::find(list->second, token, &Owned::token) != list->second.end();
  }

  // The click has no output at the end, and its owner is this attempt, or one that this attempt
  // repeated as the last.
  bool is_lost(const Id& click, const TokenKey& token) const {
    const Owned* owner = facts_.owner(click);
    if (owner == nullptr || facts_.joined(click)) return false;
    if (owner->token == token) return true;
    const Try* owned = facts_.find(click, owner->token);
    const Try* attempt = facts_.find(click, token);
    if (owned == nullptr || owned->life != attempt->life) return false;
    if (repeated(click, *owned) == kNowhere) return false;
    for (const auto& [of, other] : facts_.tries) {
      if (of.first != click || other.life != attempt->life) continue;
      if (other.asked.front() > attempt->asked.front()) return false;
    }
    return true;
  }

  const Replayed& facts_;
  bool tokens_;
};

}  // namespace

Figures joiner_ends_again(const Trace& run) {
  const Ends ends(run);
  return {{"joiner_crashes.crashes", ends.crashes},  {"joiner_crashes.stops", ends.stops},
          {"joiner_crashes.window", ends.window},    {"joiner_crashes.window_max", ends.window_max},
          {"joiner_crashes.lost", ends.lost},        {"joiner_crashes.returned", ends.returned},
          {"joiner_crashes.lost_max", ends.lost_max}};
}

}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: the ends of joiners cost what the raw trace shows") {
  check_runs({{"scenarios/recovery.toml", {}},
              {"scenarios/slow_output.toml", {}},
              {"scenarios/rolling_restart.toml", {}},
              {"scenarios/corner/BC-18.toml", {}},
              {"tests/mutants/scenarios/late_inserts.toml", {}},
              {"tests/mutants/scenarios/recovery.toml", {}},
              {"tests/mutants/scenarios/slow_cell.toml", {}},
              {"scenarios/trace_kills.toml",
               {"joiner.tokens=false", "network.loss=5%", "joiner.registry_timeout=300ms"}}},
             joiner_ends_again,
             {"joiner_crashes.crashes", "joiner_crashes.stops", "joiner_crashes.window",
              "joiner_crashes.window_max", "joiner_crashes.lost", "joiner_crashes.returned",
              "joiner_crashes.lost_max"});
}
