// What the trace has proven of the join, indexed by click: inputs, attempts, outputs, losses, and
// so the identity of clicks. It is valid for any system that joins clicks with their queries.
//
// One owner of all facts that more than one oracle needs, so that each is stored once and each
// record costs one hash look-up. What no record has named for a while is packed
// (packed_table.h). It judges nothing. Message, storage and environment facts are
// taken as they are; of decisions only what no other fact can show (reads, adapter) is used.
// Ownership, the system's own evidence, states which attempt owns a click.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/event_index.h"
#include "analysis/evidence/join_facts.h"
#include "analysis/evidence/packed_table.h"
#include "analysis/evidence/token_index.h"
#include "analysis/trace_files/judge_config.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

// Which attempt owns a click, and so may write its output.
class Ownership {
 public:
  Ownership() = default;
  Ownership(const Ownership&) = delete;
  Ownership& operator=(const Ownership&) = delete;
  virtual ~Ownership() = default;

  virtual Token owner_of(std::uint32_t click) const = 0;  // empty: none
  virtual bool was_owned(std::uint32_t click) const = 0;  // ever
  virtual SimTime cleared_at(
      std::uint32_t click) const = 0;  // the owner's token; kNever: it is not
};

class JoinEvidence {
 public:
  JoinEvidence(const JudgeConfig& config, const Ownership& ownership);

  // Index of a click id, made at first sight. For the judge.
  std::uint32_t click_index(const EventId& id);
  std::uint32_t query_index(const EventId& id);

  const Click& click(std::uint32_t index) const { return clicks_[index]; }
  std::uint32_t clicks() const { return static_cast<std::uint32_t>(clicks_.size()); }
  const Attempt& attempt(std::uint32_t index) const { return attempts_[index]; }
  std::uint32_t attempts() const { return static_cast<std::uint32_t>(attempts_.size()); }
  const std::vector<JoinerEnd>& joiner_ends() const { return joiner_ends_; }
  // Registrations of a joiner's present life for one shard without a definitive code.
  std::uint32_t outstanding_of(NodeId joiner, ShardId shard) const;
  // The newest attempt of that attempt's life for its click: itself, unless it was superseded.
  const Attempt& last_try(const Attempt& attempt) const;
  // The first try of that life after it that was answered so; null if there was none.
  const Attempt* later_try(const Attempt& attempt, trace::RegistryCode answer) const;
  // Null if that token was never used for that click.
  const Attempt* find_attempt(std::uint32_t click, const Token& token) const;
  // The first use of a token for any click; null if never used.
  const Attempt* find_attempt(const Token& token) const;
  const Visit* find_visit(std::uint32_t click, NodeId joiner, NodeId dispatcher,
                          std::uint64_t request) const;
  // The newest open visit of a click at a joiner, or null.
  const Visit* find_visit(std::uint32_t click, NodeId joiner) const;
  // Requests for the click that this life of a joiner has and has not answered.
  std::uint32_t open_visits(std::uint32_t click, NodeId joiner, Incarnation life) const;

  // Position of a datacenter among the pipelines; kNoIndex if it runs none.
  std::uint32_t pipeline_of(DatacenterId datacenter) const;
  const AtPipeline& at(std::uint32_t click, std::uint32_t pipeline) const {
    return at_pipelines_[std::size_t{click} * config_.pipelines.size() + pipeline];
  }
  // The click or its query cannot be read there, so that pipeline cannot join it.
  bool input_lost(std::uint32_t click, std::uint32_t pipeline) const;
  // The record of a query cannot be read there.
  bool query_damaged(const EventId& query, std::uint32_t pipeline) const;
  // True if the dispatcher there received a success or found the click registered.
  bool finished(std::uint32_t click, std::uint32_t pipeline) const {
    return at(click, pipeline).answers != 0;
  }
  // The answers that the dispatcher there received, as bits of Answers; of a click that was brought
  // back: since then.
  std::uint8_t answers(std::uint32_t click, std::uint32_t pipeline) const;
  // Did it receive any answer since this return of the click?
  bool answered_since(const Return& returned, std::uint32_t pipeline) const;

  // How much of `file` can be read at a pipeline, or could be before a truncation; 0 if the file is
  // unknown there.
  std::uint64_t visible_length(std::uint32_t pipeline, std::uint32_t file) const;
  // When the bytes of `file` up to `end` could be read at a pipeline first; kNever if not yet.
  SimTime visible_at(std::uint32_t pipeline, std::uint32_t file, std::uint64_t end) const;
  // The same of a copy that may have been truncated: since when they could be read without a break,
  // as it was at `as_of`; if they could not then, when they could next.
  SimTime visible_since(std::uint32_t pipeline, std::uint32_t file, std::uint64_t end,
                        SimTime as_of) const;
  // Clicks of a file in order of their end. Empty for an unknown file.
  const std::vector<std::uint32_t>& clicks_of(std::uint32_t file) const;
  // The same for a file of clicks brought back.
  const std::vector<Return>& returns_of(std::uint32_t file) const;

