#include "models/clocks.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "models/purposes.h"

namespace photon::models {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

// Uniform among the multiples of `tick` in [-bound, bound].
std::int64_t symmetric(std::uint64_t word, std::int64_t bound, std::int64_t tick = 1) {
  const std::int64_t most = bound / tick;
  if (most <= 0) return 0;
  const auto span = static_cast<std::uint64_t>(2 * most + 1);
  return (static_cast<std::int64_t>(uniform_below(word, span)) - most) * tick;
}

// Attempt numbers separate the draws of one host.
constexpr std::uint32_t kConstants = 0;
constexpr std::uint32_t kSync = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kTrueTime = 3;

}  // namespace

HostClocks::HostClocks(std::uint64_t seed, const Options& options)
    : options_(options),
      seed_(seed),
      drift_ppb_(static_cast<std::int64_t>(options.drift * static_cast<double>(kBillion))),
      step_chance_(options.step_interval > Duration::zero()
                       ? static_cast<double>(options.sync_period.count()) /
                             static_cast<double>(options.step_interval.count())
                       : 0.0),
      faults_(options.faults, drift_ppb_) {
  PHOTON_CHECK(options.tick > Duration::zero(), "time goes on");
  PHOTON_CHECK(options.sync_period > Duration::zero(), "clocks are synchronised now and then");
  PHOTON_CHECK(options.drift >= 0 && options.drift < 0.5, "a clock's rate error is a fraction");
  PHOTON_CHECK(options.bound == Options::Bound::violated || wander() < options.epsilon.count(),
               "the drift between two synchronisations stays inside the bound");
}

std::int64_t HostClocks::wander() const {
  return scaled(options_.sync_period.count(), drift_ppb_) + 1;
}

std::int64_t HostClocks::room() const { return options_.epsilon.count() - wander(); }

logs::ClockBound HostClocks::bound() const {
  const Duration most =
      std::max(options_.sync_error, has_steps() ? options_.step_max : Duration::zero());
  return logs::ClockBound({options_.epsilon, std::min(most, Duration(room())), drift_ppb_});
}

HostClocks::Host& HostClocks::host_of(sim::HostId host) const {
  if (host.value() >= hosts_.size()) {
    PHOTON_CHECK(host.value() < kMostHosts, "host numbers are dense");
    hosts_.resize(host.value() + std::size_t{1});
  }
  Host& known = hosts_[host.value()];
  if (known.phase < 0) known = make_host(host.value());
  return known;
}

HostClocks::Host HostClocks::make_host(std::uint32_t host) const {
  Host made;
  made.stream = RandomStream(seed_, purpose::kClock, host);
  made.number = host;
  const auto words = made.stream.block(0, kConstants);
  const auto period = static_cast<std::uint64_t>(options_.sync_period.count());
  // A process that boots reads some arbitrary positive uptime, different on every host.
  const auto uptime = static_cast<std::int64_t>(uniform_below(mix(words[1]), 1'000'000)) + 1;
  made.phase = on_tick(static_cast<std::int64_t>(uniform_below(words[0], period)));
  made.rate_ppb = symmetric(words[1], drift_ppb_);
  made.monotonic_base = uptime * kBillion;
  return made;
}

std::uint64_t HostClocks::sync_at(const Host& host, std::int64_t now) const {
  const std::int64_t since_first = now + options_.sync_period.count() - host.phase;
  PHOTON_CHECK(since_first >= 0, "virtual time is not negative");
  return static_cast<std::uint64_t>(since_first / options_.sync_period.count());
}

std::int64_t HostClocks::time_of(const Host& host, std::uint64_t sync) const {
  return (static_cast<std::int64_t>(sync) - 1) * options_.sync_period.count() + host.phase;
}

const TrueTimeOutage* HostClocks::outage_at(const Host& host, std::int64_t now) const {
  const auto found = std::ranges::find_if(options_.outages, [&](const TrueTimeOutage& each) {
    return each.concerns(host.number) && nanoseconds_of(each.from) <= now &&
           now < nanoseconds_of(each.until);
  });
  return found == options_.outages.end() ? nullptr : &*found;
}

std::uint64_t HostClocks::happened(const Host& host, std::uint64_t sync) const {
  while (sync > 0) {
    const TrueTimeOutage* outage = outage_at(host, time_of(host, sync));
    if (outage == nullptr) break;
    sync = sync_at(host, nanoseconds_of(outage->from) - 1);
  }
  return sync;
}

