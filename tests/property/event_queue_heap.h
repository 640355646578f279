// The oracle of the event queue: a plain binary heap with the same small interface.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/event.h"

namespace photon::sim {

class HeapQueue {
 public:
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  void push(const Event& event) {
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), later);
  }
  const Event& front() { return events_.front(); }
  void pop() {
    std::pop_heap(events_.begin(), events_.end(), later);
    events_.pop_back();
  }

 private:
  static bool later(const Event& left, const Event& right) { return earlier(right, left); }
  std::vector<Event> events_;
};

}  // namespace photon::sim
