// The work of verification and recovery, from the trace: ids removed, clicks brought back, and the
// time from the death that lost a click until the click was in the output after all.
//
// It judges nothing: J-S11 checks removals, and J-P4 checks that every click is brought
// back (accounting.h).
//
// SPEC: F-08, F-12, F-17, G-19.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

class RecoveryLedger final : public FactReader {
 public:
  explicit RecoveryLedger(const Evidence& evidence) : evidence_(evidence) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  // Recovery deletes that took effect.
  std::uint64_t removals() const { return removals_; }
  // Tokens of ids that stay registered.
  std::uint64_t cleared() const { return cleared_; }
  // Clicks written for dispatchers, repeats too.
  std::uint64_t returned() const { return returned_; }
  // Clicks lost with a joiner whose output is durable now.
  std::uint64_t recovered() const { return time_.count(); }
  // From the death of the joiner that had registered the click first to its durable output.
  const LatencyHistogram& time() const { return time_; }
  // Clicks by verdicts of verifiers.
  std::uint64_t verdicts(trace::Verified verdict) const {
    return verdicts_[static_cast<std::size_t>(verdict)];
  }
  // Reported unregistered although they were brought back, and not joined since.
  std::uint64_t discarded() const {
    return verdicts(trace::Verified::unregistered) - joined_after_all_;
  }

 private:
  static constexpr Interest kKinds[] = {
      naming(trace::Kind::operation_applied), durable(trace::Kind::click_reinjected),
      trace::Kind::click_verified, durable(trace::Kind::output_record)};

  void on_applied(const trace::OperationApplied& applied, std::uint32_t event);
  void on_verified(trace::Verified verdict, std::uint32_t event);
  void on_output(const Fact& fact);
  bool was_reported(std::uint32_t event, trace::Verified verdict) const;
  static std::uint8_t bit_of(trace::Verified verdict) {
    return static_cast<std::uint8_t>(1U << static_cast<std::size_t>(verdict));
  }

  const Evidence& evidence_;
  std::uint64_t removals_ = 0;
  std::uint64_t cleared_ = 0;
  std::uint64_t returned_ = 0;
  std::uint64_t joined_after_all_ = 0;
  std::array<std::uint64_t, trace::kVerifiedVerdicts> verdicts_{};
  std::vector<std::uint8_t> reported_{};  // by click: bits of the verdicts counted
  LatencyHistogram time_{};
};

}  // namespace photon::analysis