bool HostClocks::steps_at(const Host& host, std::uint64_t sync) const {
  return step_chance_.happens(host.stream.block(sync, kStep)[0]);
}

std::int64_t HostClocks::rate_after_sync(const Host& host, std::uint64_t sync) const {
  return symmetric(host.stream.block(sync, kSync)[1], drift_ppb_);
}

std::int64_t HostClocks::error_after_sync(const Host& host, std::uint64_t sync) const {
  const bool stepped = steps_at(host, sync);
  const Duration most = stepped ? options_.step_max : options_.sync_error;
  const std::uint64_t word =
      stepped ? host.stream.block(sync, kStep)[1] : host.stream.block(sync, kSync)[0];
  const std::int64_t error = symmetric(word, most.count(), options_.tick.count());
  if (options_.bound == Options::Bound::violated) return error;
  return on_tick(std::clamp(error, -room(), room()));
}

// Makes `host` remember the synchronisation in force at `now`.
void HostClocks::synchronise(Host& host, std::int64_t now) const {
  const std::uint64_t due = sync_at(host, now);
  const std::uint64_t sync = happened(host, due);
  host.sync_begin = time_of(host, due);
  host.sync_end = host.sync_begin + options_.sync_period.count();
  host.sync_happened = time_of(host, sync);
  host.sync_error = error_after_sync(host, sync);
  host.sync_rate_ppb = rate_after_sync(host, sync);
}

std::optional<HostClocks::Step> HostClocks::next_step(sim::HostId host, SimTime after,
                                                      SimTime until) const {
  if (!has_steps()) return std::nullopt;
  const Host& state = host_of(host);
  const std::uint64_t last = sync_at(state, nanoseconds_of(until));
  for (std::uint64_t sync = sync_at(state, nanoseconds_of(after)) + 1; sync <= last; ++sync) {
    if (!steps_at(state, sync) || happened(state, sync) != sync) continue;
    const std::uint64_t one_before = happened(state, sync - 1);
    const std::int64_t at = time_of(state, sync);
    const std::int64_t before =
        error_after_sync(state, one_before) +
        scaled(at - time_of(state, one_before), rate_after_sync(state, one_before));
    return Step{from_nanoseconds<SimTime>(at), Duration(error_after_sync(state, sync) - before)};
  }
  return std::nullopt;
}

HostClocks::Host& HostClocks::synchronised(sim::HostId host, std::int64_t now) const {
  Host& state = host_of(host);
  if (now < state.sync_begin || now >= state.sync_end) synchronise(state, now);
  return state;
}

Duration HostClocks::since_sync(sim::HostId host, SimTime at) const {
  const Host& state = synchronised(host, nanoseconds_of(at));
  return monotonic(host, at) - monotonic(host, from_nanoseconds<SimTime>(state.sync_happened));
}

LocalTime HostClocks::usual(sim::HostId host, SimTime at) const {
  const std::int64_t now = nanoseconds_of(at);
  const Host& state = synchronised(host, now);
  const std::int64_t drifted = scaled(now - state.sync_happened, state.sync_rate_ppb);
  return calendar(at) + Duration(state.sync_error + drifted);
}

Duration HostClocks::added_by(const ClockFault& fault, sim::HostId host, SimTime at) const {
  if (!fault.concerns(host)) return {};
  if (fault.error == ClockError::freeze) {
    return fault.is_on(at) ? usual(host, fault.from) - usual(host, at) : Duration{};
  }
  const Host& state = synchronised(host, nanoseconds_of(at));
  return ClockFaults::added(fault, at, from_nanoseconds<SimTime>(state.sync_happened));
}

LocalTime HostClocks::shown(sim::HostId host, SimTime at, const ClockFault* without) const {
  const LocalTime usually = usual(host, at);
  Duration added{};
  for (const ClockFault& each : faults_.list()) {
    if (&each != without) added += added_by(each, host, at);
  }
  if (options_.bound == Options::Bound::violated) return usually + added;
  // A clock that is outside already, as in an outage, is not moved further out.
  const Duration error = usually - calendar(at);
  return calendar(at) + std::clamp(error + added, std::min(error, -options_.epsilon),
                                   std::max(error, options_.epsilon));
}

LocalTime HostClocks::wall(sim::HostId host, SimTime at) const {
  return faults_.empty() ? usual(host, at) : shown(host, at, nullptr);
}