  // When the click is N old in true time, by its stamp.
  SimTime expiry_of(const Click& click) const;
  // Since when no fault has been in force anywhere; min() if none ever was, kNever if one is.
  SimTime fault_free_since() const {
    return disturbances_.empty() ? SimTime::min() : disturbances_.back().ended;
  }

  // Verification has reported that the absence of the owner's output cannot be proven. Since when
  // storage had lost records of that life's output, and the proof with them; else kNever.
  SimTime indeterminate_since(std::uint32_t click) const;

  // The longest time in [from, until] without a fault anywhere, not counting `after` after each.
  Duration longest_fault_free(SimTime from, SimTime until, Duration after) const;

  const NodeFacts& node(NodeId node) const;
  const JournalFacts& journal(std::uint32_t pipeline, std::uint32_t journal) const;
  // How many clicks the retry store of a pipeline has held at a time, at most.
  std::uint32_t most_kept(std::uint32_t pipeline) const { return stores_[pipeline].most; }
  // When the log tier last answered `node` that it lacks the click's query; kNever if never.
  SimTime query_miss(const Click& click, NodeId node) const;

  std::uint64_t generated() const { return generated_; }
  // Clicks that are not in the output and not finished at every pipeline, or whose owner is still
  // at work on them; and those that a dispatcher will try again although they are finished there.
  // And joined records whose copies are still to come.
  std::uint64_t open_clicks() const { return open_ + lingering_ + uncopied_; }
  // It is joined, and some pipeline's cell still lacks its record (D-08).
  bool awaits_copies(const Click& click) const {
    return config_.output_copies && click.is_joined() && !click.record_lost &&
           (click.joined_in & every_cell_) != every_cell_;
  }
  SimTime now() const { return now_; }
  trace::Phase phase() const { return phase_; }

  // Takes a record in; `event` as resolved by the judge.
  void absorb(const trace::Record& record, std::uint32_t event);
  // Time passes: see PackedTable::tick. Ends the validity of references to clicks, attempts and
  // what pipelines know of clicks.
  void tick() const;
  // The click has an owner since this record, as its id was registered with that token.
  void on_owned(std::uint32_t event, const Token& token);

 private:
  struct Visibility {
    std::uint64_t length = 0;
    SimTime at{};
  };
  struct AnsweredSince {  // the last return
    SimTime at = SimTime::min();
    std::uint8_t answers = 0;
  };
  struct File {
    std::vector<std::uint32_t> clicks;
    std::vector<Return> returns;
    std::vector<std::vector<Visibility>> visible;  // by pipeline, lengths ascending
    // By pipeline, of a copy that was truncated: what could be read from then on. In order of time;
    // empty if no copy was.
    std::vector<std::vector<Visibility>> changes;
  };

  // A record of a life that no ProcessStarted announced begins that life.
  NodeFacts& living(const trace::Header& header);
  File& file_of(std::uint32_t number);
  AtPipeline& at_pipeline(std::uint32_t click, std::uint32_t pipeline) {
    return at_pipelines_[std::size_t{click} * config_.pipelines.size() + pipeline];
  }
  static std::uint64_t place_key(std::uint32_t click, std::uint32_t pipeline) {
    return (std::uint64_t{click} << 32U) | pipeline;
  }
  std::uint32_t attempt_index(std::uint32_t click, const Token& token) const;
  Attempt* attempt_of(std::uint32_t click, const Token& token);
  void close_window(Attempt& attempt);
  void close_outstanding(Attempt& attempt);
  void note_answer(std::uint32_t click, DatacenterId datacenter, std::uint8_t bit);
  void settle(std::uint32_t click);
  bool owner_at_work(std::uint32_t click) const;
  bool awaits_recovery(std::uint32_t index) const;
  void on_reinjected(const trace::Record& record, std::uint32_t event);
  void on_verified(const trace::Record& record, std::uint32_t event);
  void come_to(std::uint32_t click, const trace::Record& record);
  static void count_try(AtPipeline& at, const trace::Record& record);
  void disturb();
  void fault_free();
  void add_attempt(const trace::Header& header, const trace::RegistryAsk& ask, std::uint32_t click);

