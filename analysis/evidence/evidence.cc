#include "analysis/evidence/evidence.h"

#include <utility>

#include "core_impl/trace/environment.h"

namespace photon::analysis {

using trace::Kind;

Evidence::Evidence(JudgeConfig config, TracePlaces places)
    : config_(std::move(config)),
      places_(std::move(places)),
      registry_(config_),
      join_(config_, registry_) {}

// Few rows stay in use while all are read.
void Evidence::tick() const {
  for (int i = 0; i < 8; ++i) {
    join_.tick();
    registry_.tick();
  }
}

void Evidence::absorb(const trace::Record& record, std::uint32_t event) {
  constexpr Duration kTick = std::chrono::seconds(1);
  if (between(ticked_, record.header.at) >= kTick) {
    ticked_ = record.header.at;
    join_.tick();
    registry_.tick();
  }
  switch (record.header.kind) {
    case Kind::paxos_accept:
    case Kind::paxos_accepted:
    case Kind::paxos_promise:
    case Kind::paxos_log_written:
    case Kind::paxos_log_restated:
    case Kind::paxos_admission:
    case Kind::paxos_formatted:
    case Kind::paxos_snapshot:
    case Kind::state_restored:
    case Kind::slot_applied:
    case Kind::boundary_moved:
    case Kind::incarnation_granted:
    case Kind::load_asked:
    case Kind::load_done:
      registry_.absorb(record);
      return join_.absorb(record, event);
    case Kind::operation_applied: {
      join_.absorb(record, event);  // the time
      const bool owned = registry_.apply(record, event) == RegistryEvidence::Change::owned;
      if (owned) join_.on_owned(event, record.as<trace::OperationApplied>().token);
      return;
    }
    case Kind::resource_used:
      on_used(record);
      return join_.absorb(record, event);
    default:
      join_.absorb(record, event);
  }
}

void Evidence::on_used(const trace::Record& record) {
  const auto& used = record.as<trace::ResourceUsed>();
  if (used.resource != trace::Resource::processor) return;
  if (static_cast<std::int64_t>(used.full_nanoseconds) < used.nanoseconds) return;
  busy_until_[record.header.node] = record.header.at;
}

SimTime Evidence::busy_until(NodeId node) const {
  const auto found = busy_until_.find(node);
  return found == busy_until_.end() ? kNever : found->second;
}

}  // namespace photon::analysis
