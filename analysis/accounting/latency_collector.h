// Latency of joined clicks, in all and by stage: of those that were generated from
// JudgeConfig::measured_from on.
//
// The stages of one click follow each other without gap at the datacenter that joined it, so that
// they add up to the total:
//   shipping     generation -> its bytes can be read there
//   scan         -> the dispatcher has read it
//   lookup       -> the first answer of the registry to the dispatcher's look-up (0 without one)
//   dispatch     -> the join request that won reached its joiner (retries and backoff included)
//   event_store  -> the adapter decided
//   register     -> the registry's OK was delivered
//   output       -> the joined record is durable
//   total        true generation -> durable output
// `biased` is the paper's figure: the joiner's own clock at output minus the click's stamp (D-21);
// it can be negative. It is taken when the output is issued, so it counts a few clicks more than
// `total`: those whose output a crash undid before it was durable.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analysis/accounting/joined_latency.h"
#include "analysis/accounting/slowest_clicks.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"
#include "analysis/evidence/packed_table.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

enum class Stage : std::uint8_t {
  shipping,
  scan,
  lookup,
  dispatch,
  event_store,
  register_id,
  output,
  total,
};
inline constexpr std::size_t kStages = 8;
std::string_view name_of(Stage stage);

class LatencyCollector final : public FactReader {
 public:
  explicit LatencyCollector(const Evidence& evidence) : evidence_(evidence) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  const LatencyHistogram& stage(Stage stage) const {
    return stages_[static_cast<std::size_t>(stage)];
  }
  const LatencyHistogram& total() const { return stage(Stage::total); }
  // The same clicks by their total, with their stages.
  const SlowestClicks& slowest() const { return slowest_; }
  // From the moment when click and query can be read at the datacenter that joined them: the total
  // without the shipping of both, which is an input of the model and no work of the system
  // (SPEC G-04).
  const LatencyHistogram& own() const { return own_; }
  // When a joiner was about to write (D-21): by its own clock and the click's stamp, which may be
  // below zero; and in true time.
  const LatencyHistogram& biased() const { return biased_; }
  const LatencyHistogram& at_output() const { return at_output_; }
  // `total` and `own` click by click, whenever it was generated. Made anew: 32 bytes each.
  JoinedLatencies joined() const;

 private:
  static constexpr Interest kKinds[] = {trace::Kind::output_record};

  bool is_measured(const Click& click) const {
    return click.generated_at >= evidence_.config().measured_from;
  }
  void keep(const JoinedLatency& joined);
  SimTime inputs_at(const Click& click, std::uint32_t pipeline, SimTime end) const;

  const Evidence& evidence_;
  std::array<LatencyHistogram, kStages> stages_;
  SlowestClicks slowest_;
  LatencyHistogram own_;
  LatencyHistogram biased_;
  LatencyHistogram at_output_;
  PackedTable<JoinedLatency> joined_{};
  SimTime ticked_{};
};

}  // namespace photon::analysis
