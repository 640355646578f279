// A queue with Poisson arrivals, driven by the simulator's own kernel and random streams: first
// come first served, one or more equal servers. Its mean wait has a formula (analysis/theory).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "sim/kernel.h"

namespace photon::sim {

enum class ServiceTimes { exponential, constant };
// Of arrivals: one pending at a time, or all of them before the first, so that the event queue
// holds few events or many.
enum class Planning { one_by_one, all_ahead };
// One stream for both draws of a customer makes them depend on each other: a mistake to be found.
enum class Streams { independent, shared };

struct StationOptions {
  Duration gap_mean{};  // between arrivals
  Duration service_mean{};
  ServiceTimes service_times = ServiceTimes::exponential;
  std::uint32_t servers = 1;
  Planning planning = Planning::one_by_one;
  Streams streams = Streams::independent;
  std::uint64_t warm_up = 0;   // customers that are served first and not measured
  std::uint64_t measured = 0;  // customers after these
};

struct StationMeans {
  double wait_seconds = 0;
  double waiting_fraction = 0;  // of customers, those that find all servers busy
};

class QueueStation final : public Actor {
 public:
  QueueStation(const StationOptions& options, std::uint64_t seed)
      : options_(options),
        gaps_(seed, Purpose::test, 0),
        services_(seed, Purpose::test, options.streams == Streams::shared ? 0 : 1),
        arrived_(options.warm_up + options.measured),
        idle_(options.servers) {}

  StationMeans run() {
    Kernel kernel(2);
    self_ = kernel.add(*this);
    const std::uint64_t planned = options_.planning == Planning::all_ahead ? arrived_.size() : 1;
    SimTime at{};
    for (std::uint64_t customer = 0; customer < planned; ++customer) {
      at = plan_arrival(kernel, at, customer);
    }
    // One event for each arrival and one for each departure.
    PHOTON_CHECK(kernel.run(3 * arrived_.size()) == 2 * arrived_.size(),
                 "all customers are served");
    const auto measured = static_cast<double>(options_.measured);
    return {.wait_seconds = wait_seconds_ / measured,
            .waiting_fraction = static_cast<double>(waited_) / measured};
  }

  void on_event(Kernel& kernel, const Event& event) override {
    if (event.tag == kArrival) {
      arrive(kernel, event.payload);
    } else {
      depart(kernel);
    }
    kernel.witness(DatacenterId{}, 0, event.payload);
  }

 private:
  static constexpr std::uint32_t kArrival = 0;
  static constexpr std::uint32_t kDeparture = 1;
  static constexpr DatacenterId kArrivals{0};
  static constexpr DatacenterId kDepartures{1};

  SimTime plan_arrival(Kernel& kernel, SimTime after, std::uint64_t customer) {
    const SimTime at = after + exponential(gaps_.word(customer), options_.gap_mean);
    kernel.schedule(at, kArrivals, self_, kArrival, customer);
    return at;
  }

  void arrive(Kernel& kernel, std::uint64_t customer) {
    arrived_[customer] = kernel.now();
    if (options_.planning == Planning::one_by_one && customer + 1 < arrived_.size()) {
      plan_arrival(kernel, kernel.now(), customer + 1);
    }
    if (idle_ > 0) {
      --idle_;
      return serve(kernel, customer);
    }
    if (customer >= options_.warm_up) ++waited_;
    waiting_.push_back(customer);
  }

  void depart(Kernel& kernel) {
    if (waiting_.empty()) {
      ++idle_;
      return;
    }
    serve(kernel, waiting_.front());
    waiting_.pop_front();
  }

  void serve(Kernel& kernel, std::uint64_t customer) {
    if (customer >= options_.warm_up) {
      wait_seconds_ += seconds_of(kernel.now() - arrived_[customer]);
    }
    const Duration service = options_.service_times == ServiceTimes::constant
                                 ? options_.service_mean
                                 : exponential(services_.word(customer), options_.service_mean);
    kernel.schedule(kernel.now() + service, kDepartures, self_, kDeparture, customer);
  }

  StationOptions options_;
  RandomStream gaps_;
  RandomStream services_;
  ActorId self_ = kNoActor;
  std::vector<SimTime> arrived_;
  std::deque<std::uint64_t> waiting_;
  std::uint32_t idle_;
  std::uint64_t waited_ = 0;
  double wait_seconds_ = 0;
};

}  // namespace photon::sim
