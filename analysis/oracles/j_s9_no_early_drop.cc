#include "analysis/oracles/j_s9_no_early_drop.h"

#include <fmt/format.h>

namespace photon::analysis {

using trace::RegistryCode;

void NoEarlyDrop::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::registry_answer:
      if (fact.source() != trace::Source::sent) return;
      return on_answer(fact, fact.as<trace::RegistryAnswer>());
    default:
      if (fact.event == kNoIndex) return;  // about no id, or a replica's repetition
      return on_applied(fact, fact.as<trace::OperationApplied>());
  }
}

// By the moves in the slots up to and with `slot`.
bool NoEarlyDrop::below_boundary(ShardId shard, std::uint64_t slot, const EventId& id) const {
  return id.stamp < registry_.boundaries().up_to(shard, slot).highest;
}

void NoEarlyDrop::too_old(const Fact& fact, const EventId& id) {
  oblige();
  const auto now = fact.header().at.time_since_epoch() + config().calendar_epoch;
  const Duration age = now - id.stamp.time_since_epoch();
  if (age > config().gc_age) return;
  report(fact, id,
         fmt::format("called too old at the age of {} ns, but N is {} ns", age.count(),
                     config().gc_age.count()));
}

void NoEarlyDrop::on_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  if (answer.code == RegistryCode::too_old) return too_old(fact, answer.id);
  if (answer.code != RegistryCode::not_found) return;
  oblige();
  if (below_boundary(answer.shard, answer.slot, answer.id)) return;
  std::uint64_t since = 0;
  const bool was_there = registry_.any_tenure(fact.event, [&](const Tenure& tenure) {
    since = tenure.from;
    return tenure.shard == answer.shard && tenure.from < answer.slot && answer.slot < tenure.until;
  });
  if (!was_there) return;
  report(fact, answer.id,
         fmt::format("not found at slot {} of shard {}: registered there since slot {}, it was "
                     "neither removed nor passed by the boundary",
                     answer.slot, answer.shard.value(), since));
}

void NoEarlyDrop::on_applied(const Fact& fact, const trace::OperationApplied& applied) {
  if (applied.code == RegistryCode::too_old) return too_old(fact, applied.id);
  const bool found_absent =
      applied.code == RegistryCode::not_found ||
      (applied.operation == trace::RegistryOperation::insert && applied.fresh != 0);
  if (!found_absent) return;
  oblige();
  const Registration& registration = registry_.registration(fact.event);
  const bool there = registration.is_owned() && registration.owner_shard == applied.shard &&
                     registration.owner_slot < applied.slot &&
                     !below_boundary(applied.shard, applied.slot, applied.id);
  if (!there) return;
  report(fact, applied.id,
         fmt::format("found absent at slot {} of shard {}: registered there since slot {}, it was "
                     "neither removed nor passed by the boundary",
                     applied.slot, applied.shard.value(), registration.owner_slot));
}

}  // namespace photon::analysis
