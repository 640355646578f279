#include "scenarios/world/environment.h"

#include <algorithm>

#include "models/synthetic_workload.h"
#include "models/trace_workload.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/extensions/extensions.h"
#include "scenarios/faults/consequences.h"
#include "scenarios/world/event_names.h"
#include "scenarios/world/trace_input.h"

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;

std::unique_ptr<models::WanModel> wan_of(const Config& config,
                                         const photon::sim::Topology& topology) {
  auto wan = std::make_unique<models::WanModel>(
      topology.datacenters().size(),
      models::WanModel::Options{config.network.intra_datacenter_rtt, config.network.jitter_mean});
  if (config.network.wan == WanSource::kGcpUs2020) {
    for (const models::MeasuredRoundTrip& each : models::gcp_us_2020()) {
      const auto from = topology.find_datacenter(each.from);
      const auto to = topology.find_datacenter(each.to);
      if (from && to) wan->set_round_trip(*from, *to, each.round_trip);
    }
  }
  for (const NetworkLink& link : config.network.links) {
    wan->set_round_trip(datacenter_named(topology, link.from), datacenter_named(topology, link.to),
                        link.rtt);
  }
  return wan;
}

models::HostClocks::Options clocks_of(const Config& config, const ModelFaults& faults) {
  const Clocks& clocks = config.clocks;
  models::HostClocks::Options options;
  options.tick = config.run.time_step();
  options.epoch = kCalendarEpoch;
  options.epsilon = clocks.epsilon - clocks.stamp_resolution;  // the rest is for rounding
  options.drift = clocks.drift;
  options.sync_period = clocks.sync_period;
  options.sync_error = clocks.sync_error;
  options.step_interval = clocks.step_interval;
  options.step_max = clocks.step_max;
  options.truetime_uncertainty = clocks.truetime_uncertainty;
  using Bound = models::HostClocks::Options::Bound;
  options.bound = clocks.violate_clock_bound ? Bound::violated : Bound::respected;
  options.outages = faults.truetime;
  options.faults = faults.clocks;
  return options;
}

models::StorageTimes::Options storage_of(const Config& config) {
  models::StorageTimes::Options options;
  options.disk_sync = models::Latency(config.disk.fsync_median, config.disk.fsync_p99);
  options.disk_read = models::Latency(config.disk.read_median, config.disk.read_p99);
  options.cell_append = models::Latency(config.cell.append_median, config.cell.append_p99);
  options.cell_read = models::Latency(config.cell.read_median, config.cell.read_p99);
  options.cell_list = models::Latency(config.cell.list_latency, config.cell.list_latency);
  options.disk_write_rate = config.disk.write_rate;
  options.log_seek = config.event_store.seek_cost;
  return options;
}

double per_second(std::uint64_t count, Duration time) {
  return static_cast<double>(count) * 1e9 / static_cast<double>(time.count());
}

models::JoinRule join_rule_of(const Joiner& joiner) {
  using Kind = models::JoinRule::Kind;
  switch (joiner.adapter) {
    case AdapterKind::kCombine:
      break;
    case AdapterKind::kFilter:
      return {.kind = Kind::filter, .skip_modulo = static_cast<std::uint32_t>(joiner.skip_modulo)};
    case AdapterKind::kEnrich:
      return {.kind = Kind::enrich, .delay_step = joiner.delay_step};
    case AdapterKind::kCustom:
      return {.kind = Kind::custom, .custom = installed_extensions().reference};
  }
  return {};
}

