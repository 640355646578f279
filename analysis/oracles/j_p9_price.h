// J-P9: the price of a run. The work of dispatchers beyond one look-up and one join per click is
// what its faults explain, and no more.
//
// For a click at a pipeline, over the whole run:
//
//   look-ups (requests with a number of their own)  <=  1 + failures + takings + returns
//   joins     <=  look-ups that were answered `not_found`
//   wasted joins (registrations answered `already_exists`)  <=  joins
//
// with, per kind of fault,
//   failures  a refusal or failure that the dispatcher received (query missing, caps, EventStore,
//             stopping joiner): 1 each. A joiner that dies, a partition, a lost or late message: 1
//             for each time-out of a join (`dispatcher_send_timeout`), 1 for each of a look-up
//             (`dispatcher_lookup_timeout`)
//   takings   a worker that starts, or takes a partition over: 1 for each click that it finds open
//   returns   verification brings the click back: 1
// and repetitions of one look-up: 1 for each answer that is not definitive (an election, a queue
// that is full, a wrong shard), and 1 for each `lookup_repeat` of silence. Elections and full
// queues cost repetitions only, never a second try.
//
// It is checked cause by cause, which is stricter than the sums: a dispatcher's life
//   * begins a second try of a click only after the first has failed, and not before the shortest
//     pause for the number of failures seen (C-21);
//   * sends a join only after a look-up of the same try was answered `not_found` (C-10, C-12): so
//     two pipelines waste a join only where both looked before either had registered;
//   * has one join of a click under way at a time;
//   * repeats a look-up only after an answer that is not definitive, or silence.
// A wasted join needs a join, so joiners add none (J-S20 counts registrations against requests).
//
// The first answer to a look-up counts, not those to its repetitions. Look-ups of a partition that
// the worker has given up and taken again are repeated meanwhile; their numbers are lower.
//
// What the trace does not show is not charged: which partition holds a click that was brought back
// (it may be open in two), and since when a look-up waits for a sharding history. The first exempts
// the click, the second the limit of a look-up's silence. Grouped clicks (C-14) and dispatchers
// without look-ups are exempt: JudgeConfig::priced.
//
// Cost: O(1) per fact; a click is stored while a dispatcher works on it.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Price final : public Oracle {
 public:
  explicit Price(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  // What a worker does about a click, since it has it.
  struct Work {
    std::uint64_t lookup = 0;  // number of the look-up under way, or answered; 0: none
    std::uint64_t join = 0;    // request of the last join
    // Look-ups up to this one are of a partition that the worker has given up; its client repeats
    // them until they are answered.
    std::uint64_t handed_on = 0;
    SimTime first_asked{};  // that look-up
    SimTime last_asked{};
    SimTime sent = kNever;    // the join of this try; kNever: none yet
    SimTime failed = kNever;  // the try: a failure was delivered
    std::uint32_t failures = 0;
    std::uint32_t takings = 0;  // of the worker, when this began
    bool found_absent = false;  // the look-up was answered `not_found`
    bool put_off = false;       // an answer that is not definitive came since last_asked
    bool in_doubt = false;      // the worker may have given the look-up up before its answer
    // A look-up handed on, before or after it was first sent, is asked again with a new number.
    bool renumbered = false;
  };
  struct Worker {
    Incarnation life{};
    std::uint32_t takings = 0;
    boost::unordered_flat_map<std::uint32_t, std::uint64_t, Hasher> epochs{};  // by journal
    boost::unordered_flat_map<std::uint32_t, Work, Hasher> work{};             // by click
    // How often it has read a click about which it has sent nothing.
    boost::unordered_flat_map<std::uint32_t, std::uint32_t, Hasher> reads{};
  };

  // Null if this is the first that the worker does about the click.
  static Work* begun(Worker& worker, std::uint32_t click);
  bool is_charged(const Fact& fact, const Worker& worker, const Work& work) const;
  void on_lookup(const Fact& fact);
  void on_lookup_answer(const Fact& fact);
  void on_join(const Fact& fact);
  void on_join_answer(const Fact& fact);
  void on_owned(const Fact& fact);
  void on_read(const Fact& fact);
  static Work& begin(const Fact& fact, Worker& worker);
  void begin_try(const Fact& fact, Work& work);
  // Why this look-up, or a join now, has no cause; empty if it has one.
  std::string_view unexplained(const Fact& fact, const Work& work, std::uint64_t request) const;
  std::string_view unexplained(const Work& work, SimTime now) const;
  bool was_silent(const Work& work, SimTime now) const;  // the look-up under way
  std::string_view too_early(const Work& work, SimTime now) const;
  // When the last try failed; kNever: it has not yet.
  SimTime failure_of(const Work& work, SimTime now) const;
  bool may_wait_for_history() const { return config().sharding_group != JudgeConfig::kNoGroup; }
  void accuse(const Fact& fact, std::string_view why);

  LifeTable<Worker> workers_;

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
