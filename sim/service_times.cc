#include "sim/service_times.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::sim {
namespace {

// In whole nanoseconds, rounded down.
Duration time_for(Duration time, std::uint64_t items, std::uint64_t per) {
  const auto count = static_cast<std::int64_t>(items);
  const auto unit = static_cast<std::int64_t>(per);
  PHOTON_CHECK(count >= 0 && unit > 0, "items are counted, in units of one or more");
  return time * (count / unit) + time * (count % unit) / unit;
}

}  // namespace

void ServiceTimes::add(const Message& row) {
  PHOTON_CHECK(row.time >= Duration::zero() && row.per > 0, "a row states a time for some items");
  PHOTON_CHECK(row.items != nullptr, "a row counts the items of a message");
  auto& rows = rows_of(row.role).messages;
  PHOTON_CHECK(std::ranges::find(rows, row.type, &Message::type) == rows.end(),
               "one row for a role and a message type");
  rows.push_back(row);
}

void ServiceTimes::add(const Answer& row) {
  PHOTON_CHECK(row.time >= Duration::zero() && row.per > 0, "a row states a time for some items");
  PHOTON_CHECK(row.items != nullptr, "a row counts the items of an answer");
  auto& rows = rows_of(row.role).answers;
  PHOTON_CHECK(std::ranges::find(rows, row.operation, &Answer::operation) == rows.end(),
               "one row for a role and a volume operation");
  rows.push_back(row);
}

Duration ServiceTimes::of(std::uint32_t role, const Body& body) const {
  if (role >= roles_.size()) return Duration::zero();
  for (const Message& row : roles_[role].messages) {
    if (row.type == body.type()) return time_for(row.time, row.items(body), row.per);
  }
  return Duration::zero();
}

Duration ServiceTimes::of(std::uint32_t role, const VolumeRequest& request,
                          const IoResult& result) const {
  if (role >= roles_.size()) return Duration::zero();
  for (const Answer& row : roles_[role].answers) {
    if (row.operation == request.operation) {
      return time_for(row.time, row.items(request, result), row.per);
    }
  }
  return Duration::zero();
}

ServiceTimes::Rows& ServiceTimes::rows_of(std::uint32_t role) {
  constexpr std::uint32_t kMostRoles = 1000;
  PHOTON_CHECK(role < kMostRoles, "roles are small numbers");
  if (role >= roles_.size()) roles_.resize(role + 1);
  return roles_[role];
}

}  // namespace photon::sim