models::SyntheticWorkload::Options synthetic_of(const Config& config, std::uint64_t seed,
                                                std::uint32_t first_host) {
  const SyntheticWorkload& source = config.workload.synthetic;
  const Duration duration = config.run.duration.value_or(Duration::zero());
  models::SyntheticWorkload::Options options;
  options.seed = seed;
  options.clicks_start = photon::SimTime(config.run.warm_up);
  options.end = photon::SimTime(duration);
  options.clicks_per_second = per_second(source.clicks, duration - config.run.warm_up);
  options.queries_per_second = per_second(source.clicks * source.queries_per_click, duration);
  options.shape = load_shape_of(config);
  if (options.shape != nullptr) {
    const photon::SimTime start{};
    options.clicks_per_second = static_cast<double>(source.clicks) /
                                options.shape->integral(options.clicks_start, options.end);
    options.queries_per_second = static_cast<double>(source.clicks * source.queries_per_click) /
                                 options.shape->integral(start, options.end);
  }
  options.query_servers = static_cast<std::uint32_t>(source.query_servers);
  options.click_servers = static_cast<std::uint32_t>(source.click_servers);
  options.query_payload = static_cast<std::uint32_t>(source.query_payload);
  options.click_payload = static_cast<std::uint32_t>(source.click_payload);
  options.fast_fraction = source.fast_fraction;
  options.fast_mean = source.fast_mean;
  options.slow_median = source.slow_median;
  options.slow_sigma = source.slow_sigma;
  options.clicks_follow_queries = source.clicks_follow_queries;
  options.processes = static_cast<std::uint16_t>(source.processes);
  options.stamp_resolution = config.clocks.stamp_resolution;
  options.tick = config.run.time_step();
  options.join = join_rule_of(config.joiner);
  options.first_host = first_host;
  options.file_bytes = source.log_file_bytes;
  options.disorder = source.disorder;
  return options;
}

models::RegistryWorkload::Options registry_load_of(const Config& config, std::uint64_t seed,
                                                   std::uint32_t first_host) {
  const RegistryWorkload& source = config.workload.registry;
  models::RegistryWorkload::Options options;
  options.seed = seed;
  options.start = photon::SimTime(config.run.warm_up);
  options.end = photon::SimTime(config.run.duration.value_or(Duration::zero()));
  options.clients = static_cast<std::uint32_t>(source.clients * config.topology.pipelines.size());
  options.per_second = source.rate;
  options.lookups = source.lookups;
  options.known = source.known;
  options.aged = source.aged;
  options.age = source.age;
  options.ahead = source.ahead;
  options.lead = source.lead;
  options.twins = source.twins;
  options.contested = source.contested;
  options.contenders = static_cast<std::uint32_t>(source.contenders);
  options.repeated = source.repeated;
  options.cleared = source.cleared;
  options.removed = source.removed;
  options.at_boundary = source.at_boundary;
  options.lag = source.lag;
  options.bundled = source.bundled;
  options.bundle = static_cast<std::uint32_t>(source.bundle);
  options.stamp_resolution = config.clocks.stamp_resolution;
  options.first_host = first_host;
  options.tick = config.run.time_step();
  return options;
}

models::TraceWorkload::Options trace_of(const Config& config, std::uint32_t first_host) {
  models::TraceWorkload::Options options;
  options.primary_servers = static_cast<std::uint32_t>(config.workload.primary.servers);
  options.foreign_servers = static_cast<std::uint32_t>(config.workload.foreign.servers);
  options.lead = config.run.warm_up;
  options.first_host = first_host;
  options.stamp_resolution = config.clocks.stamp_resolution;
  options.join = join_rule_of(config.joiner);
  return options;
}

models::Shipping::Options shipping_of(const Shipping& shipping, std::uint64_t seed) {
  models::Shipping::Options options;
  options.seed = seed;
  options.piece = shipping.chunk;
  options.redraw = shipping.redraw;
  options.common_mean = shipping.common_mean;
  options.near_far_gap = shipping.near_far_gap;
  options.noise_mean = shipping.noise_mean;
  options.primary_late_fraction = shipping.query_late_fraction;
  options.primary_late_extra_mean = shipping.query_late_extra_mean;
  return options;
}

}  // namespace

photon::Result<std::unique_ptr<Environment>, models::InputFaults> Environment::create(
    const Config& config, const Deployment& deployment, std::uint64_t seed,
    const ModelFaults& faults) {
  std::unique_ptr<Environment> result(new Environment());
  result->make_models(config, deployment, seed, faults);
  auto made = result->make_workload(config, deployment, seed);
  if (!made) return std::move(made).assume_error();
  if (!faults.truetime.empty()) {
    result->truetime_ =
        std::make_unique<models::TrueTimeFeed>(*result->clocks_, result->end(), result->numbers_);
  }
  result->make_logs(config, deployment, seed, faults);
  return result;
}

