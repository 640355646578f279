#include "analysis/corner_cases/corner_retries.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;
using trace::RegistryCode;
using trace::RegistryOperation;
using trace::Source;

void CornerRetries::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::registry_ask:
      if (fact.as<trace::RegistryAsk>().operation != RegistryOperation::insert) return;
      return fact.source() == Source::sent ? on_sent(fact) : on_arrived(fact);
    case Kind::registry_answer: {
      const auto& answer = fact.as<trace::RegistryAnswer>();
      const bool counts =
          answer.operation == RegistryOperation::insert && trace::is_definitive(answer.code);
      if (!counts) return;
      return fact.source() == Source::sent ? on_reply_sent(fact) : on_reply_came(fact);
    }
    case Kind::operation_applied:
      if (fact.event != kNoIndex) on_applied(fact);
      return;
    case Kind::master_ended: {
      const ShardId shard = fact.as<trace::MasterEnded>().group;
      GroupTerm& group = groups_.of(shard);
      if (group.master == fact.header().node) on_office_ended(shard, group);
      return;
    }
    case Kind::master_elected: {
      const ShardId shard = fact.as<trace::MasterElected>().group;
      return on_office_ended(shard, groups_.of(shard));
    }
    case Kind::process_crashed: {
      const auto shard = groups_.group_of(fact.header().node);
      if (!shard || groups_.of(*shard).master != fact.header().node) return;
      return on_office_ended(*shard, groups_.of(*shard));
    }
    default:
      return;
  }
}

void CornerRetries::on_sent(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const trace::Header& header = fact.header();
  ItemFacts& item = items_[{{header.node, ask.request}, ask.token}];
  item.sent.count(header.at);
  const Attempt* attempt = evidence_.join().find_attempt(fact.event, ask.token);
  if (item.sent.times < 2 || attempt == nullptr) return;
  if (attempt->ok_sent_at < header.at && !attempt->ok_delivered) {
    tokens_[ask.token].repeated_after_ok = true;
  }
}

void CornerRetries::on_arrived(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const trace::Header& header = fact.header();
  ItemFacts& item = items_[{{header.peer, ask.request}, ask.token}];
  item.delivered.count(header.at);
  TokenFacts& token = tokens_[ask.token];
  const Attempt* attempt = evidence_.join().find_attempt(ask.token);
  const bool doubled = item.delivered.times > item.sent.times;
  if (doubled && attempt != nullptr && attempt->ok_delivered) token.copied_after_ok = true;
  GroupTerm& group = groups_.of(ask.shard);
  if (group.vacant || group.master != header.node) return;
  token.arrived_slot = group.proposals.empty() ? 0 : group.proposals.back().slot;
  waiting_[ask.shard].tokens.push_back(ask.token);
}

void CornerRetries::on_reply_sent(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  tokens_[answer.token].settled = true;
  const trace::Header& header = fact.header();
  items_[{{header.peer, answer.request}, answer.token}].replies.count(header.at);
}

void CornerRetries::on_reply_came(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const trace::Header& header = fact.header();
  const Attempt* attempt = evidence_.join().find_attempt(fact.event, answer.token);
  const bool late = attempt != nullptr && attempt->node == header.node &&
                    attempt->life == header.incarnation && attempt->answered_at < header.at;
  const ItemFacts& item = items_[{{header.node, answer.request}, answer.token}];
  if (late && item.sent.times > 1 && item.replies.times > 1) counts_.hit(Corner::bc28);
}

void CornerRetries::on_applied(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  const Registration& registration = evidence_.registry().registration(fact.event);
  if (applied.operation == RegistryOperation::remove) {
    const bool rival = applied.code == RegistryCode::no_match && registration.is_owned() &&
                       registration.owner != applied.token;
    if (rival) counts_.hit(Corner::bc29);
    return;
  }
  if (applied.operation != RegistryOperation::insert) return;
  TokenFacts& token = tokens_[applied.token];
  GroupTerm& group = groups_.of(applied.shard);
  const Proposal* proposal = GroupHistory::proposal(group, applied.slot);
  const std::uint64_t term = proposal == nullptr ? group.term : proposal->term;
  note_waiting(applied.shard, token, applied);
  const bool in_previous = token.arrived_slot != 0 && token.arrived_slot == group.previous_slot &&
                           std::ranges::find(group.previous, applied.id) != group.previous.end();
  if (in_previous) counts_.hit(Corner::bc04);
  switch (applied.code) {
    case RegistryCode::inserted:
      if (applied.fresh == 0) return on_recognised(fact, token, term);
      token.owner_term = term + 1;
      token.surfaced = term < group.term;
      if (evidence_.registry().any_tenure(fact.event, [&](const Tenure& tenure) {
            return tenure.token == applied.token && tenure.until != kNoSlot;
          })) {
        counts_.hit(Corner::bc12);
      }
      return;
    case RegistryCode::already_exists: {
      if (registration.owner == applied.token && registration.is_cleared())
        return counts_.hit(Corner::bc10);
      const auto owner = tokens_.find(registration.owner);
      const bool since = owner != tokens_.end() && token.waited_at != 0 &&
                         owner->second.owner_term > token.waited_at;
      if (since) counts_.hit(Corner::bc09);
      return;
    }
    case RegistryCode::too_old:
      if (registration.owner == applied.token) counts_.hit(Corner::bc11);
      return;
    default:
      return;
  }
}

// The stored token came again.
void CornerRetries::on_recognised(const Fact& fact, TokenFacts& token, std::uint64_t term) {
  const auto& applied = fact.as<trace::OperationApplied>();
  const Registration& registration = evidence_.registry().registration(fact.event);
  const Attempt* attempt = evidence_.join().find_attempt(fact.event, applied.token);
  if (attempt == nullptr || registration.owner_slot == applied.slot) return;
  if (token.surfaced) counts_.hit(Corner::bc08);
  if (attempt->ok_delivered) {
    if (token.copied_after_ok) counts_.hit(Corner::bc25);
  } else if (token.owner_term != term + 1) {
    counts_.hit(Corner::bc07);
  } else if (token.repeated_after_ok) {
    counts_.hit(Corner::bc06);
  }
}

// All requests that the master had not answered wait for the next one.
void CornerRetries::on_office_ended(ShardId shard, GroupTerm& group) {
  if (group.vacant) return;
  Waiting& waiting = waiting_[shard];
  const std::uint64_t term = group.term + 1;
  for (const Token& each : waiting.tokens) {
    TokenFacts& token = tokens_[each];
    if (!token.settled && !group.proposals.empty()) token.waited_at = term;
  }
  waiting.tokens.clear();
}

void CornerRetries::note_waiting(ShardId shard, const TokenFacts& token,
                                 const trace::OperationApplied& applied) {
  if (token.waited_at == 0 || token.settled) return;
  constexpr std::uint8_t kAll = 15;
  std::uint8_t outcome = 0;
  if (applied.code == RegistryCode::too_old) outcome = 1;
  if (applied.code == RegistryCode::already_exists) outcome = 2;
  if (applied.code == RegistryCode::inserted) outcome = applied.fresh == 0 ? 4 : 8;
  auto& seen = waiting_[shard].seen;
  if (seen.size() <= token.waited_at) seen.resize(token.waited_at + 1);
  std::uint8_t& of_term = seen[token.waited_at];
  const bool complete = of_term == kAll;
  of_term = static_cast<std::uint8_t>(of_term | outcome);
  if (!complete && of_term == kAll) counts_.hit(Corner::bc32);
}

}  // namespace photon::analysis
