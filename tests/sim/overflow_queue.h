// An M/M/1 queue under the simulator's own kernel, from a given number of customers until it is
// empty or holds `level`: for splitting, beside the probability of theory.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "sim/kernel.h"

namespace photon::sim {

class OverflowQueue final : public Actor {
 public:
  OverflowQueue(Duration gap_mean, Duration service_mean, std::uint64_t seed)
      : gap_mean_(gap_mean),
        service_mean_(service_mean),
        gaps_(seed, Purpose::test, 0),
        services_(seed, Purpose::test, 1) {}

  // Customers in the queue when it reached the level; nothing if it became empty first. Both times
  // are exponential, so a state is no more than this number.
  std::optional<std::uint64_t> run(std::uint64_t customers, std::uint64_t level) {
    Kernel kernel(1);
    self_ = kernel.add(*this);
    customers_ = customers;
    level_ = level;
    plan(kernel, kArrival);
    plan(kernel, kDeparture);
    kernel.run(~std::uint64_t{0} >> 1U);
    events_ = kernel.events();
    return customers_ >= level ? std::optional(customers_) : std::nullopt;
  }
  std::uint64_t events() const { return events_; }

  void on_event(Kernel& kernel, const Event& event) override {
    customers_ += event.tag == kArrival ? 1 : ~std::uint64_t{0};
    kernel.witness(DatacenterId{}, 0, customers_);
    if (customers_ == 0 || customers_ >= level_) return kernel.stop();
    plan(kernel, event.tag);
  }

 private:
  static constexpr std::uint32_t kArrival = 0;
  static constexpr std::uint32_t kDeparture = 1;

  void plan(Kernel& kernel, std::uint32_t tag) {
    const bool arrival = tag == kArrival;
    const Duration wait = arrival ? exponential(gaps_.word(arrivals_++), gap_mean_)
                                  : exponential(services_.word(departures_++), service_mean_);
    kernel.schedule(kernel.now() + wait, DatacenterId{0}, self_, tag, 0);
  }

  Duration gap_mean_;
  Duration service_mean_;
  RandomStream gaps_;
  RandomStream services_;
  ActorId self_ = kNoActor;
  std::uint64_t customers_ = 0;
  std::uint64_t level_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t departures_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace photon::sim
