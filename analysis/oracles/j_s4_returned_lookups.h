// J-S4, look-ups of clicks that verification has brought back (F-08, B-07).
// The record of a returned click states the slot in which the id was removed. A look-up that any
// replica may answer names that slot or a later one: the state before it still shows the id, and
// the dispatcher would take the click for joined.
//
// Only the first try of a life that has no other copy of the click is judged: from the read to the
// first save of the click, unless the pipeline kept the click already or the life reads it from
// another place too. The trace does not show which of several copies a look-up is about.
//
// Cannot see: whether the slot survives in the dispatcher's journal; and which answer another slot
// would have given (J-S13 checks servers against the slot that a question names).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class ReturnedLookups final : public Oracle {
 public:
  explicit ReturnedLookups(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // What a dispatcher has read of a click, in one life.
  struct Known {
    Incarnation life{};
    std::uint64_t removed_at = 0;  // 0: no slot that a look-up must name
  };

  void on_read(const Fact& fact, std::uint32_t pipeline);
  void on_lookup(const Fact& fact);
  const Return* returned(const trace::ClickRead& read, std::uint32_t click) const;
  static std::uint64_t reader_key(NodeId node, std::uint32_t click) {
    return (std::uint64_t{node.value()} << 32U) | click;
  }

  // By (dispatcher, click), for clicks that were brought back to its pipeline.
  boost::unordered_flat_map<std::uint64_t, Known, Hasher> known_;
  // Those that may still be judged, by (pipeline, click): the last reader.
  boost::unordered_flat_map<std::uint64_t, NodeId, Hasher> readers_;
  static constexpr Interest kKinds[] = {trace::Kind::click_read, sent(trace::Kind::registry_ask),
                                        trace::Kind::retry_saved};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
