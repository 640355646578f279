#include "analysis/oracles/j_s4_linearizable.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {

namespace {

using trace::RegistryCode;
using trace::RegistryOperation;

// Nothing for what clients do not ask for.
std::optional<ModelAction> action_of(RegistryOperation operation) {
  switch (operation) {
    case RegistryOperation::lookup:
      return ModelAction::lookup;
    case RegistryOperation::insert:
      return ModelAction::insert;
    case RegistryOperation::clear:
      return ModelAction::clear;
    case RegistryOperation::remove:
      return ModelAction::remove;
    case RegistryOperation::read_token:
      return ModelAction::read_token;
    default:
      return std::nullopt;
  }
}

// The code as an answer to that action. A code that the action never gives is always false.
RegistryModel::Output answer_of(ModelAction action, const trace::RegistryAnswer& answer) {
  switch (answer.code) {
    case RegistryCode::inserted:
      if (action == ModelAction::insert) return ModelAnswer::ok;
      break;
    case RegistryCode::cleared:
      if (action == ModelAction::clear) return ModelAnswer::ok;
      if (action == ModelAction::read_token) return ModelAnswer::cleared;
      break;
    case RegistryCode::removed:
      if (action == ModelAction::remove) return ModelAnswer::ok;
      break;
    case RegistryCode::exists:
      if (action == ModelAction::read_token) return {ModelAnswer::exists, answer.token};
      return ModelAnswer::exists;
    case RegistryCode::already_exists:
      return ModelAnswer::already_exists;
    case RegistryCode::too_old:
      return ModelAnswer::too_old;
    case RegistryCode::not_found:
      return ModelAnswer::not_found;
    case RegistryCode::no_match:
      return ModelAnswer::no_match;
    default:
      break;
  }
  return ModelAnswer::never;
}

std::string name_of(ModelAction action) {
  switch (action) {
    case ModelAction::insert:
      return "insert";
    case ModelAction::lookup:
      return "look-up";
    case ModelAction::read_token:
      return "reading of the token";
    case ModelAction::remove:
      return "removal";
    case ModelAction::clear:
      return "clearing";
    case ModelAction::expire:
      break;
  }
  return "expiry";
}

std::string name_of(ModelAnswer answer) {
  switch (answer) {
    case ModelAnswer::ok:
      return "ok";
    case ModelAnswer::already_exists:
      return "already exists";
    case ModelAnswer::exists:
      return "exists";
    case ModelAnswer::not_found:
      return "not found";
    case ModelAnswer::too_old:
      return "too old";
    case ModelAnswer::cleared:
      return "cleared";
    case ModelAnswer::no_match:
      return "no match";
    case ModelAnswer::never:
      break;
  }
  return "a code that is no answer to it";
}

// Look-ups that any replica may answer from its past (B-07).
bool of_the_past(const trace::RegistryAsk& ask) {
  return ask.operation == RegistryOperation::lookup && ask.lookups == trace::LookupMode::replica;
}

HistoryTime time_of(SimTime at) { return nanoseconds_of(at); }
static_assert(nanoseconds_of(kNever) == kNeverReturned);
std::string describe_time(HistoryTime at) { return describe(from_nanoseconds<SimTime>(at)); }

}  // namespace

void Linearizability::on_fact(const Fact& fact) {
  constexpr Duration kTick = std::chrono::seconds(1);
  if (between(ticked_, fact.header().at) >= kTick) {
    ticked_ = fact.header().at;
    resting_.tick();
  }
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      if (fact.source() == trace::Source::sent) return on_ask(fact);
      return fact.source() == trace::Source::delivered ? on_delivered(fact) : void();
    case trace::Kind::registry_answer:
      return fact.source() == trace::Source::delivered ? on_answer(fact) : void();
    default:
      return on_boundary(fact);
  }
}

