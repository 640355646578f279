// What the bytes in a pipeline's cell and on a replica's disk mean, for the oracles.
//
// The simulator reports which bytes were written and made durable; here they are decoded by the
// formats that the files are documented to have. So an oracle's evidence is what is on the disk,
// not what a component says about it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "core_impl/base/bytes.h"
#include "core_impl/logs/log_reader.h"
#include "sim/tap.h"

namespace photonsim::scenarios {

class StorageFacts final : public photon::sim::StorageProjector {
 public:
  void project(const photon::sim::StorageFact& fact, photon::trace::FactSink& sink) override;

 private:
  void copied(const photon::sim::StorageFact& fact, std::string_view name,
              photon::trace::FactSink& sink);

  struct Copy {
    photon::logs::LogReader reader{};
    photon::Bytes rest{};  // after the returned records: the start of a record, or damage
  };

  // The copies of output files, by volume and name.
  std::map<std::pair<std::uint32_t, std::string>, Copy> copies_;
};

}  // namespace photonsim::scenarios
