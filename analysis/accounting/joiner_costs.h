// The cost of the end of each joiner's life (D-15, D-20): every attempt that was in its window at
// that instant has exactly one outcome, and the clicks must agree with it.
//
// The window is counted at the end of the life, from sent registrations and durable outputs; the
// outcome of each attempt is known at the end of the run. So a click that is lost with a life
// without being in its window, or one that is forgotten, is a violation of J.2.
//
// Paper: Photon section 3.3.2; SPEC D-15, D-20, D-23, J.2.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/evidence/join_facts.h"

namespace photon::analysis {

class Evidence;

// The cost of the end of one life of a joiner: the attempts in its window, by their outcomes.
struct JoinerEndCost {
  JoinerEnd end{};
  // Clicks: L-crash; L-crossedN, L-indeterminate if it was too late or unsafe to return them.
  std::uint64_t lost = 0;
  std::uint64_t returned = 0;  // registered, not written, and the id removed from it by recovery
  std::uint64_t became_durable = 0;    // the append in flight became durable after all
  std::uint64_t never_registered = 0;  // its registration never took effect
  std::uint64_t charged = 0;           // clicks that are lost with it, by their fates
};

class JoinerCosts {
 public:
  explicit JoinerCosts(const Evidence& evidence);

  // A click that is lost in the accounts; charged to the life that died with it, if any.
  void charge(std::uint32_t click);
  // After all clicks: adds the outcomes of the attempts. The list is in the order of the trace.
  std::vector<JoinerEndCost> finish();

 private:
  void place(const Attempt& attempt);
  bool is_lost(const Attempt& attempt, const Click& click) const;

  const Evidence& evidence_;
  std::vector<JoinerEndCost> costs_{};
};

}  // namespace photon::analysis
