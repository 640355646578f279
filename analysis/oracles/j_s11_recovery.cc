#include "analysis/oracles/j_s11_recovery.h"

#include <fmt/format.h>

namespace photon::analysis {

void Recovery::on_fact(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (fact.event == kNoIndex || applied.code != trace::RegistryCode::removed) return;
  oblige();
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  const auto say = [&](std::string_view why) {
    report(fact, click.id,
           fmt::format("token {} lost the id at slot {} of shard {}, but {}",
                       describe(applied.token), applied.slot, applied.shard.value(), why));
  };
  const bool stored = registration.is_owned() && registration.owner_shard == applied.shard &&
                      registration.owner == applied.token && !registration.is_cleared();
  if (!stored) {
    say(registration.is_owned()
            ? fmt::format("what is stored is token {}{}", describe(registration.owner),
                          registration.is_cleared() ? ", cleared" : "")
            : std::string("it has no owner"));
  }
  if (click.is_joined()) say("its output is durable");
  if (config().registry_only()) {
    const auto* tally = registry_.requests_of(applied.token, trace::RegistryOperation::remove);
    if (tally == nullptr || !tally->ever) say("the life that drew it never asked for that");
    return;
  }
  const Attempt* attempt = join_.find_attempt(fact.event, applied.token);
  if (attempt == nullptr) return;
  if (attempt->output_durable && !click.is_joined()) {
    say("its output was durable before it was lost");
  }
  // Refused before it wrote: it has nothing in flight, and may never write (J-S2, J-S18).
  const bool refused = attempt->answered_at != kNever && !attempt->output_issued &&
                       attempt->answer != trace::RegistryCode::inserted;
  if (refused) return;
  const NodeFacts& owner = join_.node(attempt->node);
  if (owner.alive && owner.life == attempt->life) {
    say("the life that drew it is not over");
  } else if (owner.fenced <= applied.token.incarnation) {
    say("its output files are not shut: appends in flight may still become durable");
  }
}

}  // namespace photon::analysis
