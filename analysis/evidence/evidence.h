// The evidence: what the trace has proven so far, indexed by click.
//
// One owner of all facts that more than one oracle needs, so that each is stored once and each
// record costs one hash look-up. It judges nothing. Message, storage and environment facts are
// taken as they are; of decisions only the first application of an operation (which the consensus
// oracle compares with all others) and what no other fact can show (reads, adapter) are used.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/boundary_history.h"
#include "analysis/evidence/consensus_ledger.h"
#include "analysis/evidence/dense_table.h"
#include "analysis/trace_files/judge_config.h"
#include "analysis/trace_files/trace_places.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

inline constexpr std::uint32_t kNoIndex = 0xffffffffU;
inline constexpr SimTime kNever = SimTime::max();

// A client's request: a number says something together with the client only.
struct RequestKey {
  NodeId client{};
  std::uint64_t request = 0;
  friend auto operator<=>(const RequestKey&, const RequestKey&) = default;
};
constexpr std::uint64_t hash_of(const RequestKey& key) {
  return combine(mix(key.request), key.client.value());
}
struct RequestHasher {
  using is_avalanching = void;
  std::uint64_t operator()(const RequestKey& key) const { return hash_of(key); }
};

// What clients of a registry-only load have asked for with one token that is their own.
struct TokenRequests {
  // Operations that have no end yet, and whether there ever was one, by kind.
  struct Kind {
    std::uint32_t open = 0;
    bool ever = false;
  };
  Kind insert{}, clear{}, remove{};

  // Null for what changes nothing.
  static Kind TokenRequests::*of(trace::RegistryOperation operation) {
    using enum trace::RegistryOperation;
    if (operation == insert) return &TokenRequests::insert;
    if (operation == clear) return &TokenRequests::clear;
    return operation == remove ? &TokenRequests::remove : nullptr;
  }
};

// One token: one attempt of one life of a joiner to process one click. From its first insert
// request on.
struct Attempt {
  Token token{};
  NodeId node{kNoNode};
  Incarnation life{};
  std::uint32_t click = kNoIndex;
  std::uint32_t next = kNoIndex;  // next attempt for the same click
  SimTime received_at = kNever;   // its join request was delivered
  SimTime decided_at = kNever;    // the adapter decided
  SimTime asked_at{};             // first insert request sent
  SimTime active_at{};            // last sign that somebody works on it
  SimTime answered_at = kNever;   // first definitive code delivered
  // The last request of it that a shard disowned (`wrong_shard`): it is over for its sender, who
  // does not listen to what comes later for a copy of it.
  std::uint64_t wrong_shard = 0;
  trace::RegistryCode answer = trace::RegistryCode::unavailable;  // the first definitive one
  bool ok_delivered = false;    // `inserted` was delivered to this life
  SimTime ok_sent_at = kNever;  // a replica first sent `inserted`
  bool reply_lost = false;      // an OK was sent and none had come when it asked again
  bool output_issued = false;
  bool output_durable = false;
  bool in_window = true;        // D-15: neither durable nor definitively refused
  bool outstanding = true;      // D-14: no definitive code yet
  bool died_in_window = false;  // its life crashed while in_window
  bool took_effect = false;     // its fresh insert was applied
  // The registration was repeated with another token (JudgeConfig::tokens is false).
  bool superseded = false;
  ShardId shard{};               // that was asked last
  std::uint32_t end = kNoIndex;  // of a life: with which its joiner died, if died_in_window
  SimTime died_at = kNever;
};

// Of an id, as a clock shows it: any id, in a trace from anywhere.
template <class TimePoint>
Duration age_by(TimePoint clock, const EventId& id) {
  return between(from_nanoseconds<TimePoint>(nanoseconds_of(id.stamp)), clock);
}

// The end of one life of a joiner.
struct JoinerEnd {
  NodeId node{kNoNode};
  Incarnation life{};
  SimTime at{};
  std::uint32_t window = 0;  // D-15: its attempts from registration sent to output durable
  bool in_order = false;     // it was asked to stop and said that it may be ended (D-23)
};