void HostClocks::wall_used(sim::HostId host, SimTime at) const {
  if (!options_.outages.empty()) {
    const Host& state = synchronised(host, nanoseconds_of(at));
    if (state.sync_happened < state.sync_begin) feel_outage(state, state.sync_begin);
  }
  if (faults_.empty()) return;
  const LocalTime reading = wall(host, at);
  for (const ClockFault& each : faults_.list()) {
    if (faults_.was_felt(each.fault)) continue;
    const Duration off = reading - shown(host, at, &each);
    if (std::max(off, -off) > least_felt()) faults_.feel(each.fault);
  }
}

// For an outage that was in force at that time.
void HostClocks::feel_outage(const Host& host, std::int64_t at) const {
  if (const TrueTimeOutage* outage = outage_at(host, at)) faults_.feel(outage->fault);
}

std::int64_t HostClocks::monotonic_at(const Host& host, std::int64_t now) const {
  const std::int64_t usual = host.monotonic_base + now + scaled(now, host.rate_ppb);
  if (faults_.empty()) return usual;
  return usual + faults_.monotonic_gain(sim::HostId(host.number), from_nanoseconds<SimTime>(now));
}

MonotonicTime HostClocks::monotonic(sim::HostId host, SimTime at) const {
  return from_nanoseconds<MonotonicTime>(monotonic_at(host_of(host), nanoseconds_of(at)));
}

SimTime HostClocks::when(sim::HostId host, MonotonicTime due, SimTime not_before) const {
  const Host& constants = host_of(host);
  const std::int64_t target = nanoseconds_of(due);
  const auto reading = [&](std::int64_t at) { return monotonic_at(constants, at); };
  const std::int64_t low = nanoseconds_of(not_before);
  if (reading(low) >= target) return not_before;
  // Each correction leaves a fraction `rate` of the error of the one before it.
  const std::int64_t counted = target - constants.monotonic_base;
  std::int64_t guess = counted - scaled(counted, constants.rate_ppb);
  for (int i = 0; i < 64; ++i) {
    const std::int64_t missing = target - reading(guess);
    if (missing >= -1 && missing <= 1) break;
    guess += missing;
  }
  // Readings never fall and repeat or leap by single nanoseconds, so the first instant is near.
  while (guess > low && reading(guess - 1) >= target) --guess;
  while (reading(guess) < target) ++guess;
  return from_nanoseconds<SimTime>(guess);
}

std::int64_t HostClocks::last_answer(const Host& host, std::int64_t now) const {
  while (now > 0) {
    const TrueTimeOutage* outage = outage_at(host, now);
    if (outage == nullptr) break;
    now = nanoseconds_of(outage->from) - 1;
  }
  return std::max<std::int64_t>(now, 0);
}

TrueTimeInterval HostClocks::true_time(sim::HostId host, SimTime at) const {
  Host& state = host_of(host);
  const std::int64_t now = nanoseconds_of(at);
  PHOTON_CHECK(now >= 0, "virtual time is not negative");
  const std::int64_t answered = options_.outages.empty() ? now : last_answer(state, now);
  std::int64_t uncertainty = options_.truetime_uncertainty.count();
  if (answered < state.poll_begin || answered >= state.poll_end) {
    state.poll_begin = answered - answered % kBillion;
    state.poll_end = state.poll_begin + kBillion;
    const auto poll = static_cast<std::uint64_t>(answered / kBillion);
    state.poll_offset =
        symmetric(state.stream.word(poll, kTrueTime), uncertainty, options_.tick.count());
  }
  std::int64_t centre = nanoseconds_of(calendar(at)) + state.poll_offset;
  if (answered < now) {
    centre += scaled(now - answered, state.rate_ppb);
    const std::int64_t wider = scaled(now - answered, drift_ppb_) + 1;
    if (wider > uncertainty / 100) feel_outage(state, now);
    uncertainty += wider;
  }
  if (!faults_.empty()) {
    centre += faults_.lie(host, at).count();
    const std::int64_t truth = nanoseconds_of(calendar(at));
    if (truth < centre - uncertainty || truth > centre + uncertainty) faults_.feel_lies(host, at);
  }
  return {from_nanoseconds<TrueTimePoint>(centre - uncertainty),
          from_nanoseconds<TrueTimePoint>(centre + uncertainty)};
}

}  // namespace photon::models
