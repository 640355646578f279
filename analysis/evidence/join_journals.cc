// JoinEvidence: what journals, outputs and verification prove.
#include <algorithm>

#include "analysis/evidence/join_evidence.h"

namespace photon::analysis {

using trace::Kind;
using trace::Record;
using trace::Source;

namespace {

std::uint64_t life_key(const Token& token) {
  return (std::uint64_t{token.address} << 32U) | token.incarnation;
}

}  // namespace

void JoinEvidence::on_read(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (pipeline == kNoIndex) return;
  SimTime& read_at = at_pipeline(event, pipeline).read_at;
  read_at = std::min(read_at, record.header.at);
}

void JoinEvidence::on_output(const Record& record, std::uint32_t event) {
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
    click.joined_with = output.query;
  }
  click.joined_in |= Click::bit_of(record.header.datacenter);
  settle(event);
  if (attempt == nullptr) return;
  attempt->output_durable = true;
  close_window(*attempt);
}

void JoinEvidence::on_unjoinable(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  at_pipeline(event, pipeline).unjoinable_logged = true;
}

void JoinEvidence::on_retry(const Record& record, std::uint32_t event) {
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

bool JoinEvidence::keeps(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
  const AtPipeline& at = at_pipeline(event, pipeline);
  if (!at.in_retry_store || at.kept_in == journal) return at.in_retry_store;
  const auto further = further_journals_.find(place_key(event, pipeline));
  return further != further_journals_.end() && std::ranges::count(further->second, journal) > 0;
}

// A click that verification brought back comes from another log, which may have another journal.
// Then both journals hold the click, each for its own log.
void JoinEvidence::keep(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
  if (keeps(pipeline, journal, event)) return;
  JournalFacts& facts = journal_of(pipeline, journal);
  // Removed entries are swept out when they are half of the list: amortised O(1).
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

void JoinEvidence::drop(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event) {
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

// Its cost is amortised over the records that saved these clicks.
void JoinEvidence::on_journal_replaced(const Record& record) {
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

// No dispatcher there will try the clicks in that range, unless they are brought back. Clicks
// before it are read again (C-32).
void JoinEvidence::on_range_skipped(const Record& record) {
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
    note_answer(index, record.header.datacenter, kSkippedByOperator);
    clicks_[index].passed_over = waits;
    if (at.returned && at.lingers()) --lingering_;
    at.brought_back = at.returned;
  }
}

void JoinEvidence::on_output_fact(const Record& record, std::uint32_t event) {
  if (record.header.kind == Kind::output_fenced) {
    const auto& fence = record.as<trace::OutputFenced>();
    NodeFacts& joiner = nodes_[fence.joiner];
    // Another cell may have a directory of that name, but this joiner writes nothing there.
    if (record.header.datacenter == joiner.datacenter) {
      joiner.fenced = std::max(joiner.fenced, fence.life);
    }
    return;
  }
  const bool awaited = awaits_copies(clicks_[event]);
  if (record.header.kind == Kind::output_record) {
    on_output(record, event);
  } else {
    on_output_lost(record, event);
  }
  uncopied_ += awaits_copies(clicks_[event]) ? 1 : 0;
  uncopied_ -= awaited ? 1 : 0;
}

// If another copy is left, nothing is lost. A lost click may be joined again.
void JoinEvidence::on_output_lost(const Record& record, std::uint32_t event) {
  Click& click = clicks_[event];
  note_gap(event, record.as<trace::OutputLost>().token);
  if (!click.is_joined() || record.as<trace::OutputLost>().token != click.joined_by) return;
  click.record_lost = true;
  click.joined_in &= ~Click::bit_of(record.header.datacenter);
  if (click.joined_in != 0) return;
  click.output_lost_at = record.header.at;
  click.joined_at = kNever;
  click.joined_by = Token{};
}

// The auditor that clears a token has read its record. After a fault-free interval as long as
// recovery takes, the loss of that record leaves no doubt.
void JoinEvidence::note_gap(std::uint32_t click, const Token& token) {
  const bool owns = ownership_.owner_of(click) == token;
  const SimTime cleared_at = owns ? ownership_.cleared_at(click) : kNever;
  const bool cleared = cleared_at != kNever;
  if (cleared && longest_fault_free(cleared_at, now_, Duration{}) > config_.recovery_bound) return;
  gaps_.emplace(life_key(token), now_);
}

void JoinEvidence::on_reinjected(const Record& record, std::uint32_t event) {
  const std::uint32_t pipeline = pipeline_of(record.header.datacenter);
  if (record.header.source != Source::durable || pipeline == kNoIndex) return;
  const auto& back = record.as<trace::ClickReinjected>();
  if (!input_lost(event, pipeline)) clicks_[event].passed_over = false;
  AtPipeline& at = at_pipeline(event, pipeline);
  if (at.lingers()) --lingering_;
  at.brought_back = at.returned = true;
  answered_since_[place_key(event, pipeline)].answers = 0;
  file_of(back.file).returns.push_back({event, back.end, record.header.at, back.removed_at});
}

// An unregistered click is not exempt: it must be brought back, and again if its owner dies.
void JoinEvidence::on_verified(const Record& record, std::uint32_t event) {
  const trace::Verified verdict = record.as<trace::ClickVerified>().verdict;
  if (verdict == trace::Verified::present || verdict == trace::Verified::unregistered) return;
  Click& click = clicks_[event];
  click.unrecovered = true;
  const Token owner = ownership_.owner_of(event);
  if (verdict == trace::Verified::indeterminate && gaps_.contains(life_key(owner))) {
    indeterminate_.insert_or_assign(event, owner);
  }
  settle(event);
}

SimTime JoinEvidence::indeterminate_since(std::uint32_t click) const {
  const auto found = indeterminate_.find(click);
  if (found == indeterminate_.end() || found->second != ownership_.owner_of(click)) return kNever;
  return gaps_.at(life_key(found->second));
}

}  // namespace photon::analysis
