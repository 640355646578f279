#include "analysis/linearizability/linked_events.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

struct Instant {
  HistoryTime at = 0;
  std::uint32_t operation = 0;
  bool is_call = false;
};

}  // namespace

LinkedEvents::LinkedEvents(std::span<const Interval> intervals)
    : call_of_(intervals.size()), return_of_(intervals.size(), kEnd) {
  std::vector<Instant> instants;
  for (std::uint32_t i = 0; i < intervals.size(); ++i) {
    PHOTON_CHECK(intervals[i].called <= intervals[i].returned, "a return before its call");
    instants.push_back({intervals[i].called, i, true});
    if (intervals[i].returned != kNeverReturned) {
      instants.push_back({intervals[i].returned, i, false});
    }
  }
  // At equal times calls come first: touching operations count as concurrent.
  std::sort(instants.begin(), instants.end(), [](const Instant& left, const Instant& right) {
    if (left.at != right.at) return left.at < right.at;
    if (left.is_call != right.is_call) return left.is_call;
    return left.operation < right.operation;
  });
  events_.resize(instants.size() + 1);
  for (Index at = 1; at < events_.size(); ++at) {
    const Instant& instant = instants[at - 1];
    events_[at] = {at - 1, at + 1 < events_.size() ? at + 1 : kEnd, instant.operation,
                   instant.is_call};
    (instant.is_call ? call_of_ : return_of_)[instant.operation] = at;
  }
  events_[kEnd].next = events_.size() > 1 ? 1 : kEnd;
  events_[kEnd].previous = static_cast<Index>(events_.size() - 1);
}

void LinkedEvents::unlink(Index event) {
  events_[events_[event].previous].next = events_[event].next;
  events_[events_[event].next].previous = events_[event].previous;
}

void LinkedEvents::relink(Index event) {
  events_[events_[event].previous].next = event;
  events_[events_[event].next].previous = event;
}

void LinkedEvents::lift(std::uint32_t operation) {
  unlink(call_of_[operation]);
  if (return_of_[operation] != kEnd) unlink(return_of_[operation]);
}

void LinkedEvents::unlift(std::uint32_t operation) {
  if (return_of_[operation] != kEnd) relink(return_of_[operation]);
  relink(call_of_[operation]);
}

}  // namespace photon::analysis
