#include "scenarios/world/output_retention.h"

#include "core_impl/photon/cell_log/cell_files.h"

namespace photonsim::scenarios {

void OutputRetention::on_start(photon::sim::Environment& environment) {
  environment.wake_at(environment.now() + keep_);
}

void OutputRetention::on_wake(photon::sim::Environment& environment, std::uint64_t /*argument*/) {
  for (const photon::VolumeId cell : cells_) {
    for (const photon::FileInfo& file : volumes_.durable_files(cell, photon::kOutputPrefix)) {
      std::uint64_t& before = before_[{cell, file.name}];
      volumes_.forget_before(cell, file.name, before);
      before = file.length;
    }
  }
  environment.wake_at(environment.now() + keep_);
}

}  // namespace photonsim::scenarios
