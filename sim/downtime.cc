#include "sim/downtime.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::sim {

void Downtime::hold(std::uint32_t fault, Arrival arrival) {
  PHOTON_CHECK(arrival == Arrival::found_down || over(), "a fault kills only what no fault holds");
  holds_.push_back({fault, arrival == Arrival::killed ? Role::keeper : Role::other});
}

bool Downtime::let_go(std::uint32_t fault, SimTime now) {
  const auto found = std::ranges::find(holds_, fault, &Hold::fault);
  PHOTON_CHECK(found != holds_.end(), "only what is held is let go");
  const Role role = found->role;
  holds_.erase(found);
  if (role == Role::other) return false;
  if (std::ranges::find(holds_, Role::candidate, &Hold::role) != holds_.end()) return false;
  // It was the keeper, or it was the candidate that lasted longest and so became the keeper.
  const bool lengthened = role == Role::candidate && now > kept_until_;
  kept_until_ = now;
  for (Hold& hold : holds_) hold.role = Role::candidate;
  return lengthened;
}

}  // namespace photon::sim