  void on_environment(const trace::Record& record, std::uint32_t event);
  enum class Ending : std::uint8_t { by_force, in_order };
  void on_end(const trace::Header& header, Ending ending);
  void supersede(const Attempt& by);
  void on_generated(const trace::Record& record, std::uint32_t event);
  void on_visible(const trace::Record& record);
  void note_truncation(File& file, std::uint32_t pipeline, std::uint64_t most,
                       const Visibility& now);
  void on_damaged(const trace::Record& record, std::uint32_t event);
  void on_output_lost(const trace::Record& record, std::uint32_t event);
  void note_gap(std::uint32_t click, const Token& token);
  void on_registry_ask(const trace::Record& record, std::uint32_t event);
  void on_registry_answer(const trace::Record& record, std::uint32_t event);
  void on_wrong_shard(const trace::Header& header, const trace::RegistryAnswer& answer,
                      std::uint32_t event);
  void on_insert_delivered(const trace::Header& header, const trace::RegistryAnswer& answer,
                           std::uint32_t event);
  void on_granted(const trace::Record& record);
  void on_join_ask(const trace::Record& record, std::uint32_t event);
  void on_join_answer(const trace::Record& record, std::uint32_t event);
  void on_query_missed(const trace::Header& header, const trace::JoinAnswer& answer,
                       std::uint32_t event);
  bool may_be_unjoinable(const AtPipeline& at, const trace::Header& header,
                         const EventId& click) const;
  void on_query_answer(const trace::Record& record, std::uint32_t event);
  void on_adapter(const trace::Record& record, std::uint32_t event);
  void on_read(const trace::Record& record, std::uint32_t event);
  void on_output_fact(const trace::Record& record, std::uint32_t event);
  void on_output(const trace::Record& record, std::uint32_t event);
  void on_unjoinable(const trace::Record& record, std::uint32_t event);
  void on_retry(const trace::Record& record, std::uint32_t event);
  JournalFacts& journal_of(std::uint32_t pipeline, std::uint32_t journal) {
    return journals_[(std::uint64_t{pipeline} << 32U) | journal];
  }
  void keep(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event);
  bool keeps(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event);
  void drop(std::uint32_t pipeline, std::uint32_t journal, std::uint32_t event);
  void on_journal_replaced(const trace::Record& record);
  void on_range_skipped(const trace::Record& record);

  const JudgeConfig& config_;
  const Ownership& ownership_;
  std::vector<std::uint32_t> pipeline_of_;  // by datacenter number
  // The records of a click come close together: most find its index here, in the processor's cache.
  struct RecentClick {
    EventId id{};
    std::uint32_t index = kNoIndex;
  };
  static constexpr std::size_t kRecentClicks = 1024;
  std::vector<RecentClick> recent_clicks_ =
      std::vector<RecentClick>(kRecentClicks);  // direct-mapped
  EventIndex click_index_;
  boost::unordered_flat_map<EventId, std::uint32_t, Hasher> query_index_;
  TokenIndex token_index_;
  boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> misses_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t, Hasher> file_index_;
  boost::unordered_flat_map<std::uint64_t, AnsweredSince, Hasher>
      answered_since_;                                                         // (click, pipeline)
  boost::unordered_flat_map<EventId, std::uint64_t, Hasher> damaged_queries_;  // bits of pipelines
  // Lives of joiners, as in their tokens, whose output lost a record that may never have been read.
  boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> gaps_;
  boost::unordered_flat_map<std::uint32_t, Token, Hasher>
      indeterminate_;  // by click: its owner then
  PackedTable<Click> clicks_;
  PackedTable<AtPipeline> at_pipelines_;
  PackedTable<Attempt> attempts_;
  std::vector<Visit> visits_;
  std::uint32_t free_visits_ = kNoIndex;
  std::vector<File> files_;
  DenseTable<NodeId, NodeFacts> nodes_;
  boost::unordered_flat_map<std::uint64_t, JournalFacts, Hasher> journals_;
  struct Store {
    std::uint32_t kept = 0;
    std::uint32_t most = 0;
  };
  std::vector<Store> stores_;  // by pipeline
  // By (click, pipeline): journals that hold the click besides `kept_in`. There are few.
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>, Hasher> further_journals_;
  std::vector<JoinerEnd> joiner_ends_;
  std::vector<Disturbance> disturbances_;  // by their beginnings; they do not overlap
  std::uint32_t faults_in_force_ = 0;
  std::uint64_t generated_ = 0;
  std::uint64_t open_ = 0;
  std::uint64_t lingering_ = 0;
  std::uint64_t uncopied_ = 0;
  std::uint64_t every_cell_ = 0;  // a bit of each pipeline's datacenter
  SimTime now_{};
  trace::Phase phase_ = trace::Phase::started;
};

}  // namespace photon::analysis
