#include "analysis/oracles/j_s12_caps.h"

#include <fmt/format.h>

#include "analysis/evidence/spec_values.h"

namespace photon::analysis {

namespace {
// One word per join request of a dispatcher; the joiner makes a resend to another one distinct.
std::uint64_t send_key(std::uint64_t request, NodeId joiner) {
  return spec_digest({request, joiner.value()});
}

std::uint64_t lookup_key(std::uint64_t request, std::uint32_t click) {
  return spec_digest({request, click});
}

// Where tokens are renewed, a new one takes the place of the one before it.
bool replaces_another(const JudgeConfig& config, const JoinEvidence& evidence, const Fact& fact) {
  if (config.tokens) return false;
  for (std::uint32_t i = evidence.click(fact.event).attempts; i != kNoIndex;) {
    const Attempt& attempt = evidence.attempt(i);
    const trace::Header& header = fact.header();
    const bool same_life = attempt.node == header.node && attempt.life == header.incarnation;
    if (same_life && attempt.outstanding) return true;
    i = attempt.next;
  }
  return false;
}
}  // namespace

void Caps::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case trace::Kind::join_ask: {
      const auto& ask = fact.as<trace::JoinAsk>();
      if (fact.source() == trace::Source::sent) return on_join_sent(fact, ask);
      const std::uint32_t cap = config().joiner_max_in_flight;
      const std::uint32_t held = join_.node(header.node).in_flight;
      if (fact.source() != trace::Source::delivered || cap == 0) return;
      oblige();
      if (held <= cap) return;
      return report(
          fact, ask.click,
          fmt::format("the joiner holds {} requests unanswered, its cap is {}", held, cap));
    }
    case trace::Kind::join_answer: {
      if (fact.source() != trace::Source::delivered) return;
      const auto& answer = fact.as<trace::JoinAnswer>();
      senders_[header.node].open.erase(send_key(answer.request, header.peer));
      return;
    }
    case trace::Kind::registry_ask:
      return fact.source() == trace::Source::sent ? on_registry_ask(fact) : void();
    case trace::Kind::registry_answer:
      return fact.source() == trace::Source::delivered ? on_registry_answer(fact) : void();
    case trace::Kind::slot_applied:
      return on_slot(fact, fact.as<trace::SlotApplied>());
    default:  // process_crashed
      senders_[header.node] = Sender{};
  }
}

void Caps::on_join_sent(const Fact& fact, const trace::JoinAsk& ask) {
  const std::uint32_t cap = config().dispatcher_max_outstanding;
  if (cap == 0) return;
  oblige();
  const trace::Header& header = fact.header();
  Sender& from = senders_[header.node];
  while (!from.sends.empty()) {
    const Send& oldest = from.sends.front();
    const std::uint64_t key = send_key(oldest.request, oldest.joiner);
    const bool timed_out =
        config().dispatcher_send_timeout.count() > 0 && oldest.expires <= header.at;
    if (!timed_out && from.open.contains(key)) break;
    from.open.erase(key);
    from.sends.pop_front();
  }
  from.open.insert(send_key(ask.request, header.peer));
  const Duration timeout = config().dispatcher_send_timeout;
  from.sends.push_back({header.at + timeout - config().unsure(timeout), ask.request, header.peer});
  if (from.open.size() > cap) {
    report(fact, ask.click,
           fmt::format("the dispatcher has {} joins outstanding, its cap is {}", from.open.size(),
                       cap));
  }
}

void Caps::on_registry_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (ask.operation == trace::RegistryOperation::lookup) return on_lookup_sent(fact);
  if (ask.operation == trace::RegistryOperation::insert) return on_insert_sent(fact, ask);
}

