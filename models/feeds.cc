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
