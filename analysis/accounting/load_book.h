// What became of the operations of a registry-only load: every one that a living client asked for
// must come to a definitive end (SPEC J-P0), and what a client says it was told must have reached
// it over the network (J-S18). Also the load's figures: latencies, transactions in its time.
//
// An operation is one call of a client, whatever number of requests it took. One whose client died
// is abandoned: nobody waits for its answer any more.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/evidence.h"
#include "analysis/oracles/oracle.h"
#include "analysis/oracles/violation.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

class LoadBook {
 public:
  LoadBook(const Evidence& evidence, ViolationLog& log) : evidence_(evidence), log_(log) {}

  // Takes one record in; called before the evidence takes it.
  void on_fact(const Fact& fact);
  // At the end of the trace; with `demanded`, what is still open is stuck.
  void finish(bool demanded);

  std::uint64_t open() const { return open_.size(); }
  std::uint64_t asked() const { return asked_; }
  std::uint64_t answered() const { return answered_; }
  std::uint64_t abandoned() const { return abandoned_; }

  // From the call to the definitive answer, repetitions included.
  const LatencyHistogram& insert_latency() const { return insert_latency_; }
  const LatencyHistogram& lookup_latency() const { return lookup_latency_; }

  // Answers by code, those that are definitive: an operation never ends otherwise.
  std::uint64_t answers(trace::RegistryCode code) const {
    return codes_.at(static_cast<std::size_t>(code));
  }

  // Between the first operation asked and the last.
  SimTime first_asked() const { return first_asked_; }
  SimTime last_asked() const { return last_asked_; }
  std::uint64_t transactions() const { return transactions_; }
  std::uint64_t transaction_operations() const { return transaction_operations_; }

 private:
  struct Call {
    SimTime at{};
    EventId id{};
  };
  void on_asked(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_done(const Fact& fact);
  void on_applied(const Fact& fact);

  const Evidence& evidence_;
  ViolationLog& log_;
  boost::unordered_flat_map<RequestKey, Call, RequestHasher> open_;  // by the operation's number
  // What reached clients at this very moment; a client completes in the callback that brings it.
  struct Reached {
    NodeId node{};
    trace::RegistryAnswer answer{};
  };
  std::vector<Reached> reached_;
  SimTime reached_at_{};
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t abandoned_ = 0;
  SimTime first_asked_ = kNever;
  SimTime last_asked_{};
  std::uint64_t transactions_ = 0;
  std::uint64_t transaction_operations_ = 0;
  // Those since the last operation asked: they count when another one is asked.
  std::uint64_t recent_transactions_ = 0;
  std::uint64_t recent_operations_ = 0;
  std::array<std::uint64_t, trace::kDefinitiveCodes> codes_{};
  LatencyHistogram insert_latency_{};
  LatencyHistogram lookup_latency_{};
};

}  // namespace photon::analysis
