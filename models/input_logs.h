// The input logs of one datacenter as a volume: bytes are regenerated on read, never stored.
//
// Invariant: what a process can list, stat or read is exactly what has been shipped so far; the
// owner moves that forward through `copies()` as virtual time passes.
#pragma once

#include "models/shipping.h"
#include "sim/ports.h"

namespace photon::models {

class InputLogs final : public sim::ExternalVolume {
 public:
  // The arguments must outlive this object. `place` numbers the datacenters that hold copies.
  InputLogs(std::vector<EventLog*> logs, const Shipping& shipping, std::uint32_t place);

  void serve(const VolumeRequest& request, IoResult& result) override;

  ShippedCopies& copies() { return copies_; }
  EventLog& log(std::uint32_t index) { return *logs_[index]; }

 private:
  void list(const VolumeRequest& request, IoResult& result) const;
  void read(const VolumeRequest& request, std::uint32_t log, IoResult& result);

  struct Named {
    FileName name;
    std::uint32_t log = 0;
  };
  std::vector<EventLog*> logs_;
  ShippedCopies copies_;
  std::vector<Named> by_name_;  // in name order
};

}  // namespace photon::models
