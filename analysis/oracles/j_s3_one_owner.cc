#include "analysis/oracles/j_s3_one_owner.h"

#include <fmt/format.h>

namespace photon::analysis {

namespace {

std::string place_of(const trace::OperationApplied& applied) {
  return fmt::format("slot {} of shard {}, operation {}", applied.slot, applied.shard.value(),
                     applied.index);
}

}  // namespace

void OneOwner::on_fact(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (fact.event == kNoIndex) return;  // about no id, or a replica's repetition
  oblige();
  if (applied.operation == trace::RegistryOperation::insert) {
    on_insert(fact, applied);
  } else {
    on_care(fact, applied);
  }
}

void OneOwner::on_care(const Fact& fact, const trace::OperationApplied& applied) {
  using trace::RegistryCode;
  const Registration& registration = registry_.registration(fact.event);
  const auto say = [&](const char* what) {
    report(fact, applied.id, fmt::format("{} at {}", what, place_of(applied)));
  };
  const bool here = registration.is_owned() && registration.owner_shard == applied.shard;
  const bool matches = here && !registration.is_cleared() && registration.owner == applied.token;
  const bool fresh = applied.fresh != 0;
  switch (applied.code) {
    case RegistryCode::not_found:
      if (here) say("the id was not found, but it has an owner");
      break;
    case RegistryCode::no_match:
      if (!here) say("no match, but the id has no owner");
      if (matches) say("no match, but exactly this token is stored");
      break;
    case RegistryCode::cleared:
      if (fresh ? !matches : !registration.is_cleared()) say("cleared, but not this token's value");
      break;
    default:
      break;
  }
  const bool changes =
      applied.code == RegistryCode::cleared || applied.code == RegistryCode::removed;
  if (fresh && !changes) say("a refused operation changed what is stored");
}

void OneOwner::on_insert(const Fact& fact, const trace::OperationApplied& applied) {
  const Registration& registration = registry_.registration(fact.event);
  const auto where = [&] { return place_of(applied); };
  const auto owner = [&] {
    return fmt::format("owned by token {} since slot {} of shard {}", describe(registration.owner),
                       registration.owner_slot, registration.owner_shard.value());
  };
  const bool fresh = applied.fresh != 0;
  if (applied.code == trace::RegistryCode::inserted) {
    if (applied.token.is_empty()) {
      report(fact, applied.id, fmt::format("an insert without a token succeeded at {}", where()));
    } else if (registration.is_owned() && registration.owner != applied.token) {
      report(fact, applied.id,
             fmt::format("token {} was inserted at {} although the id is {}",
                         describe(applied.token), where(), owner()));
    } else if (registration.is_owned() && (fresh || registration.owner_shard != applied.shard)) {
      report(fact, applied.id,
             fmt::format("token {} was inserted afresh at {} although the id is {}",
                         describe(applied.token), where(), owner()));
    } else if (!fresh && registration.is_cleared()) {
      report(fact, applied.id,
             fmt::format("token {} was taken for a retry at {}, but the owner's token was cleared",
                         describe(applied.token), where()));
    } else if (!registration.is_owned() && !fresh) {
      report(fact, applied.id,
             fmt::format("token {} was taken for a retry at {}, but the id has no owner",
                         describe(applied.token), where()));
    }
    return;
  }
  if (fresh) {
    report(fact, applied.id, fmt::format("a refused insert made the id present at {}", where()));
  } else if (applied.code == trace::RegistryCode::already_exists) {
    if (!registration.is_owned()) {
      report(fact, applied.id,
             fmt::format("already_exists at {}, but the id has no owner", where()));
    } else if (registration.owner == applied.token && !registration.is_cleared()) {
      report(
          fact, applied.id,
          fmt::format("the owner's own retry was refused at {}: the id is {}", where(), owner()));
    }
  }
}

}  // namespace photon::analysis
