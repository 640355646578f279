#include "models/feeds.h"

#include <algorithm>

#include "core_impl/base/check.h"

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

void TrueTimeFeed::on_start(sim::Environment& environment) {
  for (std::size_t i = 0; i < clocks_.outages().size(); ++i) {
    environment.wake_at(std::min(clocks_.outages()[i].until, end_), i);
  }
}

void TrueTimeFeed::on_wake(sim::Environment& /*environment*/, std::uint64_t outage) {
  PHOTON_CHECK(outage < clocks_.outages().size(), "a wake-up belongs to an outage");
  const std::uint32_t fault = clocks_.outages()[outage].fault;
  if (clocks_.faults().was_felt(fault)) effects_.took_effect(fault);
}

void ClockFeed::on_start(sim::Environment& environment) {
  if (!clocks_.has_steps()) return;
  for (std::size_t place = 0; place < places_.size(); ++place) arm(environment, place);
}

void ClockFeed::arm(sim::Environment& environment, std::size_t place) {
  // Steps may be years apart: search a while ahead, then continue later, up to the end of time.
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
  PHOTON_CHECK(place < places_.size(), "a wake-up belongs to a host");
  if (next_[place]) {
    environment.emit(places_[place].datacenter,
                     trace::ClockStepped{next_[place]->by.count(), places_[place].host.value()});
  }
  arm(environment, place);
}

// Two moments of each fault: its begin and its end.
void ClockFaultFeed::on_start(sim::Environment& environment) {
  const auto faults = clocks_.faults().list();
  for (std::size_t i = 0; i < faults.size(); ++i) {
    environment.wake_at(faults[i].from, 2 * i);
    environment.wake_at(faults[i].until, 2 * i + 1);
  }
}

void ClockFaultFeed::on_wake(sim::Environment& environment, std::uint64_t moment) {
  PHOTON_CHECK(moment / 2 < clocks_.faults().list().size(), "a wake-up belongs to a fault");
  const ClockFault& fault = clocks_.faults().list()[moment / 2];
  if (moment % 2 == 1) {
    if (clocks_.faults().was_felt(fault.fault)) effects_.took_effect(fault.fault);
    return;
  }
  if (fault.error != ClockError::offset && fault.error != ClockError::step) return;
  for (const ClockFeed::Place& each : places_) {
    if (!fault.concerns(each.host)) continue;
    environment.emit(each.datacenter, trace::ClockStepped{fault.by.count(), each.host.value()});
  }
}

void ShippingFeed::on_start(sim::Environment& environment) {
  logs_.watch(environment, effects_);
  arm(environment);
}

void ShippingFeed::arm(sim::Environment& environment) {
  const auto next = logs_.copies().next();
  if (next) environment.wake_at(std::max(*next, environment.now()));
}

void ShippingFeed::on_wake(sim::Environment& environment, std::uint64_t /*argument*/) {
  while (logs_.copies().next() && *logs_.copies().next() <= environment.now()) {
    const ShippedCopies::Visible change = logs_.copies().advance();
    const std::uint32_t file = logs_.log(change.log).file().number();
    if (change.length == change.before) continue;
    environment.emit(datacenter_, trace::LogVisible{change.length, file});
    logs_.for_each_damaged(
        change.log, change.most, change.length,
        [&](const LoggedRecord& record, const LogDamage::Affected& affected) {
          const std::uint16_t lost = affected.how == RecordDamage::lost ? 1 : 0;
          const bool is_click = logs_.log(change.log).file().type == logs::LogType::foreign;
          const std::uint16_t click = is_click ? 1 : 0;
          environment.emit(datacenter_, trace::InputDamaged{record.id, record.begin, record.end,
                                                            file, lost, click});
        });
  }
  arm(environment);
}

}  // namespace photon::models