// A join request that a joiner has and has not answered.
struct Visit {
  NodeId joiner{};
  NodeId dispatcher{};
  std::uint64_t request = 0;
  Incarnation life{};  // of the joiner
  std::uint32_t attempts = 0;
  std::uint32_t next = kNoIndex;
  SimTime received_at{};
  SimTime decided_at = kNever;
};

// A definitive outcome of an insert, clear or remove, as applied.
struct AppliedOutcome {
  Token token{};
  std::uint64_t slot = 0;
  ShardId shard{};
  trace::RegistryOperation operation{};
  trace::RegistryCode code{};
  std::uint32_t next = kNoIndex;
};

inline constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};

// An id was registered from its fresh insert in slot `from` to its removal in slot `until`, both of
// `shard`; its token was stored until slot `cleared`.
struct Tenure {
  Token token{};
  std::uint64_t from = 0;
  std::uint64_t cleared = kNoSlot;
  std::uint64_t until = kNoSlot;
  SimTime ended_at = kNever;  // when a replica first applied the removal
  ShardId shard{};
  std::uint32_t next = kNoIndex;  // the one before
};

// What reached the dispatcher of one pipeline about one click.
enum Answers : std::uint8_t {
  kAnsweredJoined = 1,
  kAnsweredExists = 2,
  kAnsweredTooOld = 4,
  kAnsweredSkipped = 8,
  kAnsweredUnjoinable = 16,
  kLookupExists = 32,
  kLookupTooOld = 64,
  kPassedOver = 128,  // an operator began without state, and beyond the click (C-32)
};

// One click at one pipeline.
struct AtPipeline {
  SimTime read_at = kNever;       // first ClickRead
  SimTime looked_up_at = kNever;  // first definitive look-up answer delivered
  // First attempt that may legitimately declare the click unjoinable (J.2 ii): when its request was
  // delivered, or, if the click reached the age only meanwhile, when it was answered after a miss.
  SimTime hopeless_at = kNever;
  SimTime first_asked_at = kNever;  // first look-up or join sent, by any life of the dispatcher
  SimTime last_asked_at = kNever;   // the last one while the click was within N
  std::uint32_t asked = 0;          // join requests sent, by any life of the dispatcher
  // Tries, by any life: a look-up and a join behind it, or one of them; or what was saved anew
  // while nobody could be asked. Never fewer than there were.
  std::uint32_t tries = 0;
  std::uint32_t tries_in_time = 0;  // of them: while the click was within N
  std::uint32_t lookup = 0;         // low bits of the number of the last look-up
  LocalTime due{};                  // as it was saved last
  bool tried = false;               // asked for since
  bool sent = false;                // to a joiner, in this try
  std::uint8_t answers = 0;         // Told bits, ever: see Evidence::told
  bool unjoinable_logged = false;   // durable, by any joiner of the pipeline
  bool brought_back = false;        // in its log of re-injected clicks, and nothing told since
  bool returned = false;            // it was brought back here, once at least
  bool in_retry_store = false;      // durable, in one journal at least
  std::uint32_t kept_in = 0;        // the first of them; others: Evidence::further_journals_
  SimTime kept_since{};             // when a journal began to hold it last
  bool damaged = false;             // its record in this copy of the log cannot be read
  SimTime answered_at = kNever;     // the first Told bit, ever or since it was brought back

  bool was_kept() const { return kept_since != SimTime{}; }  // ever
  // Finished, and still to be tried again.
  bool lingers() const { return answers != 0 && !brought_back && in_retry_store; }
};

// A click in a file of those that verification brought back.
struct Return {
  std::uint32_t click = kNoIndex;
  std::uint64_t end = 0;  // in the file
  SimTime at{};           // when it was durable
};