Linearizability::Key& Linearizability::key_of(std::uint32_t event) {
  std::uint32_t& index = key_index_[event];
  if (index < kRests) return keys_[index];
  const bool rested = index == kRests;
  if (free_keys_.empty()) {
    index = static_cast<std::uint32_t>(keys_.size());
    keys_.emplace_back();
  } else {
    index = free_keys_.back();
    free_keys_.pop_back();
  }
  Key& key = keys_[index];
  if (!rested) return key;
  const Resting& before = std::as_const(resting_)[event];
  key.history = KeyHistory(before.summary);
  key.shard = before.shard;
  key.queued = before.queued != 0;
  return key;
}

// Most ids are asked for a few times within moments, and never again.
void Linearizability::rest(std::uint32_t event, Key& key) {
  const auto summary = key.history.at_rest();
  if (!summary || !key.judged || key.undecided) return;
  resting_.grow(event + std::size_t{1});
  resting_[event] = {*summary, key.shard, key.queued ? 1U : 0U};
  forget(event);
  key_index_[event] = kRests;
}

bool Linearizability::is_quiet(std::uint32_t event) const {
  const std::uint32_t index = key_index_.at(event);
  return index >= kRests || keys_[index].history.quiet();
}

void Linearizability::forget(std::uint32_t event) {
  std::uint32_t& index = key_index_[event];
  if (index < kRests) {
    keys_[index] = {};
    free_keys_.push_back(index);
  }
  index = kNoIndex;
}

// Since when the shard's boundary is above the stamp; kNeverReturned if it is not.
HistoryTime Linearizability::expired(ShardId id, Stamp stamp) const {
  return time_of(registry_.boundaries().passed_at(id, stamp));
}

void Linearizability::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const auto action = action_of(ask.operation);
  if (!action) return;
  const NodeId client = fact.header().node;
  const ReadRule rule = of_the_past(ask) ? ReadRule::stale : ReadRule::current;
  if (*action == ModelAction::remove) {
    Removed& last = removed_[ask.id];
    if (last.client != client || last.request != ask.request) last = {client, ask.request};
  }
  // A client that does not know of a removal may see the state before it: nothing is left to judge.
  if (rule == ReadRule::stale && !removed_.empty()) {
    const auto removed = removed_.find(ask.id);
    if (removed != removed_.end() && !removed->second.knows(client)) return;
  }
  Key& key = key_of(fact.event);
  if (!key.judged) return;
  key.history.ask({.request = ask.request,
                   .client = client,
                   .action = *action,
                   .rule = rule,
                   .token = ask.token,
                   .called = time_of(fact.header().at)},
                  expired(ask.shard, ask.id.stamp));
  note_if_undecided(key);
}

void Linearizability::note_if_undecided(Key& key) {
  if (key.undecided) return;
  key.undecided = true;
  switch (key.history.undecided()) {
    case SearchLimit::none:
      key.undecided = false;
      return;
    case SearchLimit::configurations:
      ++undecided_.configurations;
      return;
    case SearchLimit::steps:
      ++undecided_.steps;
      return;
    case SearchLimit::bytes:
      ++undecided_.bytes;
  }
}

void Linearizability::on_delivered(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const auto action = action_of(ask.operation);
  if (!action) return;
  const RegistryModel::Input input{*action, ask.id, ask.token};
  // A copy that arrives when the id is too old has no effect.
  if (RegistryModel::is_read(input) || expired(ask.shard, ask.id.stamp) != kNeverReturned) return;
  Key& key = key_of(fact.event);
  if (!key.judged) return;
  key.history.delivered(fact.header().peer, ask.request, input);
  note_if_undecided(key);
}

