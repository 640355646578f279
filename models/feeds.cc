#include "models/feeds.h"

#include <algorithm>

namespace photon::models {

void ClickFeed::on_start(sim::Environment& environment) { arm(environment); }

void ClickFeed::arm(sim::Environment& environment) {
  next_ = workload_.next_click();
  if (next_) environment.wake_at(std::max(next_->at, environment.now()));
}

void ClickFeed::on_wake(sim::Environment& environment, std::uint64_t /*argument*/) {
  ++generated_;
  environment.emit(DatacenterId{}, next_->truth);
  arm(environment);
}

void ClockFeed::on_start(sim::Environment& environment) {
  if (!clocks_.has_steps()) return;
  for (std::size_t place = 0; place < places_.size(); ++place) arm(environment, place);
}

void ClockFeed::arm(sim::Environment& environment, std::size_t place) {
  // Steps may be years apart: look ahead for a while, then look again, as long as time can count.
  constexpr std::int64_t kMostSyncs = 1000;
  const Duration period = clocks_.sync_period();
  const std::int64_t syncs =
      std::min(kMostSyncs, (SimTime::max() - environment.now()) / period - 1);
  if (syncs <= 0) return;
  const SimTime horizon = environment.now() + syncs * period;
  next_[place] = clocks_.next_step(places_[place].host, environment.now(), horizon);
  environment.wake_at(next_[place] ? next_[place]->at : horizon, place);
}

void ClockFeed::on_wake(sim::Environment& environment, std::uint64_t place) {
  if (next_[place]) {
    environment.emit(places_[place].datacenter,
                     trace::ClockStepped{next_[place]->by.count(), places_[place].host.value()});
  }
  arm(environment, place);
}

void ShippingFeed::on_start(sim::Environment& environment) { arm(environment); }

void ShippingFeed::arm(sim::Environment& environment) {
  const auto next = logs_.copies().next();
  if (next) environment.wake_at(std::max(*next, environment.now()));
}

void ShippingFeed::on_wake(sim::Environment& environment, std::uint64_t /*argument*/) {
  while (logs_.copies().next() && *logs_.copies().next() <= environment.now()) {
    const ShippedCopies::Visible change = logs_.copies().advance();
    environment.emit(datacenter_,
                     trace::LogVisible{change.length, logs_.log(change.log).file().number()});
  }
  arm(environment);
}

}  // namespace photon::models
