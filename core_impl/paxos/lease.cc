#include "core_impl/paxos/lease.h"

#include <algorithm>
#include <functional>

#include "core_impl/base/check.h"

namespace photon::paxos {

void LeaseGrant::renew(ReplicaIndex master, MonotonicTime ends) {
  PHOTON_CHECK(master != kNoReplica, "a grant names its holder");
  until = holder == master ? std::max(until, ends) : ends;
  holder = master;
}

Duration counted_lease(const Config& config) {
  // The grant lasts at least lease / (1 + r) of true time, and what the master measures as d lasts
  // at most d / (1 - r). d = lease * (1 - 2r) is safe, since (1 - 2r)(1 + r) <= 1 - r.
  constexpr std::int64_t kMillion = 1'000'000;
  const std::int64_t lease = config.lease.count();
  const std::int64_t loss = lease / kMillion * 2 * config.drift_ppm + 2 * config.drift_ppm;
  return Duration(std::max<std::int64_t>(0, lease - loss));
}

void LeaseCount::acknowledge(const Config& config, ReplicaIndex from, MonotonicTime sent_at) {
  PHOTON_CHECK(from < config.replicas, "only members acknowledge");
  until_[from] = std::max(until_[from], sent_at + counted_lease(config));
}

bool LeaseCount::is_latest(const Config& config, ReplicaIndex from, MonotonicTime sent_at) const {
  PHOTON_CHECK(from < config.replicas, "only members acknowledge");
  return until_[from] == sent_at + counted_lease(config);
}

void LeaseCount::pass(Duration time) {
  for (MonotonicTime& until : until_) {
    if (until != MonotonicTime::min()) until += time;
  }
}

MonotonicTime LeaseCount::majority_until(const Config& config) const {
  auto sorted = until_;
  PHOTON_CHECK(config.replicas >= 1 && config.replicas <= kMaxReplicas,
               "a majority is one of members");
  const auto quorum = static_cast<std::ptrdiff_t>(config.quorum());
  std::nth_element(sorted.begin(), sorted.begin() + quorum - 1, sorted.begin() + config.replicas,
                   std::greater<>{});
  return sorted[static_cast<std::size_t>(quorum - 1)];
}

}  // namespace photon::paxos