void Linearizability::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const auto action = action_of(answer.operation);
  if (!action || !trace::is_definitive(answer.code)) return;
  Key& key = key_of(fact.event);
  if (!key.judged) return;
  const RegistryQuestion* asked =
      key.history.find(fact.header().node, answer.request, *action, answer.token);
  if (asked == nullptr) return rest(fact.event, key);  // answered before
  judge(fact, key, *asked);
  if (answer.code == RegistryCode::removed) {
    const auto removed = removed_.find(answer.id);
    const bool of_the_last = removed != removed_.end() &&
                             removed->second.client == fact.header().node &&
                             removed->second.request == answer.request;
    if (of_the_last) removed->second.answered = true;
  }
  if (!key.queued) {
    key.queued = true;
    shards_[answer.shard].expiring.push_back({answer.id.stamp, fact.event});
  }
  rest(fact.event, key);
}

void Linearizability::judge(const Fact& fact, Key& key, const RegistryQuestion& open) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const RegistryQuestion asked = open;
  oblige();
  const RegistryModel::Output output = answer_of(asked.action, answer);
  const HistoryTime since = expired(answer.shard, answer.id.stamp);
  const bool elsewhere = key.shard != kNowhere && key.shard != answer.shard;
  const bool too_old = output.answer == ModelAnswer::too_old;
  if (!too_old) key.shard = answer.shard;
  if (too_old && elsewhere) {
    if (since == kNeverReturned) report(fact, answer.id, explain(fact, key, asked));
    return;
  }
  const bool explained = key.history.answer(open, output, time_of(fact.header().at), since);
  note_if_undecided(key);
  if (explained) return;
  report(fact, answer.id, explain(fact, key, asked));
  key.judged = false;
}

void Linearizability::on_boundary(const Fact& fact) {
  const auto& moved = fact.as<trace::BoundaryMoved>();
  const BoundaryHistory::Move last = registry_.boundaries().last(moved.shard);
  if (moved.slot <= last.slot || moved.boundary <= last.highest) return;
  Shard& shard = shards_[moved.shard];
  const auto settled = [&](const Expiring& each) {
    if (!is_quiet(each.event)) return false;
    forget(each.event);
    return true;
  };
  std::erase_if(shard.lingering, settled);
  while (!shard.expiring.empty() && shard.expiring.front().stamp < moved.boundary) {
    if (!settled(shard.expiring.front())) shard.lingering.push_back(shard.expiring.front());
    shard.expiring.pop_front();
  }
}

std::string Linearizability::explain(const Fact& fact, const Key& key,
                                     const RegistryQuestion& asked) const {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const HistoryTime since = expired(answer.shard, answer.id.stamp);
  std::string token = asked.token.is_empty() ? "" : " of token " + describe(asked.token);
  std::string text = fmt::format(
      "the {}{} that {} asked for at {} (request {}) was answered "
      "`{}` by shard {}",
      name_of(asked.action), token, process(asked.client), describe_time(asked.called),
      asked.request, name_of(answer_of(asked.action, answer).answer), answer.shard.value());
  if (answer.code == RegistryCode::too_old && since == kNeverReturned) {
    return text + ", whose boundary has not passed the id";
  }
  if (asked.called > since) {
    return text + ", whose boundary had passed the id at " + describe_time(since);
  }
  text += ": not linearizable";
  if (key.history.general()) return text + " (the id was removed, or its token cleared or read)";
  const InsertIfAbsentCheck& known = key.history.summary();
  if (known.last_absent_called() != InsertIfAbsentCheck::kLongAgo) {
    text += fmt::format("; a look-up sent at {} saw the id absent",
                        describe_time(known.last_absent_called()));
  }
  if (known.first_present_returned() != kNeverReturned) {
    text += fmt::format("; an answer received at {} showed it present",
                        describe_time(known.first_present_returned()));
  }
  for (const auto& each : known.candidates()) {
    text += fmt::format("; token {}", describe(each.token));
    if (each.first_called != kNeverReturned)
      text += " asked at " + describe_time(each.first_called);
    if (each.answered_ok) text += ", was answered `ok`";
    if (each.answered_already_exists) text += ", was answered `already exists`";
  }
  return text;
}

}  // namespace photon::analysis