void Caps::on_lookup_sent(const Fact& fact) {
  // A look-up that has to wait for the sharding history is sent late, and given up as if it had
  // been sent at once, which the trace does not show. Those that seem open were asked within two
  // time-outs: of the older half no more than the cap can have been open when the younger began.
  const bool may_wait = config().sharding_group != JudgeConfig::kNoGroup;
  const std::uint32_t cap = config().dispatcher_max_lookups * (may_wait ? 2 : 1);
  if (cap == 0) return;
  oblige();
  const SimTime now = fact.header().at;
  Sender& from = senders_[fact.header().node];
  let_lapse(from, now);
  const Duration timeout = config().dispatcher_lookup_timeout;
  const std::uint64_t key = lookup_key(fact.as<trace::RegistryAsk>().request, fact.event);
  if (!from.lookups.try_emplace(key, Standing::counts).second) return;  // a repetition
  from.expiries.push_back({now + timeout - config().unsure(timeout), key});
  if (++from.outstanding_lookups > cap) {
    report(fact, fact.as<trace::RegistryAsk>().id,
           fmt::format("the dispatcher has {} look-ups outstanding, its cap is {}",
                       from.outstanding_lookups, cap));
  }
}

void Caps::count_no_more(Sender& from, std::uint64_t lookup) {
  const auto found = from.lookups.find(lookup);
  if (found == from.lookups.end() || found->second == Standing::over) return;
  found->second = Standing::over;
  --from.outstanding_lookups;
}

// Near its time-out a look-up may have been given up, and may be repeated: it does not count, and
// it is not forgotten.
void Caps::let_lapse(Sender& from, SimTime now) const {
  const Duration unsure = 2 * config().unsure(config().dispatcher_lookup_timeout);
  while (from.lapsed < from.expiries.size() && from.expiries[from.lapsed].at <= now) {
    count_no_more(from, from.expiries[from.lapsed++].lookup);
  }
  while (from.lapsed > 0 && from.expiries.front().at + unsure <= now) {
    from.lookups.erase(from.expiries.front().lookup);
    from.expiries.pop_front();
    --from.lapsed;
  }
}

// Sent to the wrong shard, it is asked for anew. Whatever else is not definitive is repeated.
void Caps::on_registry_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation != trace::RegistryOperation::lookup) return;
  const bool over =
      trace::is_definitive(answer.code) || answer.code == trace::RegistryCode::wrong_shard;
  if (over) count_no_more(senders_[fact.header().node], lookup_key(answer.request, fact.event));
}

void Caps::on_insert_sent(const Fact& fact, const trace::RegistryAsk& ask) {
  if (join_.find_attempt(fact.event, ask.token) != nullptr) return;  // a retry
  if (replaces_another(config(), join_, fact)) return;
  const NodeFacts& node = join_.node(fact.header().node);
  const std::uint32_t outstanding = node.outstanding + 1;
  const std::uint32_t window = node.window + 1;
  const std::uint32_t cap = config().joiner_max_outstanding_registry;
  const std::uint32_t bound = config().joiner_window_bound;
  const std::uint32_t shard_cap = config().joiner_max_outstanding_per_shard;
  if ((cap | bound | shard_cap) != 0) oblige();
  if (cap != 0 && outstanding > cap) {
    report(fact, ask.id,
           fmt::format("the joiner has {} registrations without an answer, its cap is {}",
                       outstanding, cap));
  }
  if (shard_cap != 0) {
    const std::uint32_t of_shard = 1 + join_.outstanding_of(fact.header().node, ask.shard);
    if (of_shard > shard_cap) {
      report(fact, ask.id,
             fmt::format("the joiner has {} registrations of shard {} without an answer, its cap "
                         "for one shard is {}",
                         of_shard, ask.shard.value(), shard_cap));
    }
  }
  if (bound != 0 && window > bound) {
    report(fact, ask.id,
           fmt::format("the joiner has {} attempts between registration and durable output, the "
                       "declared bound is {}",
                       window, bound));
  }
}

// Every replica applies the slot; the first application is judged.
void Caps::on_slot(const Fact& fact, const trace::SlotApplied& applied) {
  const std::uint32_t cap = config().max_batch_operations;
  if (cap == 0 || applied.operations == 0 || applied.group.value() == config().sharding_group) {
    return;
  }
  const Slot* const slot = registry_.consensus().slot(applied.group, applied.slot);
  if (slot != nullptr && slot->applied) return;
  oblige();
  if (applied.operations <= cap) return;
  report(fact, EventId{},
         fmt::format("slot {} of shard {} holds a transaction of {} operations; a batch may hold "
                     "{}",
                     applied.slot, applied.group.value(), applied.operations, cap));
}

}  // namespace photon::analysis
