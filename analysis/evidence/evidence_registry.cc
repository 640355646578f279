// Evidence, second half: what registry and pipeline records prove.
#include <algorithm>

#include "analysis/evidence/evidence.h"

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

void Evidence::on_registry_ask(const Record& record, std::uint32_t event) {
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
void Evidence::supersede(const Attempt& by) {
  for (std::uint32_t i = by.next; i != kNoIndex; i = attempts_[i].next) {
    Attempt& attempt = attempts_[i];
    const bool same_life = attempt.node == by.node && attempt.life == by.life;
    if (!same_life || !attempt.outstanding) continue;
    attempt.superseded = true;
    return close_window(attempt);
  }
}

const Attempt& Evidence::last_try(const Attempt& attempt) const {
  for (std::uint32_t i = clicks_[attempt.click].attempts; i != kNoIndex; i = attempts_[i].next) {
    if (attempts_[i].node == attempt.node && attempts_[i].life == attempt.life) return attempts_[i];
  }
  return attempt;
}

const Attempt* Evidence::later_try(const Attempt& attempt, RegistryCode answer) const {
  const Attempt* found = nullptr;
  for (std::uint32_t i = clicks_[attempt.click].attempts; i != kNoIndex; i = attempts_[i].next) {
    const Attempt& each = attempts_[i];
    if (&each == &attempt) break;
    if (each.node != attempt.node || each.life != attempt.life) continue;
    if (each.answered_at != kNever && each.answer == answer) found = &each;
  }
  return found;
}

void Evidence::add_attempt(const trace::Header& header, const trace::RegistryAsk& ask,
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
  token_index_.try_emplace(ask.token, index);
  ++node.outstanding;
  ++node.window;
  // Closed ones are swept out when they are half of the list: O(1) in the long run.
  if (node.open_attempts.size() >= 64 && node.open_attempts.size() >= 2 * node.window) {
    std::erase_if(node.open_attempts, [this](std::uint32_t i) { return !attempts_[i].in_window; });
  }
  node.open_attempts.push_back(index);
  if (!config_.tokens) supersede(attempt);
}

void Evidence::on_registry_answer(const Record& record, std::uint32_t event) {
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
  if (answer.code == RegistryCode::exists) tell(event, header.datacenter, kLookupExists);
  if (answer.code == RegistryCode::too_old) tell(event, header.datacenter, kLookupTooOld);
}

void Evidence::on_wrong_shard(const trace::Header& header, const trace::RegistryAnswer& answer,
                              std::uint32_t event) {
  if (header.source != Source::delivered || answer.operation != RegistryOperation::insert) return;
  Attempt* attempt = attempt_of(event, answer.token);
  const bool own =
      attempt != nullptr && attempt->node == header.node && attempt->life == header.incarnation;
  if (own) attempt->wrong_shard = std::max(attempt->wrong_shard, answer.request);
}

void Evidence::on_insert_delivered(const trace::Header& header, const trace::RegistryAnswer& answer,
                                   std::uint32_t event) {
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

void Evidence::on_operation(const Record& record, std::uint32_t event) {
  const auto& applied = record.as<trace::OperationApplied>();
  consensus_.absorb(record);
  if (event == kNoIndex) return;  // about no id, or a repetition
  Click& click = clicks_[event];
  const auto index = static_cast<std::uint32_t>(outcomes_.size());
  outcomes_.push_back({applied.token, applied.slot, applied.shard, applied.operation, applied.code,
                       click.outcomes});
  click.outcomes = index;
  if (applied.code == RegistryCode::inserted) return own(record, event);
  if (!click.is_owned()) return;
  if (applied.code == RegistryCode::cleared) {
    click.cleared_slot = std::min(click.cleared_slot, applied.slot);
    click.cleared_at = std::min(click.cleared_at, record.header.at);
  } else if (applied.code == RegistryCode::removed) {
    Tenure& ended = tenures_.emplace_back(tenure_of(click));
    ended.until = applied.slot;
    ended.ended_at = record.header.at;
    ended.next = click.tenures;
    click.tenures = static_cast<std::uint32_t>(tenures_.size() - 1);
    click.owner = {};
    click.cleared_slot = kNoSlot;
    click.cleared_at = kNever;
    click.owned_at = kNever;
  }
}

void Evidence::own(const Record& record, std::uint32_t event) {
  const auto& applied = record.as<trace::OperationApplied>();
  Click& click = clicks_[event];
  if (click.is_owned()) return;
  click.owner = applied.token;
  click.owner_slot = applied.slot;
  click.owner_shard = applied.shard;
  click.owned_at = record.header.at;
  if (Attempt* owner = attempt_of(event, applied.token); owner != nullptr) {
    owner->took_effect = true;
  }
  if (click.open || !click.generated || click.is_joined() || !owner_at_work(event)) return;
  click.open = true;  // an insert that nobody waited for any more took effect after all
  ++open_;
}

void Evidence::on_load_asked(const Record& record) {
  const auto& asked = record.as<trace::LoadAsked>();
  const trace::Header& header = record.header;
  const auto kind = TokenRequests::of(asked.operation);
  const Token& token = asked.token;
  const bool own = token.address == header.node.value() &&
                   life_granted(token.address, token.incarnation) == header.incarnation;
  if (kind == nullptr || !own) return;
  TokenRequests::Kind& tally = token_requests_[token].*kind;
  ++tally.open;
  tally.ever = true;
}

void Evidence::on_load_done(const Record& record) {
  const auto& done = record.as<trace::LoadDone>();
  const auto kind = TokenRequests::of(done.operation);
  const auto found = token_requests_.find(done.token);
  if (kind == nullptr || found == token_requests_.end()) return;
  TokenRequests::Kind& tally = found->second.*kind;
  if (tally.open > 0) --tally.open;
}

void Evidence::on_granted(const Record& record) {
  if (record.header.source != Source::delivered) return;
  const auto& grant = record.as<trace::IncarnationGranted>();
  if (grant.address != record.header.node.value()) return;
  if (grant.request != record.header.incarnation.value()) return;  // for another life
  nodes_[record.header.node].granted = grant.incarnation;
  const auto key = (std::uint64_t{grant.address} << 32U) | grant.incarnation;
  grants_.try_emplace(key, record.header.incarnation);
}

// A dispatcher sent a look-up or a join of the click.
void Evidence::come_to(std::uint32_t click, const Record& record) {
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
void Evidence::count_try(AtPipeline& at, const Record& record) {
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

void Evidence::on_join_ask(const Record& record, std::uint32_t event) {
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
    if (is_hopeless(at, header, ask.click)) at.hopeless_at = std::min(at.hopeless_at, header.at);
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

bool Evidence::is_hopeless(const AtPipeline& at, const trace::Header& header,
                           const EventId& click) const {
  const Duration age = age_by(header.local, click);
  return at.asked > config_.unjoinable_attempts && age > config_.unjoinable_age;
}

// A joiner judges a click when its look-up has missed, some time after the request was delivered.
// In between the click may reach the age A, so an attempt that was not hopeless when it began may
// rightly end as `unjoinable`.
void Evidence::on_query_missed(const trace::Header& header, const trace::JoinAnswer& answer,
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
  if (is_hopeless(at, header, click.id)) at.hopeless_at = std::min(at.hopeless_at, header.at);
}

void Evidence::on_join_answer(const Record& record, std::uint32_t event) {
  const auto& answer = record.as<trace::JoinAnswer>();
  const trace::Header& header = record.header;
  if (header.source == Source::delivered) {
    if (trace::is_success(answer.outcome))
      tell(event, header.datacenter, answer_bit(answer.outcome));
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

void Evidence::on_query_answer(const Record& record, std::uint32_t event) {
  const auto& answer = record.as<trace::QueryAnswer>();
  if (record.header.source != Source::delivered || answer.tier != trace::QueryTier::logs ||
      answer.status != trace::QueryStatus::not_found) {
    return;
  }
  misses_[(std::uint64_t{event} << 32U) | record.header.node.value()] = record.header.at;
}

void Evidence::on_adapter(const Record& record, std::uint32_t event) {
  for (std::uint32_t i = clicks_[event].visits; i != kNoIndex; i = visits_[i].next) {
    Visit& visit = visits_[i];
    if (visit.joiner == record.header.node && visit.life == record.header.incarnation) {
      visit.decided_at = record.header.at;
      return;
    }
  }
}

void Evidence::on_read(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (pipeline == kNoIndex) return;
  SimTime& read_at = at_pipeline(event, pipeline).read_at;
  read_at = std::min(read_at, record.header.at);
}

void Evidence::on_output(const Record& record, std::uint32_t event) {
  const auto& output = record.as<trace::OutputRecord>();
  Attempt* attempt = attempt_of(event, output.token);
  if (record.header.source == Source::issued) {
    if (attempt == nullptr) return;
    attempt->output_issued = true;
    attempt->active_at = record.header.at;
    return;
  }
  if (record.header.source != Source::durable) return;
  Click& click = clicks_[event];
  if (!click.is_joined()) {
    click.joined_at = record.header.at;
    click.joined_by = output.token;
  }
  click.joined_in |= Click::bit_of(record.header.datacenter);
  settle(event);
  if (attempt == nullptr) return;
  attempt->output_durable = true;
  close_window(*attempt);
}

void Evidence::on_unjoinable(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  at_pipeline(event, pipeline).unjoinable_logged = true;
}

void Evidence::on_retry(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  if (record.header.kind == trace::Kind::retry_saved) {
    const auto& saved = record.as<trace::RetrySaved>();
    AtPipeline& at = at_pipeline(event, pipeline);
    if (at.due != saved.due) {  // and not a journal that is rewritten
      if (!at.tried) ++at.tries;
      if (now_ <= expiry_of(clicks_[event])) at.tries_in_time = at.tries;
      at.tried = at.sent = false;
      at.due = saved.due;
    }
    return keep(pipeline, saved.journal, event);
  }
  drop(pipeline, record.as<trace::RetryRemoved>().journal, event);
}

bool Evidence::keeps(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
  const AtPipeline& at = at_pipeline(event, pipeline);
  if (!at.in_retry_store || at.kept_in == journal) return at.in_retry_store;
  const auto further = further_journals_.find(place_key(event, pipeline));
  return further != further_journals_.end() && std::ranges::count(further->second, journal) > 0;
}

// A click that verification brought back comes from another log, whose journal may be another: both
// hold it, each for the sake of its own log.
void Evidence::keep(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
  if (keeps(pipeline, journal, event)) return;
  JournalFacts& facts = journal_of(pipeline, journal);
  // Those that left are swept out when they are half of the list: O(1) in the long run.
  if (facts.saved.size() >= 64 && facts.saved.size() >= 2 * facts.kept) {
    std::erase_if(facts.saved,
                  [=, this](std::uint32_t click) { return !keeps(pipeline, journal, click); });
  }
  AtPipeline& at = at_pipeline(event, pipeline);
  at.kept_since = now_;
  if (at.in_retry_store) {
    further_journals_[place_key(event, pipeline)].push_back(journal);
  } else {
    at.in_retry_store = true;
    at.kept_in = journal;
    Store& store = stores_[pipeline];
    store.most = std::max(store.most, ++store.kept);
    if (at.lingers()) ++lingering_;
  }
  ++facts.kept;
  facts.saved.push_back(event);
}

void Evidence::drop(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
  if (!keeps(pipeline, journal, event)) return;
  --journal_of(pipeline, journal).kept;
  AtPipeline& at = at_pipeline(event, pipeline);
  const auto further = further_journals_.find(place_key(event, pipeline));
  if (further == further_journals_.end()) {
    if (at.lingers()) --lingering_;
    at.in_retry_store = false;
    --stores_[pipeline].kept;
    return;
  }
  auto& others = further->second;
  if (at.kept_in == journal) std::swap(at.kept_in, others.front());
  std::erase(others, journal);
  if (others.empty()) further_journals_.erase(further);
}

// Costs what the records cost that saved these clicks.
void Evidence::on_journal_replaced(const Record& record) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  const std::uint32_t journal = record.as<trace::JournalReplaced>().journal;
  JournalFacts& facts = journal_of(pipeline, journal);
  facts.before_rewrite.clear();
  for (const std::uint32_t click : facts.saved) {
    if (!keeps(pipeline, journal, click)) continue;  // it left before
    facts.before_rewrite.push_back(click);
    drop(pipeline, journal, click);
  }
  facts.saved.clear();
}

// Nobody there will come to the clicks in that range, unless they are brought back. What was before
// is read again (C-32).
void Evidence::on_range_skipped(const Record& record) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  const auto& fact = record.as<trace::RangeSkipped>();
  const std::vector<std::uint32_t> clicks = clicks_of(fact.file);
  for (const std::uint32_t index : clicks) {
    if (clicks_[index].click_end > fact.offset) break;
    if (finished(index, pipeline)) continue;
    AtPipeline& at = at_pipeline(index, pipeline);
    const bool waits = clicks_[index].passed_over || !at.returned;
    clicks_[index].passed_over = true;
    tell(index, record.header.datacenter, kPassedOver);
    clicks_[index].passed_over = waits;
    if (at.returned && at.lingers()) --lingering_;
    at.brought_back = at.returned;
  }
}

}  // namespace photon::analysis