struct Click {
  EventId id{};
  EventId query{};
  SimTime generated_at{};
  std::uint64_t click_end = 0;
  std::uint64_t query_end = 0;
  std::uint64_t joined_hash = 0;
  std::uint32_t click_file = trace::ClickGenerated::kNoFile;
  std::uint32_t query_file = trace::ClickGenerated::kNoFile;
  Token owner{};  // of the fresh insert since the latest removal; empty: not registered
  std::uint64_t owner_slot = 0;
  std::uint64_t cleared_slot = kNoSlot;  // in which the owner's token was cleared
  SimTime cleared_at = kNever;
  SimTime owned_at = kNever;
  SimTime joined_at = kNever;  // first durable output
  Token joined_by{};
  std::uint64_t joined_in = 0;      // bit set of datacenters that hold the output record
  SimTime output_lost_at = kNever;  // the last one that held it has lost it
  ShardId owner_shard{};
  std::uint32_t attempts = kNoIndex;  // newest first
  std::uint32_t visits = kNoIndex;    // newest first
  std::uint32_t outcomes = kNoIndex;  // newest first
  std::uint32_t tenures = kNoIndex;   // ended by a removal, newest first
  bool generated = false;
  bool expect_skip = false;
  bool open = false;         // counted in open_clicks()
  bool unrecovered = false;  // a verifier has given it up: too old, or nothing can be proven
  bool passed_over = false;  // by an operator, in some pipeline, and not brought back since
  bool record_lost = false;  // from some cell that had it

  bool is_owned() const { return !owner.is_empty(); }
  bool was_owned() const { return is_owned() || tenures != kNoIndex; }
  bool is_cleared() const { return cleared_slot != kNoSlot; }
  bool is_joined() const { return joined_at != kNever; }
  // Another datacenter's copy of the one join, as opposed to a second join.
  bool is_copy(const Token& token, DatacenterId where) const {
    return is_joined() && joined_by == token && (joined_in & bit_of(where)) == 0;
  }
  static std::uint64_t bit_of(DatacenterId datacenter) {
    return std::uint64_t{1} << (datacenter.value() & 63U);
  }
};

// A time in which some fault was in force somewhere.
struct Disturbance {
  SimTime began{};
  SimTime ended = kNever;
};

// One process slot.
struct NodeFacts {
  Incarnation life{};
  std::uint32_t lives = 0;
  std::uint32_t in_flight = 0;    // visits
  std::uint32_t outstanding = 0;  // attempts without a definitive code
  std::uint32_t window = 0;       // attempts in the D-15 window
  std::uint32_t granted = 0;      // life granted by the incarnation registry, to this life
  std::uint32_t fenced = 0;       // its output files are shut to lives below this (F-06)
  DatacenterId datacenter;        // where it was started
  bool alive = false;
  bool is_down = false;                      // crashed and not yet started again
  bool is_joiner = false;                    // has received a join request
  std::vector<std::uint32_t> open_attempts;  // in_window, of this life (may hold closed ones)
};

// One journal of a pipeline's dispatchers, whoever owns it.
struct JournalFacts {
  std::uint32_t kept = 0;            // clicks in its retry store
  std::vector<std::uint32_t> saved;  // these, and some that left it
  // What the retry store held before the journal was replaced last.
  std::vector<std::uint32_t> before_rewrite;
};

class Evidence {
 public:
  explicit Evidence(JudgeConfig config, TracePlaces places = {});

  const JudgeConfig& config() const { return config_; }
  // For messages: "us-east1/registry/0"; "process 28" where the trace has no names.
  std::string process(NodeId node) const { return process_name(places_, node); }
  const ConsensusLedger& consensus() const { return consensus_; }
  const BoundaryHistory& boundaries() const { return boundaries_; }

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
  // What the answer rests on: null if no such operation was applied in the slot that it names. Of
  // several, one that agrees with it if there is one.
  const AppliedOutcome* find_outcome(std::uint32_t click,
                                     const trace::RegistryAnswer& answer) const;
  // Does `holds` hold for any time in which the click was registered?
  template <class Predicate>
  bool any_tenure(std::uint32_t index, Predicate&& holds) const {
    const Click& click = clicks_[index];
    if (click.is_owned() && holds(tenure_of(click))) return true;
    for (std::uint32_t i = click.tenures; i != kNoIndex; i = tenures_[i].next) {
      if (holds(tenures_[i])) return true;
    }
    return false;
  }

