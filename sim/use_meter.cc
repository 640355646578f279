#include "sim/use_meter.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::sim {

// Takes what a process states, in the order of its resources.
class UseMeter::Reported final : public UseSink {
 public:
  Reported(std::vector<Gauge>& gauges, SimTime now) : gauges_(gauges), now_(now) {}

  void use(const ResourceUse& stated) override {
    if (next_ == gauges_.size()) {
      gauges_.push_back(
          {.now = stated, .since = now_, .used_max = stated.used, .waiting_max = stated.waiting});
    }
    Gauge& gauge = gauges_[next_++];
    PHOTON_CHECK(gauge.now.resource == stated.resource, "resources are stated in one order");
    set(gauge, stated, now_);
  }

 private:
  std::vector<Gauge>& gauges_;
  SimTime now_;
  std::size_t next_ = 1;  // after the processor
};

UseMeter::UseMeter(const Kernel& kernel, const Topology& topology, Tap& tap)
    : kernel_(kernel), topology_(topology), tap_(tap) {
  const Gauge processor{.now = {.resource = trace::Resource::processor, .limit = 1}};
  processes_.assign(topology.processes().size(), {processor});
  volumes_.assign(topology.volumes().size(), Gauge{.now = {.resource = trace::Resource::volume}});
}

void UseMeter::start(Duration interval) {
  PHOTON_CHECK(interval > Duration::zero() && !active(), "measuring begins once");
  interval_ = interval;
  tap_.sample_every(interval, *this);
}

void UseMeter::observe(const ProcessInfo& process, const Node& node) {
  if (!active()) return;
  tap_.sample_due();
  Reported reported(processes_[process.id.value()], kernel_.now());
  node.report_use(reported);
}

void UseMeter::works(const ProcessInfo& process, SimTime begin, SimTime end) {
  if (!active()) return;
  tap_.sample_due();
  Gauge& gauge = processes_[process.id.value()].front();
  PHOTON_CHECK(begin >= gauge.busy_until && end >= begin, "a process works on one thing at a time");
  if (begin > gauge.busy_until) {
    advance(gauge, std::max(gauge.since, std::min(begin, gauge.busy_until)));
    gauge.since = std::max(gauge.since, begin);
  }
  gauge.busy_until = end;
  gauge.used_max = 1;
}

void UseMeter::waiting(const ProcessInfo& process, std::size_t deliveries) {
  if (!active()) return;
  tap_.sample_due();
  Gauge& gauge = processes_[process.id.value()].front();
  advance(gauge, kernel_.now());
  gauge.now.waiting = deliveries;
  gauge.waiting_max = std::max<std::uint64_t>(gauge.waiting_max, deliveries);
}

void UseMeter::ended(const ProcessInfo& process) {
  if (!active()) return;
  tap_.sample_due();
  const SimTime now = kernel_.now();
  for (Gauge& gauge : processes_[process.id.value()]) {
    set(gauge, {gauge.now.resource, 0, gauge.now.limit, 0}, now);
    gauge.busy_until = std::min(gauge.busy_until, now);
  }
}

void UseMeter::requests(VolumeId volume, std::size_t now) {
  if (!active()) return;
  tap_.sample_due();
  set(volumes_[volume.value()], {trace::Resource::volume, now, 0, 0}, kernel_.now());
}

void UseMeter::advance(Gauge& gauge, SimTime to) {
  if (to <= gauge.since) return;
  const auto length = [](SimTime from, SimTime until) {
    return static_cast<std::uint64_t>(std::max((until - from).count(), Duration::rep{0}));
  };
  const std::uint64_t whole = length(gauge.since, to);
  const bool processor = gauge.now.resource == trace::Resource::processor;
  const std::uint64_t busy = length(gauge.since, std::min(to, gauge.busy_until));
  const bool full = gauge.now.limit > 0 && gauge.now.used >= gauge.now.limit;
  gauge.used_sum += processor ? busy : gauge.now.used * whole;
  gauge.full += processor ? busy : (full ? whole : 0);
  gauge.waiting_sum += gauge.now.waiting * whole;
  gauge.since = to;
}

void UseMeter::set(Gauge& gauge, const ResourceUse& use, SimTime now) {
  if (gauge.now.used == use.used && gauge.now.waiting == use.waiting &&
      gauge.now.limit == use.limit) {
    return;
  }
  advance(gauge, now);
  gauge.now = use;
  gauge.used_max = std::max(gauge.used_max, use.used);
  gauge.waiting_max = std::max(gauge.waiting_max, use.waiting);
}

void UseMeter::record(const Party& about, NodeId peer, Gauge& gauge, SimTime boundary, Idle idle) {
  advance(gauge, boundary);
  if (idle == Idle::recorded || gauge.used_max > 0 || gauge.waiting_max > 0) {
    tap_.record_sample(boundary, about, peer,
                       trace::ResourceUsed{interval_.count(), gauge.used_sum, gauge.waiting_sum,
                                           gauge.full, gauge.now.limit, gauge.used_max,
                                           gauge.waiting_max, gauge.now.resource});
  }
  gauge.used_sum = gauge.waiting_sum = gauge.full = 0;
  const bool works = gauge.busy_until > boundary;
  gauge.used_max = works ? 1 : gauge.now.used;
  gauge.waiting_max = gauge.now.waiting;
}

void UseMeter::sample(SimTime boundary) {
  for (const ProcessInfo& process : topology_.processes()) {
    const Party about{process.id, {}, process.datacenter, process.host};
    for (Gauge& gauge : processes_[process.id.value()]) {
      const bool first = &gauge == &processes_.front().front();
      record(about, kNoNode, gauge, boundary, first ? Idle::recorded : Idle::left_out);
    }
  }
  for (const VolumeInfo& volume : topology_.volumes()) {
    const Party about{kNoNode, {}, volume.datacenter, {}};
    record(about, NodeId(volume.id.value()), volumes_[volume.id.value()], boundary, Idle::left_out);
  }
}

}  // namespace photon::sim
