#include "analysis/oracles/j_s3_one_owner.h"

#include <fmt/format.h>

namespace photon::analysis {

void OneOwner::on_fact(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (fact.event == kNoIndex) return;  // no insert, or a replica's repetition
  const Click& click = evidence_.click(fact.event);
  const auto where = [&] {
    return fmt::format("slot {} of shard {}, operation {}", applied.slot, applied.shard.value(),
                       applied.index);
  };
  const auto owner = [&] {
    return fmt::format("owned by token {} since slot {} of shard {}", describe(click.owner),
                       click.owner_slot, click.owner_shard.value());
  };
  const bool fresh = applied.fresh != 0;
  if (applied.code == trace::RegistryCode::inserted) {
    if (applied.token.is_empty()) {
      report(fact, click.id, fmt::format("an insert without a token succeeded at {}", where()));
    } else if (click.is_owned() && click.owner != applied.token) {
      report(fact, click.id,
             fmt::format("token {} was inserted at {} although the id is {}",
                         describe(applied.token), where(), owner()));
    } else if (click.is_owned() && (fresh || click.owner_shard != applied.shard)) {
      report(fact, click.id,
             fmt::format("token {} was inserted afresh at {} although the id is {}",
                         describe(applied.token), where(), owner()));
    } else if (!click.is_owned() && !fresh) {
      report(fact, click.id,
             fmt::format("token {} was taken for a retry at {}, but nobody owns the id",
                         describe(applied.token), where()));
    }
    return;
  }
  if (fresh) {
    report(fact, click.id, fmt::format("a refused insert made the id present at {}", where()));
  } else if (applied.code == trace::RegistryCode::already_exists) {
    if (!click.is_owned()) {
      report(fact, click.id, fmt::format("already_exists at {}, but nobody owns the id", where()));
    } else if (click.owner == applied.token) {
      report(
          fact, click.id,
          fmt::format("the owner's own retry was refused at {}: the id is {}", where(), owner()));
    }
  }
}

}  // namespace photon::analysis