  // Position of a datacenter among the pipelines; kNoIndex if it runs none.
  std::uint32_t pipeline_of(DatacenterId datacenter) const;
  const AtPipeline& at(std::uint32_t click, std::uint32_t pipeline) const {
    return at_pipelines_[std::size_t{click} * config_.pipelines.size() + pipeline];
  }
  // The click or its query cannot be read there: by no fault of the pipeline it never joins.
  bool input_lost(std::uint32_t click, std::uint32_t pipeline) const;
  // The record of a query cannot be read there.
  bool query_damaged(const EventId& query, std::uint32_t pipeline) const;
  // When the id was last removed; it must have been.
  SimTime removed_at(const Click& click) const { return tenures_[click.tenures].ended_at; }
  // True if the dispatcher there was told a success or found the click registered.
  bool finished(std::uint32_t click, std::uint32_t pipeline) const {
    return at(click, pipeline).answers != 0;
  }
  // What the dispatcher there was told, Told bits; of a click that was brought back: since then.
  std::uint8_t answers(std::uint32_t click, std::uint32_t pipeline) const;
  // Was it told anything since the click was brought back by this?
  bool answered_since(const Return& returned, std::uint32_t pipeline) const;

  // How much of `file` can be read at a pipeline, or could be, if it was truncated since; 0 if
  // nothing is known of it.
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
  // By their beginnings; they do not overlap.
  const std::vector<Disturbance>& disturbances() const { return disturbances_; }

  // Verification has said that nobody can prove the owner's output absent, and storage had lost
  // records of that life's output whose proof could be lost with them: since when. Else kNever.
  SimTime indeterminate_since(std::uint32_t click) const;

  // The longest time in [from, until] without a fault anywhere, nor `after` behind one.
  Duration longest_fault_free(SimTime from, SimTime until, Duration after) const;

  // What the load wished for with this token; null if nothing. A wish counts only if its client was
  // granted the token's life, in its present one. Registry-only runs.
  const TokenRequests::Kind* requests_of(const Token& token,
                                         trace::RegistryOperation operation) const;

  const NodeFacts& node(NodeId node) const;
  const JournalFacts& journal(std::uint32_t pipeline, std::uint32_t journal) const;
  // How many clicks the retry store of a pipeline has held at a time, at most.
  std::uint32_t most_kept(std::uint32_t pipeline) const { return stores_[pipeline].most; }
  // Life of `token.address` during which `token.incarnation` was granted; Incarnation{} if never.
  Incarnation life_granted(std::uint32_t address, std::uint32_t incarnation) const;
  // When the log tier last told `node` that it does not have the click's query; kNever if never.
  SimTime query_miss(const Click& click, NodeId node) const;

  std::uint64_t generated() const { return generated_; }
  // Clicks that are not in the output and not finished at every pipeline, or whose owner is still
  // at work on them; and those that a dispatcher will try again although they are finished there.
  // And joined records whose copies are still to come.
  std::uint64_t open_clicks() const { return open_ + lingering_ + uncopied_; }
  // It is joined, and its record is not in the cells of all pipelines yet as it is to be (D-08).
  bool awaits_copies(const Click& click) const {
    return config_.output_copies && click.is_joined() && !click.record_lost &&
           (click.joined_in & every_cell_) != every_cell_;
  }
  SimTime now() const { return now_; }
  trace::Phase phase() const { return phase_; }

