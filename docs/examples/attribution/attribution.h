// Attribution: a click counts for its query only within a horizon. The joined record holds the delay in nanoseconds and
// the click.
#pragma once

#include <photonsim/photonsim.h>

class AttributionAdapter final : public photon::Adapter {
 public:
  explicit AttributionAdapter(photon::Duration horizon) : horizon_(horizon) {}

  photon::AdapterResult adapt(const photon::AdapterEvent& query, const photon::AdapterEvent& click,
                              photon::Bytes& out) const override {
    const photon::Duration delay = click.id.stamp - query.id.stamp;
    if (delay > horizon_) return photon::AdapterResult::skipped;
    photon::Encoder encoder(out);
    encoder(delay.count());
    encoder.raw(click.payload);
    return photon::AdapterResult::joined;
  }

 private:
  photon::Duration horizon_;
};
