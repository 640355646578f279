#include "sim/kernel.h"

#include "core_impl/base/narrow.h"

namespace photon::sim {

Kernel::Kernel(std::size_t datacenters, std::uint64_t ties, Duration tick)
    : counters_(datacenters + 1, 0),
      environment_(narrow<std::uint16_t>(datacenters)),
      ties_(ties),
      tick_(tick.count()),
      fingerprints_(datacenters + 1) {
  PHOTON_CHECK(datacenters < 0xffffU, "a datacenter's number fits into 16 bits");
  PHOTON_CHECK(tick > Duration::zero(), "time goes on");
}

ActorId Kernel::add(Actor& actor) {
  actors_.push_back(&actor);
  return ActorId(narrow<std::uint32_t>(actors_.size() - 1));
}

std::uint64_t Kernel::run_until(SimTime limit, std::uint64_t most) {
  const std::int64_t last = nanoseconds_of(limit);
  const std::uint64_t dispatched = loop(last, most);
  const bool all = queue_.empty() || queue_.front().time > last;
  if (!stopped_ && all && now_ < last) now_ = last;
  return dispatched;
}

std::uint64_t Kernel::loop(std::int64_t last, std::uint64_t count) {
  const std::uint64_t before = events_;
  stopped_ = false;
  while (!queue_.empty() && events_ - before < count) {
    const Event event = queue_.front();
    if (event.time > last) break;
    queue_.pop();
    if (const Event* next = queue_.second()) __builtin_prefetch(actors_[next->target]);
    dispatch(event);
    if (stopped_) break;
  }
  return events_ - before;
}

Kernel::Past::Past(Kernel& kernel, SimTime from)
    : kernel_(kernel), present_(kernel.now_), current_(kernel.current_), target_(kernel.target_) {
  PHOTON_CHECK(!kernel.reliving_, "the past is relived once at a time");
  PHOTON_CHECK(nanoseconds_of(from) <= present_, "only the past is relived");
  kernel.reliving_ = true;
  kernel.now_ = nanoseconds_of(from);
}

Kernel::Past::~Past() {
  kernel_.now_ = present_;
  kernel_.current_ = current_;
  kernel_.target_ = target_;
  kernel_.reliving_ = false;
}

// Every event that was pending before is not earlier than the present.
void Kernel::Past::dispatch_all() const {
  EventQueue& queue = kernel_.queue_;
  while (!queue.empty()) {
    const Event event = queue.front();
    if (event.time >= present_) break;
    queue.pop();
    kernel_.dispatch(event);
  }
}

bool Kernel::discard(Event& event) {
  if (queue_.empty()) return false;
  event = queue_.front();
  queue_.pop();
  return true;
}

}  // namespace photon::sim