  // Takes a record in; `event` as resolved by the judge.
  void absorb(const trace::Record& record, std::uint32_t event);

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
  Attempt* attempt_of(std::uint32_t click, const Token& token);
  void close_window(Attempt& attempt);
  void close_outstanding(Attempt& attempt);
  void tell(std::uint32_t click, DatacenterId datacenter, std::uint8_t bit);
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
  void note_gap(const Click& click, const Token& token);
  void on_registry_ask(const trace::Record& record, std::uint32_t event);
  void on_registry_answer(const trace::Record& record, std::uint32_t event);
  void on_wrong_shard(const trace::Header& header, const trace::RegistryAnswer& answer,
                      std::uint32_t event);
  void on_insert_delivered(const trace::Header& header, const trace::RegistryAnswer& answer,
                           std::uint32_t event);
  void on_operation(const trace::Record& record, std::uint32_t event);
  void own(const trace::Record& record, std::uint32_t event);
  static Tenure tenure_of(const Click& click) {
    return {click.owner, click.owner_slot, click.cleared_slot, kNoSlot, kNever, click.owner_shard};
  }
  void on_granted(const trace::Record& record);
  void on_load_asked(const trace::Record& record);
  void on_load_done(const trace::Record& record);
  void on_join_ask(const trace::Record& record, std::uint32_t event);
  void on_join_answer(const trace::Record& record, std::uint32_t event);
  void on_query_missed(const trace::Header& header, const trace::JoinAnswer& answer,
                       std::uint32_t event);
  bool is_hopeless(const AtPipeline& at, const trace::Header& header, const EventId& click) const;
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

  JudgeConfig config_;
  TracePlaces places_;
  ConsensusLedger consensus_;
  BoundaryHistory boundaries_;
  std::vector<std::uint32_t> pipeline_of_;  // by datacenter number
  // The records of a click come close together: most find its index here, in the processor's cache.
  struct RecentClick {
    EventId id{};
    std::uint32_t index = kNoIndex;
  };
  static constexpr std::size_t kRecentClicks = 1024;
  std::vector<RecentClick> recent_clicks_ =
      std::vector<RecentClick>(kRecentClicks);  // direct-mapped
  boost::unordered_flat_map<EventId, std::uint32_t, Hasher> click_index_;
  boost::unordered_flat_map<EventId, std::uint32_t, Hasher> query_index_;
  boost::unordered_flat_map<Token, std::uint32_t, Hasher> token_index_;
  boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> misses_;
  boost::unordered_flat_map<std::uint64_t, Incarnation, Hasher> grants_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t, Hasher> file_index_;
  boost::unordered_flat_map<Token, TokenRequests, Hasher> token_requests_;
  boost::unordered_flat_map<std::uint64_t, AnsweredSince, Hasher>
      answered_since_;                                                         // (click, pipeline)
  boost::unordered_flat_map<EventId, std::uint64_t, Hasher> damaged_queries_;  // bits of pipelines
  // Lives of joiners, as in their tokens, whose output lost a record that nobody need know of.
  boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> gaps_;
  boost::unordered_flat_map<std::uint32_t, Token, Hasher>
      indeterminate_;  // by click: its owner then
  std::vector<Click> clicks_;
  std::vector<AtPipeline> at_pipelines_;
  std::vector<Attempt> attempts_;
  std::vector<Visit> visits_;
  std::uint32_t free_visits_ = kNoIndex;
  std::vector<AppliedOutcome> outcomes_;
  std::vector<Tenure> tenures_;
  std::vector<File> files_;
  DenseTable<NodeId, NodeFacts> nodes_;
  boost::unordered_flat_map<std::uint64_t, JournalFacts, Hasher> journals_;
  struct Store {
    std::uint32_t kept = 0;
    std::uint32_t most = 0;
  };
  std::vector<Store> stores_;  // by pipeline
  // By (click, pipeline): journals that hold the click beside `kept_in`. Hardly any.
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>, Hasher> further_journals_;
  std::vector<JoinerEnd> joiner_ends_;
  std::vector<Disturbance> disturbances_;
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
