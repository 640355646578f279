// A model on nothing but a queue: no actors, no virtual call; the same hash of every event.
//
// A queue gives push(BareEvent), empty() and take(), which returns and removes the earliest event.
#pragma once

#include <cstdint>

#include "sim/fingerprint.h"

namespace photon::bench {

struct BareEvent {
  std::int64_t time = 0;
  std::uint64_t order = 0;
  std::uint64_t target = 0;
};
static_assert(sizeof(BareEvent) == 24);

inline bool is_earlier(const BareEvent& left, const BareEvent& right) {
  return left.time != right.time ? left.time < right.time : left.order < right.order;
}

template <class Queue, class Model>
class BarePeer {
 public:
  explicit BarePeer(std::uint32_t pending) : model_(pending) {}

  void start() { model_.start(Schedule{this}); }
  void run(std::uint64_t count) {
    for (; count > 0; --count) {
      const BareEvent event = queue_.take();
      const auto target = static_cast<std::uint32_t>(event.target);
      fingerprints_.witness(
          {event.time, event.order, target, sim::make_tag(sim::EventKind::environment), 0},
          ++events_, DatacenterId{}, 0, 0);
      model_.on_event(event.time, target, Schedule{this});
    }
  }
  std::uint64_t fingerprint() const { return fingerprints_.value(); }

 private:
  struct Schedule {
    BarePeer* peer;
    void operator()(std::int64_t at, std::uint32_t target) const {
      peer->queue_.push({at, peer->order_++, target});
    }
  };

  Model model_;
  Queue queue_;
  std::uint64_t order_ = 0;
  std::uint64_t events_ = 0;
  sim::Fingerprints fingerprints_{2};
};

}  // namespace photon::bench