void Environment::make_models(const Config& config, const Deployment& deployment,
                              std::uint64_t seed, const ModelFaults& faults) {
  wan_ = wan_of(config, deployment.topology);
  clocks_ = std::make_unique<models::HostClocks>(seed, clocks_of(config, faults));
  storage_ = std::make_unique<models::StorageTimes>(storage_of(config));
  std::vector<models::ClockFeed::Place> places;
  for (const auto& host : deployment.topology.hosts()) {
    if (!host.path.empty()) places.push_back({host.id, host.datacenter});
  }
  clock_steps_ = std::make_unique<models::ClockFeed>(*clocks_, places);
  if (!faults.clocks.empty()) {
    clock_faults_ = std::make_unique<models::ClockFaultFeed>(*clocks_, std::move(places), numbers_);
  }
}

photon::Result<void, models::InputFaults> Environment::make_workload(const Config& config,
                                                                     const Deployment& deployment,
                                                                     std::uint64_t seed) {
  const std::uint32_t first_host = deployment.first_server_host.value();
  if (config.registry_only()) {
    registry_load_ = std::make_unique<models::RegistryWorkload>(
        registry_load_of(config, seed, first_host), *clocks_);
    return boost::outcome_v2::success();
  }
  if (config.workload.kind == WorkloadKind::kSynthetic) {
    auto options = synthetic_of(config, seed, first_host);
    // Without an outage no clock leaves it.
    const bool may_leave =
        consequences_of(config).unsynchronised_servers && !config.clocks.violate_clock_bound;
    if (may_leave) options.bound = clocks_->bound();
    workload_ = std::make_unique<models::SyntheticWorkload>(options, *clocks_);
  } else {
    auto log = read_trace(config);
    if (!log) return std::move(log).assume_error();
    auto trace = std::make_unique<models::TraceWorkload>(std::move(log).assume_value(),
                                                         trace_of(config, first_host), *clocks_);
    trace_ = trace.get();
    workload_ = std::move(trace);
  }
  clicks_ = std::make_unique<models::ClickFeed>(*workload_);
  return boost::outcome_v2::success();
}

std::unique_ptr<photon::analysis::EventNames> Environment::names() const {
  return trace_ == nullptr ? nullptr : names_of(*trace_);
}

void Environment::make_logs(const Config& config, const Deployment& deployment, std::uint64_t seed,
                            const ModelFaults& faults) {
  if (workload_ == nullptr) return;
  std::vector<models::EventLog*> logs;
  for (const auto& log : workload_->logs()) logs.push_back(log.get());
  const auto places = static_cast<std::uint32_t>(deployment.pipelines.size());
  models::Shipping::Options shipping = shipping_of(config.shipping, seed);
  // What is left of a stall when all is healed does not happen (J-P0).
  shipping.stalls = faults.stalls;
  for (models::PlannedStall& stall : shipping.stalls) {
    stall.until = std::min(stall.until, generation_end(config));
  }
  shipping.truncations = faults.truncations;  // by then the copies are whole
  for (models::PlannedTruncation& truncation : shipping.truncations) {
    truncation.until = std::min(truncation.until, generation_end(config));
  }
  shipping_ = std::make_unique<models::Shipping>(shipping, places);
  damage_ = models::LogDamage(seed, faults.damages);
  const models::LogDamage* damage = faults.damages.empty() ? nullptr : &damage_;
  for (std::uint32_t place = 0; place < places; ++place) {
    logs_.push_back(std::make_unique<models::InputLogs>(logs, *shipping_, place, damage));
    feeds_.push_back(std::make_unique<models::ShippingFeed>(
        *logs_.back(), deployment.pipelines[place].datacenter, numbers_));
  }
}

void Environment::attach(photon::sim::Simulation& simulation, const Deployment& deployment) {
  for (std::size_t place = 0; place < logs_.size(); ++place) {
    simulation.attach(deployment.pipelines[place].logs, *logs_[place]);
    simulation.add(*feeds_[place]);
  }
  if (clicks_ != nullptr) simulation.add(*clicks_);
  simulation.add(*clock_steps_);
  if (truetime_ != nullptr) simulation.add(*truetime_);
  if (clock_faults_ != nullptr) simulation.add(*clock_faults_);
}

void Environment::renew(std::uint64_t seed) {
  if (workload_ != nullptr) workload_->renew(seed);
  if (shipping_ != nullptr) shipping_->renew(seed);
}

bool Environment::all_shipped() {
  for (const auto& feed : feeds_) {
    if (!feed->finished()) return false;
  }
  return true;
}

}  // namespace photonsim::scenarios
