// The oracles' view of a run's configuration, as plain values.
//
// It states the promises of the *deployment* (how many replicas, which caps, which ages), never how
// a component works: the oracles stay independent of what they judge (DESIGN 6). It is stored in
// the header of a raw trace file, so that the trace can be judged later without any other input.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core_impl/base/bytes.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

// Caps of zero mean "not checked".
struct JudgeConfig {
  std::vector<DatacenterId> pipelines{};      // datacenters that run a pipeline, ascending
  std::vector<std::string> pipeline_names{};  // of those datacenters, for messages; or empty
  std::uint32_t shards = 1;                   // consensus groups, numbered from 0
  std::vector<std::uint32_t> regions{};       // by number of the datacenter; empty: not known
  static constexpr std::uint32_t kNoGroup = 0xffffffffU;
  std::uint32_t sharding_group = kNoGroup;  // which of them holds the sharding history, if any does
  std::uint32_t first_shards = 1;           // number of shards at the beginning
  std::uint32_t replicas_per_group = 5;     // a majority of these chooses a value

  // J-S12. Per process.
  std::uint32_t joiner_max_in_flight = 0;              // accepted joins (D-02)
  std::uint32_t joiner_max_outstanding_registry = 0;   // inserts without a definitive code (D-14)
  std::uint32_t joiner_max_outstanding_per_shard = 0;  // of them for one shard (D-22)
  std::uint32_t joiner_window_bound = 0;               // inserts not yet durable as output (D-15)
  std::uint32_t dispatcher_max_outstanding = 0;        // joins asked and not answered (C-13)
  Duration dispatcher_send_timeout{0};       // after which a join asked counts as given up
  std::uint32_t dispatcher_max_lookups = 0;  // look-ups asked and not answered (C-33)
  Duration dispatcher_lookup_timeout{0};     // after which a look-up counts as given up

  // C-30: a dispatcher's lease of a journal, from its last renewal on. 0: not checked.
  Duration journal_lease{0};
  // J-S5: a client routes an id only by a history whose read it began no earlier than this before
  // the id's stamp (S); negative: not checked.
  Duration history_skew{-1};
  // J-P5: within this time of the moment when every boundary has passed the end of an interval of
  // the sharding history, the interval is forgotten (B-60b). 0: not checked.
  Duration forget_bound{0};
  std::uint32_t max_batch_operations = 0;  // of one transaction of a registry group (B-23)

  // C-32: operators that may begin a journal without its state.
  std::vector<NodeId> state_operators{};

  // J-S18, J.2.
  std::uint64_t unjoinable_attempts = 20;           // R
  Duration unjoinable_age = std::chrono::hours(6);  // A
  Duration gc_age = std::chrono::hours(72);         // N
  // J-P2: within this time of a request for an insert, without any fault, the group has a master,
  // the client has found it, and an insert is committed. 0: not checked.
  Duration commit_bound{0};
  // J-P7: within this time the undisturbed master of a shard answers what it has admitted: after
  // the batch in flight, a full queue and its own batch. 0: J-P7 is not checked.
  Duration answer_bound{0};
  // J-P8: within this time of its start a verifier has taken up the work of its earlier life. 0:
  // J-P8 is not checked.
  Duration restart_bound{0};
  // J-P9. Do dispatchers look each click up before each try (C-10, C-12), and is each click tried
  // alone (C-14)? Otherwise the work of dispatchers has no price.
  bool priced = false;
  // The shortest time between a look-up without any answer and its repetition.
  Duration lookup_repeat{0};
  // The shortest pause after a failed try, by the number of failures; the last is that of all later
  // ones (C-21).
  std::vector<Duration> retry_not_before{};
  // J-P12: a client of the registry waits at least this long for an answer before it sends a
  // request again; for reads, the shorter of this and lookup_repeat. 0: not checked.
  Duration request_repeat{0};
  // The shortest pause after an answer that is not definitive and names no better replica.
  Duration request_pause{0};
  // J-P13: do joiners read the EventStore as SPEC E-02 says? And after which silence of the cache
  // they ask the logs; 0: there is no cache.
  bool reads_priced = false;
  Duration cache_timeout{0};
  // J-P10: how long a replica waits for its master before it stands for election. 0: not checked.
  Duration election_timeout{0};
  // J-P14: the longest time between two messages of a master to a replica. 0: not checked.
  Duration heartbeat_bound{0};
  // How far the boundary may lag true time - N while its master is undisturbed (B-68): the
  // uncertainty of TrueTime, a period of the mover, a commit. 0: not checked.
  Duration boundary_bound{0};
  // Within how long after that an id below it is removed (J-P5). 0: not checked.
  Duration collect_bound{0};
  // |calendar clock - true time| <= epsilon. A perfect calendar clock shows
  // SimTime + calendar_epoch.
  Duration clock_epsilon = std::chrono::milliseconds(100);
  Duration calendar_epoch{0};
  // An undisturbed dispatcher comes to a click within this time, `retry_turn` for each click in its
  // retry store, and `retry_after`: of the moment when it was next in line or when the last try
  // began (C-21, L-crossedN).
  Duration dispatcher_time_limit = std::chrono::minutes(10);
  // J-P6: the same, of a click in the retry store; and of the moment for which it was saved,
  // without `retry_after`. J-P3: the length of the windows. 0: not checked.
  Duration retry_time_limit{0};
  Duration retry_turn{0};
  // The longest pause after a try, by the number of tries (C-21), and how long a try may wait for
  // its place among those that are sent; the last is that of all later ones. Empty: none.
  std::vector<Duration> retry_after{};
  // J-P0: in this time the removal of a finished click from the retry store becomes durable.
  Duration removal_grace = std::chrono::seconds(30);
  // J-P3: the certain capacity of a dispatcher, in thousandths of a click per second.
  std::uint64_t dispatch_rate_milli = 0;
  // J.2: clicks readable closer than this to the last legitimate moment may go either way.
  Duration slack = std::chrono::seconds(5);
  // A living joiner never leaves an attempt of unknown outcome idle for longer than this (D-12,
  // D-16), but for what waits for its processor: an attempt that was silent for longer is no
  // L-crash when its joiner dies.
  Duration attempt_silence_bound = std::chrono::minutes(2);

