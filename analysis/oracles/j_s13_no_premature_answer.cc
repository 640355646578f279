#include "analysis/oracles/j_s13_no_premature_answer.h"

#include <fmt/format.h>

namespace photon::analysis {

void NoPrematureAnswer::on_fact(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (fact.source() != trace::Source::sent || !trace::is_definitive(answer.code)) return;
  const trace::Header& header = fact.header();
  const Replica* replica = evidence_.consensus().replica(answer.shard, header.node);
  const bool applied = replica != nullptr && replica->life == header.incarnation &&
                       replica->position() >= answer.slot;
  if (!applied && answer.slot > 0) {
    return report(
        fact, answer.id,
        fmt::format("the answer (code {}) rests on slot {} of shard {}, which its sender "
                    "has not applied in this life",
                    static_cast<unsigned>(answer.code), answer.slot, answer.shard.value()));
  }
  if (answer.operation == trace::RegistryOperation::insert) {
    on_insert_answer(fact, answer);
  } else if (answer.operation == trace::RegistryOperation::lookup) {
    on_lookup_answer(fact, answer);
  }
}

void NoPrematureAnswer::on_insert_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  const AppliedInsert* applied = evidence_.find_insert(fact.event, answer.token, answer.slot);
  const bool same =
      applied != nullptr && applied->shard == answer.shard && applied->code == answer.code;
  if (same) return;
  const std::string what =
      applied == nullptr
          ? std::string("no such insert was applied in that slot")
          : fmt::format("the applied outcome is code {} of shard {}",
                        static_cast<unsigned>(applied->code), applied->shard.value());
  report(
      fact, answer.id,
      fmt::format("the insert of token {} was answered with code {} for slot {} of shard {}, but "
                  "{}",
                  describe(answer.token), static_cast<unsigned>(answer.code), answer.slot,
                  answer.shard.value(), what));
}

void NoPrematureAnswer::on_lookup_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  const Click& click = evidence_.click(fact.event);
  if (answer.code == trace::RegistryCode::exists) {
    const bool true_then =
        click.is_owned() && click.owner_shard == answer.shard && click.owner_slot <= answer.slot;
    if (true_then) return;
    report(fact, answer.id,
           fmt::format("a look-up was answered `exists` at slot {} of shard {}, but {}",
                       answer.slot, answer.shard.value(),
                       click.is_owned() ? fmt::format("the id was inserted at slot {} of shard {}",
                                                      click.owner_slot, click.owner_shard.value())
                                        : std::string("the id was never inserted")));
  } else if (answer.code == trace::RegistryCode::not_found) {
    // Within one slot a look-up may stand before the insert in the queue.
    const bool was_there =
        click.is_owned() && click.owner_shard == answer.shard && click.owner_slot < answer.slot;
    if (!was_there) return;
    report(fact, answer.id,
           fmt::format("a look-up was answered `not found` at slot {} of shard {}, but the id was "
                       "inserted at slot {}",
                       answer.slot, answer.shard.value(), click.owner_slot));
  } else if (answer.code != trace::RegistryCode::too_old) {
    report(fact, answer.id,
           fmt::format("a look-up was answered with code {}, which is for inserts",
                       static_cast<unsigned>(answer.code)));
  }
}

}  // namespace photon::analysis
