// Figures of single shards, pipelines and joiners. Each costs O(1) per record.
//
// A transaction counts once, when the first replica applies it. Bytes are those of the registry's
// ids: 32 with the token cleared, 100 with it (SPEC, appendix 1).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

struct ShardTally {
  std::uint64_t operations = 0;
  std::uint64_t transactions = 0;
  std::uint64_t ids = 0;  // held now
  std::uint64_t ids_most = 0;
  std::uint64_t with_token = 0;  // of those held now
  std::uint64_t bytes_most = 0;

  std::uint64_t bytes() const {
    constexpr std::uint64_t kCleared = 32, kWithToken = 100;
    return kCleared * (ids - with_token) + kWithToken * with_token;
  }
};

struct PipelineTally {
  std::uint64_t registrations = 0;  // won by its joiners
  std::uint64_t wasted = 0;         // another joiner had been first
  std::uint64_t lookups = 0;        // of the registry, sent, repetitions included
  std::uint64_t from_caches = 0;    // queries found, by the tier that answered
  std::uint64_t from_logs = 0;
};

struct JoinerTally {
  std::uint64_t joins = 0;
  std::uint64_t registrations = 0;
  std::uint64_t in_flight_most = 0;
};

class FigureLedger final : public FactReader {
 public:
  explicit FigureLedger(const Evidence& evidence);

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  // After the last record.
  void finish();

  const std::vector<ShardTally>& shards() const { return shards_; }  // by group
  // Of all shards at one time, at most.
  std::uint64_t bytes_held_most() const { return bytes_held_most_; }
  const std::vector<PipelineTally>& pipelines() const { return pipelines_; }
  const std::map<NodeId, JoinerTally>& joiners() const { return joiners_; }
  // How many transactions had how many operations.
  const std::map<std::uint32_t, std::uint64_t>& batches() const { return batches_; }

 private:
  static constexpr Interest kKinds[] = {trace::Kind::slot_applied,
                                        trace::Kind::operation_applied,
                                        sent(trace::Kind::registry_ask),
                                        delivered(trace::Kind::registry_answer),
                                        delivered(trace::Kind::query_answer),
                                        durable(trace::Kind::output_record),
                                        sent(trace::Kind::join_answer),
                                        trace::Kind::process_crashed,
                                        delivered(trace::Kind::join_ask)};

  bool is_first(ShardId group, std::uint64_t slot) const;
  PipelineTally* pipeline_of(const Fact& fact);
  void on_slot(const Fact& fact);
  void on_operation(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_query_answer(const Fact& fact);
  void on_output(const Fact& fact);
  void note_in_flight(NodeId node);

  const Evidence& evidence_;
  std::vector<ShardTally> shards_;
  std::vector<PipelineTally> pipelines_;
  std::map<NodeId, JoinerTally> joiners_;
  std::map<std::uint32_t, std::uint64_t> batches_;
  std::uint64_t bytes_held_ = 0;  // of all shards
  std::uint64_t bytes_held_most_ = 0;
};

}  // namespace photon::analysis