  // Latencies count the clicks generated, and the operations of a load requested, from here on.
  SimTime measured_from{};

  // Corner cases of the registry are counted (J-H4); in a registry-only run they always are.
  bool corner_cases = false;

  // J-P4: verification brings back the clicks that a joiner's crash has cost within this time, if
  // nothing disturbs it. 0: there is no verification.
  Duration recovery_bound{0};

  // Registrations are repeated with their token. If not, a lost answer may cost a click (J-L1).
  bool tokens = true;

  // D-08: each output record is copied to the cells of all pipelines.
  bool output_copies = false;

  // B-18: the replicas of group g, in its order, from replicas_per_group * g on. Empty: not
  // checked.
  std::vector<NodeId> replicas{};
  std::vector<NodeId> unsound{};  // of those, whose disk is given wrong bytes
  // The time in which a replica of a healed group reaches the chosen slots; 0: not checked. It has
  // this much more for each slot that it lacks, and for each operation that a snapshot may hold.
  Duration redundancy_bound{0};
  Duration catch_up_turn{0};
  Duration fetch_turn{0};

  // J-S7: the lease that a replica grants its master with each answer; 0: not checked.
  Duration lease{0};
  // J-S7: rate error of monotonic clocks, in parts per billion.
  std::uint32_t monotonic_drift_ppb = 200'000;

  bool verified() const { return recovery_bound > Duration::zero(); }
  // Only the registry and its clients: ids come from the clients' load.
  bool registry_only() const { return pipelines.empty(); }
  std::uint32_t majority() const { return replicas_per_group / 2 + 1; }
  Duration retry_after_tries(std::size_t tries) const {
    if (retry_after.empty()) return Duration{0};
    return retry_after[tries < retry_after.size() ? tries : retry_after.size() - 1];
  }

  // By this a process's own clock, and its being busy, may shorten a time that it waits.
  Duration unsure(Duration of) const {
    return Duration(of.count() / 1'000'000'000 * monotonic_drift_ppb + 1'000'000);
  }

  Duration shortest_pause(std::size_t failures) const {
    if (retry_not_before.empty() || failures == 0) return Duration{0};
    return retry_not_before[std::min(failures, retry_not_before.size()) - 1];
  }

  std::string name_of(std::size_t pipeline) const {
    return pipeline < pipeline_names.size()
               ? pipeline_names[pipeline]
               : "datacenter " + std::to_string(pipelines[pipeline].value());
  }

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.pipelines, self.pipeline_names, self.regions, self.shards, self.sharding_group,
          self.first_shards, self.replicas_per_group, self.joiner_max_in_flight,
          self.joiner_max_outstanding_registry, self.joiner_window_bound,
          self.dispatcher_max_outstanding, self.dispatcher_send_timeout);
    visit(self.unjoinable_attempts, self.unjoinable_age, self.gc_age, self.clock_epsilon,
          self.calendar_epoch, self.dispatcher_time_limit, self.slack, self.attempt_silence_bound,
          self.lease, self.monotonic_drift_ppb, self.boundary_bound, self.collect_bound,
          self.recovery_bound, self.corner_cases, self.state_operators, self.tokens,
          self.joiner_max_outstanding_per_shard, self.retry_time_limit, self.retry_turn,
          self.dispatch_rate_milli, self.dispatcher_max_lookups, self.dispatcher_lookup_timeout,
          self.removal_grace, self.output_copies, self.retry_after, self.replicas, self.unsound,
          self.redundancy_bound, self.catch_up_turn, self.fetch_turn, self.commit_bound,
          self.max_batch_operations, self.journal_lease, self.history_skew, self.forget_bound,
          self.measured_from, self.answer_bound, self.restart_bound, self.priced,
          self.lookup_repeat, self.retry_not_before, self.election_timeout, self.request_repeat,
          self.request_pause, self.reads_priced, self.cache_timeout, self.heartbeat_bound);
  }
  bool operator==(const JudgeConfig&) const = default;
};

}  // namespace photon::analysis
