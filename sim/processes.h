// All processes of a run: their slots by id, and the faults that hold each of them down.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/downtime.h"
#include "sim/process.h"

namespace photon::sim {

class Processes final : public IoSink {
 public:
  explicit Processes(const Services& services);

  void connect(Network& network, Volumes& volumes, Slowness& slowness, FaultEffects& effects,
               UseMeter& meter, QuietRounds& rounds);
  void set_service_times(ServiceTimes times) { services_.service_times = std::move(times); }
  Process& at(NodeId node) { return *slots_[node.value()]; }
  std::size_t size() const { return slots_.size(); }

  void renew(std::uint64_t seed);

  // A fault holds the process down; true if that killed a live one.
  bool hold_down(NodeId node, std::uint32_t fault);
  // The same for a live one that was asked to stop and may be ended.
  void end_in_order(NodeId node, std::uint32_t fault);
  // The fault lets go; the process starts again if no other fault holds it. True if the process had
  // been found down, and this fault then kept it down for longer than the others would have.
  bool let_go(NodeId node, std::uint32_t fault);
  void start_all();

  void io_completed(std::uint64_t handle, Operation& operation) override;

 private:
  Services services_;
  std::vector<std::unique_ptr<Process>> slots_;
  std::vector<Downtime> downtimes_;  // by process
};

}  // namespace photon::sim
