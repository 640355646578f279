#include "analysis/evidence/join_evidence.h"

#include <algorithm>
#include <utility>

namespace photon::analysis {

using trace::Kind;
using trace::Record;
using trace::Source;

namespace {

std::uint64_t grant_key(std::uint32_t address, std::uint32_t incarnation) {
  return (std::uint64_t{address} << 32U) | incarnation;
}

}  // namespace

JoinEvidence::JoinEvidence(const JudgeConfig& config, const Ownership& ownership)
    : config_(config),
      ownership_(ownership),
      at_pipelines_(std::max<std::size_t>(config.pipelines.size(), 1)),
      stores_(config.pipelines.size()) {
  for (std::uint32_t i = 0; i < config_.pipelines.size(); ++i) {
    const std::size_t number = config_.pipelines[i].value();
    if (number >= pipeline_of_.size()) pipeline_of_.resize(number + 1, kNoIndex);
    pipeline_of_[number] = i;
    every_cell_ |= Click::bit_of(config_.pipelines[i]);
  }
}

std::uint32_t JoinEvidence::click_index(const EventId& id) {
  RecentClick& recent = recent_clicks_[hash_of(id) % kRecentClicks];
  if (recent.index != kNoIndex && recent.id == id) return recent.index;
  const auto id_of = [this](std::uint32_t number) { return std::as_const(clicks_)[number].id; };
  const auto [index, fresh] = click_index_.insert(id, clicks(), id_of);
  if (fresh) {
    clicks_.emplace_back().id = id;
    at_pipelines_.grow(at_pipelines_.size() + config_.pipelines.size());
  }
  recent = {id, index};
  return index;
}

void JoinEvidence::tick() const {
  clicks_.tick();
  at_pipelines_.tick();
  attempts_.tick();
}

std::uint32_t JoinEvidence::query_index(const EventId& id) {
  return query_index_.try_emplace(id, static_cast<std::uint32_t>(query_index_.size()))
      .first->second;
}

std::uint32_t JoinEvidence::attempt_index(std::uint32_t click, const Token& token) const {
  std::uint32_t index = clicks_[click].attempts;
  while (index != kNoIndex && attempts_[index].token != token) index = attempts_[index].next;
  return index;
}

const Attempt* JoinEvidence::find_attempt(std::uint32_t click, const Token& token) const {
  const std::uint32_t index = attempt_index(click, token);
  return index == kNoIndex ? nullptr : &attempts_[index];
}

Attempt* JoinEvidence::attempt_of(std::uint32_t click, const Token& token) {
  const std::uint32_t index = attempt_index(click, token);
  return index == kNoIndex ? nullptr : &attempts_[index];
}

const Attempt* JoinEvidence::find_attempt(const Token& token) const {
  const std::uint32_t index = token_index_.find(token);
  return index == TokenIndex::kUnknown ? nullptr : &attempts_[index];
}

const Visit* JoinEvidence::find_visit(std::uint32_t click, NodeId joiner, NodeId dispatcher,
                                      std::uint64_t request) const {
  for (std::uint32_t i = clicks_[click].visits; i != kNoIndex; i = visits_[i].next) {
    const Visit& visit = visits_[i];
    if (visit.joiner == joiner && visit.dispatcher == dispatcher && visit.request == request &&
        visit.life == node(joiner).life) {
      return &visit;
    }
  }
  return nullptr;
}

const Visit* JoinEvidence::find_visit(std::uint32_t click, NodeId joiner) const {
  for (std::uint32_t i = clicks_[click].visits; i != kNoIndex; i = visits_[i].next) {
    if (visits_[i].joiner == joiner && visits_[i].life == node(joiner).life) return &visits_[i];
  }
  return nullptr;
}

std::uint32_t JoinEvidence::open_visits(std::uint32_t click, NodeId joiner,
                                        Incarnation life) const {
  std::uint32_t open = 0;
  for (std::uint32_t i = clicks_[click].visits; i != kNoIndex; i = visits_[i].next) {
    if (visits_[i].joiner == joiner && visits_[i].life == life) ++open;
  }
  return open;
}

std::uint32_t JoinEvidence::outstanding_of(NodeId joiner, ShardId shard) const {
  const auto& open = node(joiner).open_attempts;
  return static_cast<std::uint32_t>(std::ranges::count_if(open, [&](std::uint32_t index) {
    return attempts_[index].outstanding && attempts_[index].shard == shard;
  }));
}

std::uint32_t JoinEvidence::pipeline_of(DatacenterId datacenter) const {
  return datacenter.value() < pipeline_of_.size() ? pipeline_of_[datacenter.value()] : kNoIndex;
}

SimTime JoinEvidence::visible_at(std::uint32_t pipeline, std::uint32_t file,
                                 std::uint64_t end) const {
  const auto found = file_index_.find(file);
  if (found == file_index_.end()) return kNever;
  const File& known = files_[found->second];
  if (pipeline >= known.visible.size()) return kNever;
  const auto& steps = known.visible[pipeline];
  const auto reached =
      std::lower_bound(steps.begin(), steps.end(), end,
                       [](const Visibility& step, std::uint64_t to) { return step.length < to; });
  return reached == steps.end() ? kNever : reached->at;
}

SimTime JoinEvidence::visible_since(std::uint32_t pipeline, std::uint32_t file, std::uint64_t end,
                                    SimTime as_of) const {
  SimTime since = visible_at(pipeline, file, end);
  if (since == kNever || files_[file_index_.find(file)->second].changes.empty()) return since;
  bool there = true;
  for (const Visibility& change : files_[file_index_.find(file)->second].changes[pipeline]) {
    const bool is_there = change.length >= end;
    if (is_there == there || change.at < since) continue;
    if (there && change.at > as_of) return since;
    there = is_there;
    if (!there) continue;
    since = change.at;
    if (since > as_of) return since;
  }
  return there ? since : kNever;
}

std::uint64_t JoinEvidence::visible_length(std::uint32_t pipeline, std::uint32_t file) const {
  const auto found = file_index_.find(file);
  if (found == file_index_.end()) return 0;
  const auto& visible = files_[found->second].visible;
  return pipeline >= visible.size() || visible[pipeline].empty() ? 0
                                                                 : visible[pipeline].back().length;
}

const std::vector<Return>& JoinEvidence::returns_of(std::uint32_t file) const {
  static const std::vector<Return> kNone;
  const auto found = file_index_.find(file);
  return found == file_index_.end() ? kNone : files_[found->second].returns;
}

std::uint8_t JoinEvidence::answers(std::uint32_t click, std::uint32_t pipeline) const {
  const AtPipeline& here = at(click, pipeline);
  return here.returned ? answered_since_.find(place_key(click, pipeline))->second.answers
                       : here.answers;
}

bool JoinEvidence::answered_since(const Return& returned, std::uint32_t pipeline) const {
  const auto found = answered_since_.find(place_key(returned.click, pipeline));
  return found != answered_since_.end() && found->second.at >= returned.at;
}

const std::vector<std::uint32_t>& JoinEvidence::clicks_of(std::uint32_t file) const {
  static const std::vector<std::uint32_t> kNone;
  const auto found = file_index_.find(file);
  return found == file_index_.end() ? kNone : files_[found->second].clicks;
}

const JournalFacts& JoinEvidence::journal(std::uint32_t pipeline, std::uint32_t journal) const {
  static const JournalFacts kUnknown;
  const auto known = journals_.find((std::uint64_t{pipeline} << 32U) | journal);
  return known == journals_.end() ? kUnknown : known->second;
}

const NodeFacts& JoinEvidence::node(NodeId node) const {
  static const NodeFacts kUnknown;
  const NodeFacts* const known = nodes_.find(node);
  return known == nullptr ? kUnknown : *known;
}

SimTime JoinEvidence::query_miss(const Click& click, NodeId node) const {
  const auto query = query_index_.find(click.query);
  if (query == query_index_.end()) return kNever;
  const auto found = misses_.find(grant_key(query->second, node.value()));
  return found == misses_.end() ? kNever : found->second;
}

JoinEvidence::File& JoinEvidence::file_of(std::uint32_t number) {
  const auto [found, fresh] =
      file_index_.try_emplace(number, static_cast<std::uint32_t>(files_.size()));
  if (fresh) files_.emplace_back().visible.resize(config_.pipelines.size());
  return files_[found->second];
}

void JoinEvidence::absorb(const Record& record, std::uint32_t event) {
  now_ = record.header.at;
  switch (record.header.kind) {
    case Kind::run_phase:
    case Kind::process_started:
    case Kind::process_crashed:
    case Kind::click_generated:
    case Kind::log_visible:
    case Kind::input_damaged:
    case Kind::partition_began:
    case Kind::partition_healed:
    case Kind::outage_began:
    case Kind::outage_ended:
      return on_environment(record, event);
    case Kind::registry_ask:
      return on_registry_ask(record, event);
    case Kind::registry_answer:
      return on_registry_answer(record, event);
    case Kind::incarnation_granted:
      return on_granted(record);
    case Kind::join_ask:
      return on_join_ask(record, event);
    case Kind::join_answer:
      return on_join_answer(record, event);
    case Kind::query_answer:
      return on_query_answer(record, event);
    case Kind::adapter_decided:
      return on_adapter(record, event);
    case Kind::click_read:
      return on_read(record, event);
    case Kind::output_record:
    case Kind::output_lost:
    case Kind::output_fenced:
      return on_output_fact(record, event);
    case Kind::unjoinable_logged:
      return on_unjoinable(record, event);
    case Kind::click_reinjected:
      return on_reinjected(record, event);
    case Kind::click_verified:
      return on_verified(record, event);
    case Kind::retry_saved:
    case Kind::retry_removed:
      return on_retry(record, event);
    case Kind::journal_replaced:
      return on_journal_replaced(record);
    case Kind::range_skipped:
      return on_range_skipped(record);
    default:
      return;
  }
}

void JoinEvidence::on_environment(const Record& record, std::uint32_t event) {
  switch (record.header.kind) {
    case Kind::run_phase:
      phase_ = record.as<trace::RunPhase>().phase;
      return;
    case Kind::process_started: {
      NodeFacts& node = living(record.header);
      node.datacenter = record.header.datacenter;
      if (std::exchange(node.is_down, false)) fault_free();
      return;
    }
    case Kind::process_crashed:
      if (!std::exchange(nodes_[record.header.node].is_down, true)) disturb();
      return on_end(record.header, record.as<trace::ProcessCrashed>().in_order != 0
                                       ? Ending::in_order
                                       : Ending::by_force);
    case Kind::partition_began:
    case Kind::outage_began:
      return disturb();
    case Kind::partition_healed:
    case Kind::outage_ended:
      return fault_free();
    case Kind::click_generated:
      return on_generated(record, event);
    case Kind::input_damaged:
      return on_damaged(record, event);
    default:
      return on_visible(record);
  }
}

NodeFacts& JoinEvidence::living(const trace::Header& header) {
  NodeFacts& node = nodes_[header.node];
  if (node.life == header.incarnation && node.alive) return node;
  if (node.alive) on_end(header, Ending::by_force);  // its end was not recorded
  node.life = header.incarnation;
  node.alive = true;
  ++node.lives;
  return node;
}

void JoinEvidence::on_end(const trace::Header& header, Ending ending) {
  NodeFacts& node = nodes_[header.node];
  const auto end = static_cast<std::uint32_t>(joiner_ends_.size());
  if (node.is_joiner) {
    joiner_ends_.push_back(
        {header.node, node.life, header.at, node.window, ending == Ending::in_order});
  }
  for (const std::uint32_t index : node.open_attempts) {
    Attempt& attempt = attempts_[index];
    if (!attempt.in_window) continue;
    attempt.died_in_window = true;
    attempt.died_at = header.at;
    if (node.is_joiner) attempt.end = end;
    attempt.in_window = attempt.outstanding = false;
    settle(attempt.click);
  }
  node.open_attempts.clear();
  node.alive = false;
  node.life = Incarnation{};
  node.granted = node.in_flight = node.outstanding = node.window = 0;
}

void JoinEvidence::on_generated(const Record& record, std::uint32_t event) {
  const auto& fact = record.as<trace::ClickGenerated>();
  Click& click = clicks_[event];
  if (click.generated) return;  // reported by J-S16
  click.query = fact.query;
  click.generated_at = record.header.at;
  click.click_end = fact.click_end;
  click.query_end = fact.query_end;
  click.joined_hash = fact.joined_hash;
  click.click_file = fact.click_file;
  click.query_file = fact.query_file;
  click.generated = true;
  click.expect_skip = fact.expect_skip != 0;
  click.open = true;
  ++generated_;
  ++open_;
  auto& clicks = file_of(fact.click_file).clicks;
  auto place = clicks.end();
  while (place != clicks.begin() && clicks_[*(place - 1)].click_end > fact.click_end) --place;
  clicks.insert(place, event);
}

void JoinEvidence::on_visible(const Record& record) {
  const auto& fact = record.as<trace::LogVisible>();
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (pipeline == kNoIndex) return;
  File& file = file_of(fact.file);
  auto& steps = file.visible[pipeline];
  const std::uint64_t most = steps.empty() ? 0 : steps.back().length;
  note_truncation(file, pipeline, most, {fact.length, record.header.at});
  if (most < fact.length) steps.push_back({fact.length, record.header.at});
}

// A fault is in force as long as a copy is shorter than it was.
void JoinEvidence::note_truncation(File& file, std::uint32_t pipeline, std::uint64_t most,
                                   const Visibility& now) {
  if (file.changes.empty()) {
    if (now.length >= most) return;
    file.changes.resize(config_.pipelines.size());
  }
  auto& changes = file.changes[pipeline];
  const bool was_short = !changes.empty() && changes.back().length < most;
  const bool is_short = now.length < most;
  if (changes.empty() && !is_short) return;
  changes.push_back(now);  // growth too, or earlier lengths would look too short from then on
  if (was_short && !is_short) fault_free();
  if (!was_short && is_short) disturb();
}

bool JoinEvidence::query_damaged(const EventId& query, std::uint32_t pipeline) const {
  const auto found = damaged_queries_.find(query);
  return found != damaged_queries_.end() && (found->second >> (pipeline & 63U) & 1U) != 0;
}

bool JoinEvidence::input_lost(std::uint32_t click, std::uint32_t pipeline) const {
  return at(click, pipeline).damaged || query_damaged(clicks_[click].query, pipeline);
}

// `event` is the click's; of a query there is none.
void JoinEvidence::on_damaged(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (pipeline == kNoIndex) return;
  if (event == kNoIndex) {
    damaged_queries_[record.as<trace::InputDamaged>().event] |= std::uint64_t{1}
                                                                << (pipeline & 63U);
    return;  // its clicks are settled when they are tried
  }
  at_pipeline(event, pipeline).damaged = true;
  settle(event);
}

void JoinEvidence::disturb() {
  if (faults_in_force_++ == 0) disturbances_.push_back({now_, kNever});
}

void JoinEvidence::fault_free() {
  if (faults_in_force_ > 0 && --faults_in_force_ == 0) disturbances_.back().ended = now_;
}

SimTime JoinEvidence::expiry_of(const Click& click) const {
  const auto stamp = from_nanoseconds<SimTime>(nanoseconds_of(click.id.stamp));
  return shifted(shifted(stamp, -config_.calendar_epoch), config_.gc_age);
}

// Every pipeline may learn that a click is registered while its owner still waits for the answer or
// writes the output: the owner will join the click, or die.
bool JoinEvidence::owner_at_work(std::uint32_t index) const {
  const Token token = ownership_.owner_of(index);
  const Attempt* owner = token.is_empty() ? nullptr : find_attempt(index, token);
  if (owner == nullptr) return false;
  return owner->in_window || (owner->superseded && last_try(*owner).in_window);
}

Duration JoinEvidence::longest_fault_free(SimTime from, SimTime until, Duration after) const {
  Duration longest{0};
  SimTime fault_free_since = from;
  for (const Disturbance& disturbance : disturbances_) {
    if (disturbance.began >= until) break;
    longest = std::max(longest, disturbance.began - fault_free_since);
    if (disturbance.ended == kNever) return longest;
    fault_free_since = std::max(fault_free_since, disturbance.ended + after);
  }
  return std::max(longest, between(fault_free_since, until));
}

// Registered and not in the output, removed and without an owner since, or skipped. The query may
// be lost where the click was brought back; then the verifier of another datacenter brings it back
// there, if it can be read anywhere.
bool JoinEvidence::awaits_recovery(std::uint32_t index) const {
  const Click& click = clicks_[index];
  if (!config_.verified() || click.unrecovered) return false;
  const bool was_owned = ownership_.was_owned(index);
  if (was_owned || !click.passed_over) return was_owned;
  for (std::uint32_t p = 0; p < config_.pipelines.size(); ++p) {
    if (!input_lost(index, p)) return true;
  }
  return false;
}

void JoinEvidence::settle(std::uint32_t index) {
  Click& click = clicks_[index];
  if (!click.open) return;
  bool done = click.is_joined();
  if (!done) {
    done = true;
    for (std::uint32_t p = 0; p < config_.pipelines.size(); ++p) {
      done &= (finished(index, p) && !at(index, p).brought_back) || input_lost(index, p);
    }
    done = done && !owner_at_work(index) && !awaits_recovery(index);
  }
  if (!done) return;
  click.open = false;
  --open_;
}

void JoinEvidence::note_answer(std::uint32_t click, DatacenterId datacenter, std::uint8_t bit) {
  const std::uint32_t pipeline = pipeline_of(datacenter);
  if (pipeline == kNoIndex || bit == 0) return;
  AtPipeline& at = at_pipeline(click, pipeline);
  const bool first = at.answers == 0 || at.brought_back;
  if (first) at.answered_at = now_;
  at.answers |= bit;
  at.brought_back = false;
  if (first && at.lingers()) ++lingering_;
  if (at.returned) {
    AnsweredSince& since = answered_since_[place_key(click, pipeline)];
    since.at = now_;
    since.answers |= bit;
  }
  settle(click);
}

void JoinEvidence::close_outstanding(Attempt& attempt) {
  if (!attempt.outstanding) return;
  attempt.outstanding = false;
  --nodes_[attempt.node].outstanding;
}

void JoinEvidence::close_window(Attempt& attempt) {
  close_outstanding(attempt);
  if (!attempt.in_window) return;
  attempt.in_window = false;
  --nodes_[attempt.node].window;
  settle(attempt.click);
}

}  // namespace photon::analysis
