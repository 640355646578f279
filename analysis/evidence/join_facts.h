// The facts of a join: clicks and attempts to join them, what each pipeline knows, the lives of
// joiners, the journals of dispatchers. Plain values; join_evidence.h fills them in.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

inline constexpr std::uint32_t kNoIndex = 0xffffffffU;
inline constexpr SimTime kNever = SimTime::max();

// A client's request: its number is unique within the client only.
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
  SimTime active_at{};            // last sign of work on it
  SimTime answered_at = kNever;   // first definitive code delivered
  // Its last request that a shard answered `wrong_shard`. The request is over for its sender, which
  // ignores later answers to a copy of it.
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

// The age of any id by a clock. Ids of a trace may be arbitrary.
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
  bool in_order = false;     // it was asked to stop and reported that it may be ended (D-23)
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

// The answers that reached the dispatcher of one pipeline about one click.
enum Answers : std::uint8_t {
  kAnsweredJoined = 1,
  kAnsweredExists = 2,
  kAnsweredTooOld = 4,
  kAnsweredSkipped = 8,
  kAnsweredUnjoinable = 16,
  kLookupExists = 32,
  kLookupTooOld = 64,
  kSkippedByOperator = 128,  // an operator began without state (C-32)
};

// One click at one pipeline.
struct AtPipeline {
  SimTime read_at = kNever;       // first ClickRead
  SimTime looked_up_at = kNever;  // first definitive look-up answer delivered
  // First attempt that may legitimately declare the click unjoinable (J.2 ii): when its request was
  // delivered, or, if the click reached the age later, when it was answered after a miss.
  SimTime unjoinable_since = kNever;
  SimTime first_asked_at = kNever;  // first look-up or join sent, by any life of the dispatcher
  SimTime last_asked_at = kNever;   // the last one while the click was within N
  std::uint32_t asked = 0;          // join requests sent, by any life of the dispatcher
  // Tries, by any life: a look-up and a join after it, or one of them; or a new save while no
  // process could be asked. An upper bound.
  std::uint32_t tries = 0;
  std::uint32_t tries_in_time = 0;  // of them: while the click was within N
  std::uint32_t lookup = 0;         // low bits of the number of the last look-up
  LocalTime due{};                  // as it was saved last
  bool tried = false;               // asked for since
  bool sent = false;                // to a joiner, in this try
  std::uint8_t answers = 0;         // bits of Answers, ever: see JoinEvidence::answers
  bool unjoinable_logged = false;   // durable, by any joiner of the pipeline
  bool brought_back = false;        // in its log of re-injected clicks, and no answer since
  bool returned = false;            // it was brought back here, once at least
  bool in_retry_store = false;      // durable, in one journal at least
  std::uint32_t kept_in = 0;        // the first of them; others: JoinEvidence::further_journals_
  SimTime kept_since{};             // when a journal began to hold it last
  bool damaged = false;             // its record in this copy of the log cannot be read
  SimTime answered_at = kNever;     // the first answer, ever or since it was brought back

  bool was_kept() const { return kept_since != SimTime{}; }  // ever
  // Finished, and still to be tried again.
  bool lingers() const { return answers != 0 && !brought_back && in_retry_store; }
};

// A click in a file of those that verification brought back.
struct Return {
  std::uint32_t click = kNoIndex;
  std::uint64_t end = 0;         // in the file
  SimTime at{};                  // when it was durable
  std::uint64_t removed_at = 0;  // the slot of its removal; 0: it was not registered
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
  SimTime joined_at = kNever;  // first durable output
  Token joined_by{};
  EventId joined_with{};              // the query in that output
  std::uint64_t joined_in = 0;        // bit set of datacenters that hold the output record
  SimTime output_lost_at = kNever;    // the last one that held it has lost it
  std::uint32_t attempts = kNoIndex;  // newest first
  std::uint32_t visits = kNoIndex;    // newest first
  bool generated = false;
  bool expect_skip = false;
  bool open = false;         // counted in open_clicks()
  bool unrecovered = false;  // a verifier has given it up: too old, or nothing can be proven
  bool passed_over = false;  // by an operator, in some pipeline, and not brought back since
  bool record_lost = false;  // from some cell that had it

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

// One journal of a pipeline's dispatchers, whichever worker owns it.
struct JournalFacts {
  std::uint32_t kept = 0;            // clicks in its retry store
  std::vector<std::uint32_t> saved;  // these, and some that left it
  // What the retry store held before the journal was replaced last.
  std::vector<std::uint32_t> before_rewrite;
};

}  // namespace photon::analysis
