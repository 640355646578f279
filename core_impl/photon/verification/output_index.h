// Which clicks an auditor has seen in the output, as far back as verifiers ask.
//
// Memory: 16 bytes in a queue and about 20 in a table for each click that is remembered.
#pragma once

#include <algorithm>

#include "core_impl/base/event_id.h"
#include "core_impl/base/flat_map.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

class OutputIndex {
 public:
  void add(const EventId& click) {
    if (seen_.emplace(click, Nothing{}).second) order_.push_back(click);
  }
  bool contains(const EventId& click) const { return seen_.contains(click); }
  // Forgets clicks from before `stamp`; some stay until the ones before them are removed.
  void forget_before(Stamp stamp) {
    remembers_from_ = std::max(remembers_from_, stamp);
    while (!order_.empty() && order_.front().stamp < stamp) {
      seen_.erase(order_.front());
      order_.pop_front();
    }
  }
  // It knows all clicks that were added and have this stamp or a later one.
  Stamp remembers_from() const { return remembers_from_; }
  std::size_t size() const { return order_.size(); }

 private:
  struct Nothing {};

  FlatMap<EventId, Nothing> seen_;
  PooledDeque<EventId> order_;  // in which they were seen
  Stamp remembers_from_ = Stamp::min();
};

}  // namespace photon
