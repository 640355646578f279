// The calls and returns of one history in order of time, as a list from which operations are
// removed and to which they are restored in reverse order: the data structure of Wing and
// Gong's search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/linearizability/history.h"

namespace photon::analysis {

// The list's view of an operation.
struct Interval {
  HistoryTime called = 0;
  HistoryTime returned = kNeverReturned;  // kNeverReturned: it has no return event
};

class LinkedEvents {
 public:
  using Index = std::uint32_t;
  static constexpr Index kEnd = 0;  // also the head: the list is a ring through entry 0

  explicit LinkedEvents(std::span<const Interval> intervals);

  Index first() const { return events_[kEnd].next; }
  Index next(Index event) const { return events_[event].next; }
  bool is_call(Index event) const { return events_[event].is_call; }
  std::uint32_t operation(Index event) const { return events_[event].operation; }

  Index call(std::uint32_t operation) const { return call_of_[operation]; }

  // Takes the call and the return of `operation` out.
  void lift(std::uint32_t operation);
  // Puts them back. Requires that everything lifted after it has been put back.
  void unlift(std::uint32_t operation);

 private:
  struct Event {
    Index previous = kEnd;
    Index next = kEnd;
    std::uint32_t operation = 0;
    bool is_call = false;
  };
  void unlink(Index event);
  void relink(Index event);

  std::vector<Event> events_;
  std::vector<Index> call_of_;
  std::vector<Index> return_of_;  // kEnd: none
};

}  // namespace photon::analysis
