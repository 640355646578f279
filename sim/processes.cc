#include "sim/processes.h"

#include "core_impl/base/check.h"

namespace photon::sim {

Processes::Processes(const Services& services)
    : services_(services), downtimes_(services.topology.processes().size()) {
  for (const ProcessInfo& info : services_.topology.processes()) {
    slots_.push_back(std::make_unique<Process>(services_, info));
    const ActorId actor = services_.kernel.add(*slots_.back());
    PHOTON_CHECK(actor.value() == info.id.value(), "processes are the kernel's first actors");
  }
}

void Processes::connect(Network& network, Volumes& volumes, Slowness& slowness,
                        FaultEffects& effects, UseMeter& meter, QuietRounds& rounds) {
  services_.network = &network;
  services_.volumes = &volumes;
  services_.slowness = &slowness;
  services_.effects = &effects;
  services_.meter = &meter;
  services_.rounds = &rounds;
}

bool Processes::hold_down(NodeId node, std::uint32_t fault) {
  const bool alive = at(node).up();
  downtimes_[node.value()].hold(fault,
                                alive ? Downtime::Arrival::killed : Downtime::Arrival::found_down);
  if (alive) at(node).crash(fault, Ending::by_force);
  return alive;
}

void Processes::end_in_order(NodeId node, std::uint32_t fault) {
  downtimes_[node.value()].hold(fault, Downtime::Arrival::killed);
  at(node).crash(fault, Ending::in_order);
}

bool Processes::let_go(NodeId node, std::uint32_t fault) {
  Downtime& downtime = downtimes_[node.value()];
  const bool lengthened = downtime.let_go(fault, services_.kernel.now());
  if (downtime.over()) at(node).start();
  return lengthened;
}

void Processes::renew(std::uint64_t seed) {
  for (const auto& slot : slots_) slot->renew(seed);
}

void Processes::start_all() {
  for (const auto& slot : slots_) slot->start();
}

void Processes::io_completed(std::uint64_t handle, Operation& operation) {
  at(operation.requester.party.node).io_completed(handle, operation);
}

}  // namespace photon::sim
