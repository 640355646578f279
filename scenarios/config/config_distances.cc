#include "scenarios/config/config_distances.h"

#include <algorithm>

#include "models/wan.h"

namespace photonsim::scenarios {

RoundTrips::RoundTrips(const Config& config) : config_{config} {
  for (const Datacenter& each : config.topology.datacenters) {
    numbers_.emplace(each.name, numbers_.size());
  }
  matrix_.resize(numbers_.size() * numbers_.size());
  if (config.network.wan == WanSource::kGcpUs2020) {
    for (const photon::models::MeasuredRoundTrip& each : photon::models::gcp_us_2020()) {
      set(each.from, each.to, each.round_trip);
    }
  }
  for (const NetworkLink& link : config.network.links) set(link.from, link.to, link.rtt);
}

void RoundTrips::set(std::string_view from, std::string_view to, Duration round_trip) {
  const auto a = numbers_.find(from);
  const auto b = numbers_.find(to);
  if (a == numbers_.end() || b == numbers_.end()) return;
  matrix_[a->second * numbers_.size() + b->second] = round_trip;
  matrix_[b->second * numbers_.size() + a->second] = round_trip;
}

Duration RoundTrips::between(std::string_view from, std::string_view to) const {
  const auto a = numbers_.find(from);
  const auto b = numbers_.find(to);
  if (a == numbers_.end() || b == numbers_.end()) return Duration{0};
  return matrix_[a->second * numbers_.size() + b->second];
}

Duration RoundTrips::quorum_delay(std::string_view master) const {
  std::vector<Duration> remote;
  for (const std::string& replica : config_.registry.replicas) {
    if (replica != master) remote.push_back(between(master, replica));
  }
  if (remote.empty()) return Duration{0};
  std::ranges::sort(remote);
  return remote[config_.registry.replicas.size() / 2 - 1];
}

std::size_t RoundTrips::nearest_replica() const {
  const auto& replicas = config_.registry.replicas;
  const auto best = std::ranges::min_element(
      replicas, {}, [&](const std::string& name) { return quorum_delay(name); });
  return static_cast<std::size_t>(best - replicas.begin());
}

}  // namespace photonsim::scenarios
