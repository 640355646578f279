// The identity that must add up (DESIGN 6, SPEC J.2):
//
//   generated = joined + lost{by class} + never_joinable{by reason} + borderline + pending
//
// Every click is in exactly one place, decided from the evidence at the end of the trace. What the
// accounts find odd they remark; whether it is a violation the oracles say (J.2, J-P0, J-P4, D-08).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting/joiner_costs.h"
#include "analysis/evidence/evidence.h"

namespace photon::analysis {

enum class LossClass : std::uint8_t {
  crash,    // L-crash: registered, then the joiner's life ended before its output was durable
  storage,  // L-storage: durable output lost by storage, and not joined once more
  bug,      // L-bug: injected post-commit bug (cannot occur yet)
  // L-crossedN: too old when a pipeline that was held up came to it, or before verification, held
  // up by faults, could bring it back.
  crossed_n,
  operator_skip,  // L-operator: passed over by an operator who began without state (C-32)
  input,          // L-input: the click or its query cannot be read in any copy
  // L-reply: registered, the answer was lost or late, and the repetition was taken for somebody
  // else's. Only where registrations are repeated without their tokens; anywhere else it is a
  // violation (J-L1).
  lost_reply,
  // L-unprovable: as L-crash, where verification would have brought it back; but storage has lost
  // records of that life's output, and verification has said that it might have been among them.
  // The life may go on: a copy of an insert that was refused can come late and take a free id.
  unprovable,
  unclassified,  // no evidence explains it: a violation
};
inline constexpr std::size_t kLossClasses = 9;
std::string_view name_of(LossClass loss);  // "L-crash", ...

enum class NeverJoinable : std::uint8_t { unjoinable, skipped, too_old, input_lost };
inline constexpr std::size_t kNeverJoinables = 4;
std::string_view name_of(NeverJoinable reason);  // "unjoinable", ...

// One lost click with what proves its class, for the report.
struct Loss {
  EventId click{};
  LossClass cause = LossClass::unclassified;
  Token token{};                // under which it is registered; empty: it is not registered
  NodeId node{kNoNode};         // the process that sent this token, ...
  Incarnation life{};           // ... and in which of its lives
  SimTime registered_at{};      // meaningless without a token
  SimTime crashed_at = kNever;  // when that life ended, if it ended inside the window (D-15)
  std::string evidence{};       // the same and more, as one sentence

  bool operator==(const Loss&) const = default;
};

// A click of which some oracle may demand more at the end of a healed run.
struct Remark {
  enum class What : std::uint8_t {
    pending,            // it has not come to its end: J-P0
    lingers,            // finished, and still kept to be tried again: J-P0
    not_brought_back,   // by verification, although there was time: J-P4
    not_copied,         // joined, and not in the output of all pipelines: D-08
    lost_unclassified,  // no evidence explains the loss: J.2
  };
  std::uint32_t click = 0;  // index in the evidence
  What what = What::pending;
  std::string why{};  // one sentence; empty behind the first kExplained of a kind
};

struct Accounting {
  std::uint64_t generated = 0;
  std::uint64_t joinable = 0;  // joined + lost + pending ones that could have been joined
  std::uint64_t joined = 0;
  std::array<std::uint64_t, kLossClasses> lost{};
  std::array<std::uint64_t, kNeverJoinables> never_joinable{};
  std::uint64_t borderline = 0;
  std::uint64_t pending = 0;
  std::uint64_t pending_joinable = 0;
  std::vector<JoinerEndCost> joiner_ends{};  // in the order of the trace
  std::vector<Loss> losses{};                // the first kLossesKept, in order of generation

  std::vector<Remark> remarks{};  // in order of generation

  static constexpr std::size_t kLossesKept = 1000;
  static constexpr std::uint64_t kExplained = 100;

  std::uint64_t lost_total() const;
  std::uint64_t never_joinable_total() const;
  bool adds_up() const;
};

// Places every click, at the end of a trace.
Accounting account(const Evidence& evidence);

}  // namespace photon::analysis
