// Heaps of bare events: the binary one of the standard library, and one with four children.
#pragma once

#include <algorithm>
#include <queue>
#include <vector>

#include "tests/bench/peers/bare_peer.h"

namespace photon::bench {

class BinaryHeap {
 public:
  bool empty() const { return queue_.empty(); }
  void push(const BareEvent& event) { queue_.push(event); }
  BareEvent take() {
    const BareEvent event = queue_.top();
    queue_.pop();
    return event;
  }

 private:
  struct Later {
    bool operator()(const BareEvent& left, const BareEvent& right) const {
      return is_earlier(right, left);
    }
  };
  std::priority_queue<BareEvent, std::vector<BareEvent>, Later> queue_;
};

class FourHeap {
 public:
  bool empty() const { return events_.empty(); }

  void push(const BareEvent& event) {
    std::size_t at = events_.size();
    events_.push_back(event);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!is_earlier(event, events_[parent])) break;
      events_[at] = events_[parent];
      at = parent;
    }
    events_[at] = event;
  }

  BareEvent take() {
    const BareEvent first = events_.front();
    const BareEvent last = events_.back();
    events_.pop_back();
    if (events_.empty()) return first;
    std::size_t at = 0;
    while (true) {
      const std::size_t begin = 4 * at + 1;
      const std::size_t end = std::min(begin + 4, events_.size());
      if (begin >= end) break;
      std::size_t least = begin;
      for (std::size_t i = begin + 1; i < end; ++i) {
        if (is_earlier(events_[i], events_[least])) least = i;
      }
      if (!is_earlier(events_[least], last)) break;
      events_[at] = events_[least];
      at = least;
    }
    events_[at] = last;
    return first;
  }

 private:
  std::vector<BareEvent> events_;
};

}  // namespace photon::bench
