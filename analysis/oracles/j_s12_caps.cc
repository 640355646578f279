#include "analysis/oracles/j_s12_caps.h"

#include <fmt/format.h>

namespace photon::analysis {

namespace {
// One word per join request of a dispatcher; the joiner makes a resend to another one distinct.
std::uint64_t send_key(std::uint64_t request, NodeId joiner) {
  return combine(request, joiner.value());
}

// Where tokens are renewed, a new one takes the place of the one before it.
bool replaces_another(const Evidence& evidence, const Fact& fact) {
  if (evidence.config().tokens) return false;
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
      const std::uint32_t held = evidence_.node(header.node).in_flight;
      if (fact.source() != trace::Source::delivered || cap == 0 || held <= cap) return;
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
      return on_insert_sent(fact, fact.as<trace::RegistryAsk>());
    default: {  // process_crashed
      Sender& ended = senders_[header.node];
      ended.sends.clear();
      ended.open.clear();
      return;
    }
  }
}

void Caps::on_join_sent(const Fact& fact, const trace::JoinAsk& ask) {
  const std::uint32_t cap = config().dispatcher_max_outstanding;
  if (cap == 0) return;
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
  // The dispatcher's own clock may run fast: it may give up a little earlier in true time.
  const std::int64_t timeout = config().dispatcher_send_timeout.count();
  const std::int64_t early = timeout / 1'000'000'000 * config().monotonic_drift_ppb + 1'000'000;
  from.sends.push_back({header.at + Duration(timeout - early), ask.request, header.peer});
  if (from.open.size() > cap) {
    report(fact, ask.click,
           fmt::format("the dispatcher has {} joins outstanding, its cap is {}", from.open.size(),
                       cap));
  }
}

void Caps::on_insert_sent(const Fact& fact, const trace::RegistryAsk& ask) {
  if (fact.source() != trace::Source::sent || ask.operation != trace::RegistryOperation::insert) {
    return;
  }
  if (evidence_.find_attempt(fact.event, ask.token) != nullptr) return;  // a retry
  if (replaces_another(evidence_, fact)) return;
  const NodeFacts& node = evidence_.node(fact.header().node);
  const std::uint32_t outstanding = node.outstanding + 1;
  const std::uint32_t window = node.window + 1;
  const std::uint32_t cap = config().joiner_max_outstanding_registry;
  const std::uint32_t bound = config().joiner_window_bound;
  if (cap != 0 && outstanding > cap) {
    report(fact, ask.id,
           fmt::format("the joiner has {} registrations without an answer, its cap is {}",
                       outstanding, cap));
  }
  const std::uint32_t shard_cap = config().joiner_max_outstanding_per_shard;
  if (shard_cap != 0) {
    const std::uint32_t of_shard = 1 + evidence_.outstanding_of(fact.header().node, ask.shard);
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

}  // namespace photon::analysis
