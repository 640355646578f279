#include "models/wan.h"

#include <algorithm>
#include <array>

#include "core_impl/base/check.h"
#include "core_impl/base/samplers.h"

namespace photon::models {
namespace {

using std::chrono::microseconds;

constexpr std::array<MeasuredRoundTrip, 10> kGcpUs2020{{
    {"us-east1", "us-east4", microseconds(12305)},
    {"us-east1", "us-central1", microseconds(33133)},
    {"us-east1", "us-west1", microseconds(65281)},
    {"us-east1", "us-west2", microseconds(59136)},
    {"us-east4", "us-central1", microseconds(24669)},
    {"us-east4", "us-west1", microseconds(59224)},
    {"us-east4", "us-west2", microseconds(59956)},
    {"us-central1", "us-west1", microseconds(32004)},
    {"us-central1", "us-west2", microseconds(35487)},
    {"us-west1", "us-west2", microseconds(24334)},
}};

}  // namespace

std::span<const MeasuredRoundTrip> gcp_us_2020() { return kGcpUs2020; }

WanModel::WanModel(std::size_t datacenters, const Options& options)
    : datacenters_(datacenters),
      jitter_mean_(options.jitter_mean),
      floor_(datacenters * datacenters, Duration::zero()) {
  for (std::size_t i = 0; i < datacenters; ++i) {
    floor_[i * datacenters + i] = std::max(Duration(1), options.intra_datacenter / 2);
  }
}

void WanModel::set_round_trip(DatacenterId from, DatacenterId to, Duration round_trip) {
  PHOTON_CHECK(round_trip > Duration::zero(), "a round trip takes time");
  const Duration one_way = std::max(Duration(1), round_trip / 2);
  floor_[cell(from, to)] = one_way;
  floor_[cell(to, from)] = one_way;
}

Duration WanModel::one_way(DatacenterId from, DatacenterId to, std::uint64_t word) const {
  return least(from, to) + exponential(word, jitter_mean_);
}

Duration WanModel::least(DatacenterId from, DatacenterId to) const {
  const Duration floor = floor_[cell(from, to)];
  PHOTON_CHECK(floor > Duration::zero(), "every pair of datacenters in use has a round trip");
  return floor;
}

// The jitter is greatest at one end of the words.
Duration WanModel::most(DatacenterId from, DatacenterId to) const {
  const Duration jitter =
      std::max(exponential(0, jitter_mean_), exponential(~std::uint64_t{0}, jitter_mean_));
  return least(from, to) + jitter;
}

std::size_t WanModel::cell(DatacenterId from, DatacenterId to) const {
  PHOTON_CHECK(from.value() < datacenters_ && to.value() < datacenters_, "a known datacenter");
  return from.value() * datacenters_ + to.value();
}

}  // namespace photon::models
