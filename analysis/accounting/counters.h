// Figures of a run that are no verdict: work done, work wasted, faults that took effect.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>

#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

struct Counters {
  // registry
  std::uint64_t transactions = 0;     // slots with operations, each counted once
  std::uint64_t operations = 0;       // in those slots
  std::uint64_t lookups = 0;          // look-ups sent
  std::uint64_t insert_requests = 0;  // inserts sent, retries included
  std::uint64_t insert_attempts = 0;  // different tokens
  std::uint64_t overloaded = 0;       // operations refused by a full queue
  std::uint64_t future_inserts = 0;   // of ids from the future, repetitions included (B-60f)
  std::uint64_t elections = 0;        // masters elected
  std::uint64_t failovers = 0;        // elections beyond the first of each group
  std::uint64_t snapshots = 0;        // made durable on some disk, own or fetched
  std::uint64_t restorations = 0;  // states replaced by that of a snapshot: at a start, or fetched
  std::uint64_t disks_replaced = 0;      // formatted anew
  std::uint64_t disks_admitted = 0;      // of these
  std::uint64_t reshards = 0;            // changes of the number of shards that came into force
  std::uint64_t reshards_cancelled = 0;  // announced and dropped
  std::uint64_t collections = 0;         // transactions that removed ids below the boundary (B-69)
  std::uint64_t ids_collected = 0;       // by them
  LatencyHistogram insert_latency{};     // first request sent -> definitive code delivered
  LatencyHistogram commit_latency{};     // batch proposed -> applied by its proposer
  // A batch that the master of a group has under way.
  struct OpenBatch {
    NodeId master{kNoNode};
    std::uint64_t slot = 0;
    SimTime proposed_at{};
  };
  std::map<std::uint32_t, std::deque<OpenBatch>> open_batches{};  // by group, in order of slots

  // The lag of the boundaries after true time - N, from the first move of each to the end: it grows
  // until the next move (B-68).
  double boundary_time = 0;  // nanoseconds, summed over shards
  double boundary_area = 0;  // of lag, over that time
  Duration boundary_lag_max{};
  std::map<std::uint32_t, std::uint64_t> last_collection{};  // slot, by shard
  double boundary_lag_mean() const {                         // nanoseconds
    return boundary_time > 0 ? boundary_area / boundary_time : 0.0;
  }

  // pipeline
  std::uint64_t wasted_joins = 0;       // attempts that learned: already exists
  std::uint64_t output_copies = 0;      // records that other datacenters hold too (D-08)
  std::uint64_t duplicates = 0;         // durable output records beyond the first of a click
  std::uint64_t clicks_read = 0;        // re-reads included
  std::uint64_t joins_asked = 0;        // join requests sent
  std::uint64_t query_lookups = 0;      // EventStore requests sent
  std::uint64_t query_log_lookups = 0;  // of those, to the log tier

  // logs and output
  std::uint64_t input_damaged = 0;    // records of copies that cannot be read
  std::uint64_t records_skipped = 0;  // stretches skipped by readers, re-reads included
  std::uint64_t bytes_skipped = 0;    // in them
  std::uint64_t outputs_lost = 0;     // joined records that a cell lost

  // environment
  std::uint64_t process_crashes = 0;
  std::uint64_t joiner_crashes = 0;
  std::uint64_t processes_stopped = 0;  // in good order (D-23); not among the crashes
  // After finish(): attempts whose OK was sent and had not arrived when they asked again or when
  // the trace ended.
  std::uint64_t lost_replies_after_effect = 0;
  std::set<std::uint32_t> faults_effective{};    // fault numbers of FaultEffect
  std::set<std::uint64_t> changes_decided{};     // versions of the sharding history
  std::set<std::uint32_t> groups_with_master{};  // groups that ever elected one

  double mean_batch() const {
    return transactions == 0 ? 0.0
                             : static_cast<double>(operations) / static_cast<double>(transactions);
  }
};

// Takes one record in; called before the evidence takes it.
void count(Counters& counters, const Evidence& evidence, const Fact& fact);
// Counts what it is given.
class CounterLedger final : public FactReader {
 public:
  CounterLedger(Counters& counters, const Evidence& evidence)
      : counters_(counters), evidence_(evidence) {}

  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override { count(counters_, evidence_, fact); }

 private:
  Counters& counters_;
  const Evidence& evidence_;
};
// Figures that are known only at the end.
void finish(Counters& counters, const Evidence& evidence);

}  // namespace photon::analysis
