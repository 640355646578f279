// The outcomes of the operations of a registry-only load, and the load's figures: latencies,
// transactions in its time. The obligations about them: J-P0, J-S18.
//
// An operation is one call of a client, whatever number of requests it took. One whose client died
// is abandoned.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

class LoadLedger final : public FactReader {
 public:
  explicit LoadLedger(const Evidence& evidence) : evidence_(evidence) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  // Did the client ask for this, and has it not yet received its end?
  bool is_open(NodeId client, const trace::LoadDone& done) const;
  struct OpenCall {
    NodeId client{};
    EventId id{};
    SimTime at{};
  };
  // In order of clients and their operations.
  std::vector<OpenCall> open_calls() const;

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
  static constexpr Interest kKinds[] = {trace::Kind::load_asked, trace::Kind::load_done,
                                        trace::Kind::slot_applied, trace::Kind::process_crashed};

  struct Call {
    SimTime at{};
    EventId id{};
  };
  void on_asked(const Fact& fact);
  void on_done(const Fact& fact);
  void on_applied(const Fact& fact);

  const Evidence& evidence_;
  boost::unordered_flat_map<RequestKey, Call, RequestHasher> open_;  // by the operation's number
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t abandoned_ = 0;
  SimTime first_asked_ = kNever;
  SimTime last_asked_{};
  std::uint64_t transactions_ = 0;
  std::uint64_t transaction_operations_ = 0;
  // Those since the last operation asked: they are added when another one is asked.
  std::uint64_t recent_transactions_ = 0;
  std::uint64_t recent_operations_ = 0;
  std::array<std::uint64_t, trace::kDefinitiveCodes> codes_{};
  LatencyHistogram insert_latency_{};
  LatencyHistogram lookup_latency_{};
};

}  // namespace photon::analysis
