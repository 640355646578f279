// J-P3: the backlog of a dispatcher that is back decreases, if it can do more than arrives.
// The backlog of a pipeline is the clicks that are readable there and were never asked for: no
// look-up or join was sent. It is checked window by window, each as long as an undisturbed
// dispatcher may need to come to a due click. A window is judged if no fault was in force in it,
// nor in the one before; if fewer clicks arrived in it than half of the deployment's certain
// capacity (`dispatch_rate`); and if the backlog at its beginning was larger than the arrivals and
// the clicks that may be under way. Then it must be smaller at its end.
// Clicks that verification removed and brought back are looked up before all others: those of a
// window and of the one before count as arriving in it. Other returned clicks wait until everything
// was asked for once, and exempt nothing.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class BacklogDecreases final : public Oracle {
 public:
  explicit BacklogDecreases(const OracleInput& input)
      : Oracle(input), pipelines_(config().pipelines.size()), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Pipeline {
    std::uint64_t readable = 0;  // clicks
    std::uint64_t asked = 0;     // of them, or damaged, or skipped by an operator
    SimTime began{};             // the window
    std::uint64_t backlog = 0;   // at its beginning
    std::uint64_t arrived = 0;   // readable at its beginning
    std::uint64_t returned = 0;  // removed and brought back in it
    std::uint64_t returned_before = 0;
  };

  void on_readable(const Fact& fact, std::uint32_t pipeline);
  void on_asked(const Fact& fact, std::uint32_t pipeline);
  void on_damaged(const Fact& fact, std::uint32_t pipeline);
  void on_skipped(const Fact& fact, std::uint32_t pipeline);
  bool counts(std::uint32_t click, std::uint32_t pipeline) const;
  void on_returned(const Fact& fact, std::uint32_t pipeline);
  void end_window(const Fact& fact, std::uint32_t pipeline);

  std::vector<Pipeline> pipelines_;
  // Clicks of a file that are readable, by (pipeline, file).
  boost::unordered_flat_map<std::uint64_t, std::size_t, Hasher> readable_;
  boost::unordered_flat_set<std::uint64_t, Hasher> damaged_;  // before it was asked for
  static constexpr Interest kKinds[] = {trace::Kind::log_visible,      trace::Kind::registry_ask,
                                        trace::Kind::join_ask,         trace::Kind::range_skipped,
                                        trace::Kind::click_reinjected, trace::Kind::input_damaged};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
