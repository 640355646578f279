// JoinEvidence: what requests and answers of dispatchers and joiners prove.
#include <algorithm>

#include "analysis/evidence/join_evidence.h"

namespace photon::analysis {

using trace::Record;
using trace::RegistryCode;
using trace::RegistryOperation;
using trace::Source;

namespace {

std::uint8_t answer_bit(trace::JoinOutcome outcome) {
  switch (outcome) {
    case trace::JoinOutcome::joined:
      return kAnsweredJoined;
    case trace::JoinOutcome::already_exists:
      return kAnsweredExists;
    case trace::JoinOutcome::too_old:
      return kAnsweredTooOld;
    case trace::JoinOutcome::skipped:
      return kAnsweredSkipped;
    case trace::JoinOutcome::unjoinable:
      return kAnsweredUnjoinable;
    default:
      return 0;
  }
}

}  // namespace

void JoinEvidence::on_owned(std::uint32_t event, const Token& token) {
  if (Attempt* owner = attempt_of(event, token); owner != nullptr) owner->took_effect = true;
  Click& click = clicks_[event];
  if (click.open || !click.generated || click.is_joined() || !owner_at_work(event)) return;
  click.open = true;  // an insert took effect after its caller had given up
  ++open_;
}

void JoinEvidence::on_registry_ask(const Record& record, std::uint32_t event) {
  const auto& ask = record.as<trace::RegistryAsk>();
  if (record.header.source != Source::sent) return;
  if (ask.operation == RegistryOperation::lookup) return come_to(event, record);
  if (ask.operation != RegistryOperation::insert) return;
  if (Attempt* known = attempt_of(event, ask.token); known != nullptr) {
    known->active_at = record.header.at;
    known->shard = ask.shard;
    if (known->ok_sent_at < record.header.at && !known->ok_delivered) known->reply_lost = true;
    return;
  }
  add_attempt(record.header, ask, event);
}

// Without tokens a repetition is an attempt of its own, and the one before it is given up.
void JoinEvidence::supersede(const Attempt& by) {
  for (std::uint32_t i = by.next; i != kNoIndex; i = attempts_[i].next) {
    Attempt& attempt = attempts_[i];
    const bool same_life = attempt.node == by.node && attempt.life == by.life;
    if (!same_life || !attempt.outstanding) continue;
    attempt.superseded = true;
    return close_window(attempt);
  }
}

const Attempt& JoinEvidence::last_try(const Attempt& attempt) const {
  for (std::uint32_t i = clicks_[attempt.click].attempts; i != kNoIndex; i = attempts_[i].next) {
    if (attempts_[i].node == attempt.node && attempts_[i].life == attempt.life) return attempts_[i];
  }
  return attempt;
}

const Attempt* JoinEvidence::later_try(const Attempt& attempt, RegistryCode answer) const {
  const Attempt* found = nullptr;
  for (std::uint32_t i = clicks_[attempt.click].attempts; i != kNoIndex; i = attempts_[i].next) {
    const Attempt& each = attempts_[i];
    if (&each == &attempt) break;
    if (each.node != attempt.node || each.life != attempt.life) continue;
    if (each.answered_at != kNever && each.answer == answer) found = &each;
  }
  return found;
}

void JoinEvidence::add_attempt(const trace::Header& header, const trace::RegistryAsk& ask,
                               std::uint32_t click) {
  NodeFacts& node = living(header);
  const auto index = static_cast<std::uint32_t>(attempts_.size());
  Attempt& attempt = attempts_.emplace_back();
  attempt.token = ask.token;
  attempt.node = header.node;
  attempt.life = header.incarnation;
  attempt.click = click;
  attempt.next = clicks_[click].attempts;
  attempt.shard = ask.shard;
  attempt.asked_at = attempt.active_at = header.at;
  if (const Visit* visit = find_visit(click, header.node); visit != nullptr) {
    attempt.received_at = visit->received_at;
    attempt.decided_at = visit->decided_at;
  }
  clicks_[click].attempts = index;
  token_index_.insert(ask.token, index);
  ++node.outstanding;
  ++node.window;
  // Closed ones are swept out when they are half of the list: O(1) in the long run.
  if (node.open_attempts.size() >= 64 && node.open_attempts.size() >= 2 * node.window) {
    std::erase_if(node.open_attempts, [this](std::uint32_t i) { return !attempts_[i].in_window; });
  }
  node.open_attempts.push_back(index);
  if (!config_.tokens) supersede(attempt);
}

void JoinEvidence::on_registry_answer(const Record& record, std::uint32_t event) {
  const auto& answer = record.as<trace::RegistryAnswer>();
  const trace::Header& header = record.header;
  if (answer.code == RegistryCode::wrong_shard) return on_wrong_shard(header, answer, event);
  if (!trace::is_definitive(answer.code)) return;
  if (header.source == Source::sent) {
    if (answer.operation != RegistryOperation::insert || answer.code != RegistryCode::inserted) {
      return;
    }
    if (Attempt* attempt = attempt_of(event, answer.token); attempt != nullptr) {
      attempt->ok_sent_at = std::min(attempt->ok_sent_at, header.at);
    }
    return;
  }
  if (header.source != Source::delivered) return;
  if (answer.operation == RegistryOperation::insert) {
    return on_insert_delivered(header, answer, event);
  }
  if (answer.operation != RegistryOperation::lookup) return;
  const std::uint32_t pipeline = pipeline_of(header.datacenter);
  if (pipeline == kNoIndex) return;
  AtPipeline& at = at_pipeline(event, pipeline);
  at.looked_up_at = std::min(at.looked_up_at, header.at);
  if (answer.code == RegistryCode::exists) note_answer(event, header.datacenter, kLookupExists);
  if (answer.code == RegistryCode::too_old) note_answer(event, header.datacenter, kLookupTooOld);
}

void JoinEvidence::on_wrong_shard(const trace::Header& header, const trace::RegistryAnswer& answer,
                                  std::uint32_t event) {
  if (header.source != Source::delivered || answer.operation != RegistryOperation::insert) return;
  Attempt* attempt = attempt_of(event, answer.token);
  const bool own =
      attempt != nullptr && attempt->node == header.node && attempt->life == header.incarnation;
  if (own) attempt->wrong_shard = std::max(attempt->wrong_shard, answer.request);
}

void JoinEvidence::on_insert_delivered(const trace::Header& header,
                                       const trace::RegistryAnswer& answer, std::uint32_t event) {
  Attempt* attempt = attempt_of(event, answer.token);
  // An answer to an earlier life of the process counts nowhere.
  if (attempt == nullptr || attempt->node != header.node || attempt->life != header.incarnation) {
    return;
  }
  if (answer.request <= attempt->wrong_shard) return;
  attempt->active_at = header.at;
  if (attempt->answered_at == kNever) {
    attempt->answered_at = header.at;
    attempt->answer = answer.code;
  }
  close_outstanding(*attempt);
  if (answer.code == RegistryCode::inserted) {
    attempt->ok_delivered = true;
  } else if (!attempt->ok_delivered) {
    close_window(*attempt);
  }
}

void JoinEvidence::on_granted(const Record& record) {
  if (record.header.source != Source::delivered) return;
  const auto& grant = record.as<trace::IncarnationGranted>();
  if (grant.address != record.header.node.value()) return;
  if (grant.request != record.header.incarnation.value()) return;  // for another life
  nodes_[record.header.node].granted = grant.incarnation;
}

// A dispatcher sent a look-up or a join of the click.
void JoinEvidence::come_to(std::uint32_t click, const Record& record) {
  const SimTime now = record.header.at;
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (pipeline == kNoIndex) return;
  AtPipeline& at = at_pipeline(click, pipeline);
  if (at.first_asked_at == kNever) at.first_asked_at = now;
  count_try(at, record);
  if (now > expiry_of(clicks_[click])) return;
  at.last_asked_at = now;
  at.tries_in_time = at.tries;
}

// A look-up that is repeated keeps its number.
void JoinEvidence::count_try(AtPipeline& at, const Record& record) {
  if (record.header.kind == trace::Kind::join_ask) {
    if (!at.tried || at.sent) ++at.tries;
    at.sent = true;
  } else {
    const auto number = static_cast<std::uint32_t>(record.as<trace::RegistryAsk>().request);
    if (!at.tried || at.sent || number != at.lookup) ++at.tries;
    at.lookup = number;
    at.sent = false;
  }
  at.tried = true;
}

void JoinEvidence::on_join_ask(const Record& record, std::uint32_t event) {
  const auto& ask = record.as<trace::JoinAsk>();
  const trace::Header& header = record.header;
  const std::uint32_t pipeline = pipeline_of(header.datacenter);
  if (header.source == Source::sent) {
    if (pipeline != kNoIndex) ++at_pipeline(event, pipeline).asked;
    return come_to(event, record);
  }
  if (header.source != Source::delivered) return;
  NodeFacts& node = living(header);
  node.is_joiner = true;
  if (pipeline != kNoIndex) {
    AtPipeline& at = at_pipeline(event, pipeline);
    if (may_be_unjoinable(at, header, ask.click))
      at.unjoinable_since = std::min(at.unjoinable_since, header.at);
  }
  if (find_visit(event, header.node, header.peer, ask.request) != nullptr) return;  // a duplicate
  std::uint32_t index = free_visits_;
  if (index == kNoIndex) {
    index = static_cast<std::uint32_t>(visits_.size());
    visits_.emplace_back();
  } else {
    free_visits_ = visits_[index].next;
  }
  visits_[index] = {header.node,  header.peer,           ask.request, header.incarnation,
                    ask.attempts, clicks_[event].visits, header.at,   kNever};
  clicks_[event].visits = index;
  ++node.in_flight;
}

bool JoinEvidence::may_be_unjoinable(const AtPipeline& at, const trace::Header& header,
                                     const EventId& click) const {
  const Duration age = age_by(header.local, click);
  return at.asked > config_.unjoinable_attempts && age > config_.unjoinable_age;
}

// A joiner judges a click when its look-up has missed, some time after the request was delivered.
// In between the click may reach the age A, so an attempt that could not yet be unjoinable
// when it began may rightly end as `unjoinable`.
void JoinEvidence::on_query_missed(const trace::Header& header, const trace::JoinAnswer& answer,
                                   std::uint32_t event) {
  const bool missed = answer.outcome == trace::JoinOutcome::unjoinable ||
                      answer.outcome == trace::JoinOutcome::query_not_found;
  const std::uint32_t pipeline = pipeline_of(header.datacenter);
  if (!missed || pipeline == kNoIndex) return;
  const Click& click = clicks_[event];
  const Visit* visit = find_visit(event, header.node, header.peer, answer.request);
  if (visit == nullptr) return;
  const SimTime miss = query_miss(click, header.node);
  if (!click.query.is_null() && (miss == kNever || miss < visit->received_at)) return;
  AtPipeline& at = at_pipeline(event, pipeline);
  if (may_be_unjoinable(at, header, click.id))
    at.unjoinable_since = std::min(at.unjoinable_since, header.at);
}

void JoinEvidence::on_join_answer(const Record& record, std::uint32_t event) {
  const auto& answer = record.as<trace::JoinAnswer>();
  const trace::Header& header = record.header;
  if (header.source == Source::delivered) {
    if (trace::is_success(answer.outcome))
      note_answer(event, header.datacenter, answer_bit(answer.outcome));
    return;
  }
  if (header.source != Source::sent) return;
  on_query_missed(header, answer, event);
  settle(event);  // its query may be damaged everywhere
  // Takes the answered visit out, and with it those of joiners' ended lives.
  std::uint32_t* link = &clicks_[event].visits;
  while (*link != kNoIndex) {
    const std::uint32_t index = *link;
    Visit& visit = visits_[index];
    const bool dead = visit.life != node(visit.joiner).life;
    const bool answered = visit.joiner == header.node && visit.dispatcher == header.peer &&
                          visit.request == answer.request;
    if (!dead && !answered) {
      link = &visit.next;
      continue;
    }
    if (!dead) --nodes_[visit.joiner].in_flight;
    *link = visit.next;
    visit.next = free_visits_;
    free_visits_ = index;
  }
}

void JoinEvidence::on_query_answer(const Record& record, std::uint32_t event) {
  const auto& answer = record.as<trace::QueryAnswer>();
  if (record.header.source != Source::delivered || answer.tier != trace::QueryTier::logs ||
      answer.status != trace::QueryStatus::not_found) {
    return;
  }
  misses_[(std::uint64_t{event} << 32U) | record.header.node.value()] = record.header.at;
}

void JoinEvidence::on_adapter(const Record& record, std::uint32_t event) {
  for (std::uint32_t i = clicks_[event].visits; i != kNoIndex; i = visits_[i].next) {
    Visit& visit = visits_[i];
    if (visit.joiner == record.header.node && visit.life == record.header.incarnation) {
      visit.decided_at = record.header.at;
      return;
    }
  }
}

}  // namespace photon::analysis
