// What attribution must come to, written from its description and not from attribution.h.
#pragma once

#include <cstring>

#include <photonsim/photonsim.h>

inline photonsim::ReferenceJoin attribution_reference(std::int64_t horizon_in_nanoseconds) {
  return [=](const photonsim::ReferenceEvent& query,
             const photonsim::ReferenceEvent& click) -> std::optional<photon::Bytes> {
    const std::int64_t after = click.id.stamp.time_since_epoch().count() - query.id.stamp.time_since_epoch().count();
    if (after > horizon_in_nanoseconds) return std::nullopt;  // too late: the adapter must skip it
    photon::Bytes expected(sizeof after + click.payload.size());
    std::memcpy(expected.data(), &after, sizeof after);
    std::ranges::copy(click.payload, expected.begin() + sizeof after);
    return expected;
  };
}
