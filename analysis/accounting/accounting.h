// The identity that must add up (DESIGN 6, SPEC J.2):
//
//   generated = joined + lost{by class} + never_joinable{by reason} + borderline + pending
//
// Every click is in exactly one place, decided from the evidence at the end of the trace. The
// accounts remark on oddities; the oracles decide whether these are violations (J.2, J-P0,
// J-P4, D-08).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting/joiner_costs.h"
#include "analysis/evidence/event_text.h"
#include "analysis/evidence/join_facts.h"

namespace photon::analysis {

class Evidence;

enum class LossClass : std::uint8_t {
  crash,
  storage,
  bug,
  crossed_n,
  operator_skip,
  input,
  lost_reply,
  indeterminate,
  unclassified,  // a violation of J.2
};
inline constexpr std::size_t kLossClasses = 9;

enum class NeverJoinable : std::uint8_t { unjoinable, skipped, too_old, input_lost };
inline constexpr std::size_t kNeverJoinables = 4;

// Why a click is unjoinable.
enum class Unjoinable : std::uint8_t {
  empty_key,    // it names no query
  unknown_key,  // it names one that no log holds
  query_late,   // its query was not readable when the click was given up
};
inline constexpr std::array<std::string_view, 3> kUnjoinableNames{"empty_key", "unknown_key",
                                                                  "query_late"};
inline constexpr std::size_t kUnjoinables = kUnjoinableNames.size();

// The place of a click in the sum.
enum class Place : std::uint8_t { joined, lost, never_joinable, borderline, pending };
struct Fate {
  Place place = Place::pending;
  std::uint8_t cause = 0;                         // LossClass or NeverJoinable
  Unjoinable unjoinable = Unjoinable::empty_key;  // with NeverJoinable::unjoinable

  bool operator==(const Fate&) const = default;
};
std::string_view name_of(Place place);  // "joined", ...
// "L-crash", "too_old", "empty_key"; empty: none.
std::string_view cause_of(const Fate& fate);

// A class of loss, or a reason why a click is never joinable.
struct FateRow {
  std::string_view name;     // as in results: "L-crash", "too_old"
  std::string_view meaning;  // what happened to the click
  std::string_view advice;   // what to do about it
};
// In the order of the enumerations.
std::span<const FateRow, kLossClasses> loss_rows();
std::span<const FateRow, kNeverJoinables> never_joinable_rows();

std::string_view name_of(LossClass loss);        // "L-crash", ...
std::string_view name_of(NeverJoinable reason);  // "unjoinable", ...

// One lost click with what proves its class, for the report.
struct Loss {
  EventId click{};
  LossClass cause = LossClass::unclassified;
  Token token{};                    // under which it is registered; empty: it is not registered
  std::string process{};            // name of the process that sent this token; empty: none, ...
  Incarnation life{};               // ... and in which of its lives
  SimTime registered_at{};          // meaningless without a token
  SimTime crashed_at = kNever;      // when that life ended, if it ended inside the window (D-15)
  std::string evidence{};           // the same and more, as one sentence
  std::optional<EventName> name{};  // of the click, if it is a row of a user's log

  bool operator==(const Loss&) const = default;
};

// A click for which some oracle may report a violation at the end of a healed run.
struct Remark {
  enum class What : std::uint8_t {
    pending,            // it has not reached an end: J-P0
    lingers,            // finished, and still kept to be tried again: J-P0
    not_brought_back,   // by verification, although there was time: J-P4
    not_copied,         // joined, and not in the output of all pipelines: D-08
    lost_unclassified,  // no evidence explains the loss: J.2
  };
  std::uint32_t click = 0;  // index in the evidence
  What what = What::pending;
  std::string why{};  // one sentence; empty after the first kExplained of a kind
};

struct Accounting {
  std::uint64_t generated = 0;
  std::uint64_t joinable = 0;  // joined + lost + pending ones that could have been joined
  std::uint64_t joined = 0;
  std::array<std::uint64_t, kLossClasses> lost{};
  std::array<std::uint64_t, kNeverJoinables> never_joinable{};
  std::array<std::uint64_t, kUnjoinables> unjoinable{};  // of never_joinable, by reason
  std::uint64_t borderline = 0;
  std::uint64_t pending = 0;
  std::uint64_t pending_joinable = 0;
  std::vector<JoinerEndCost> joiner_ends{};  // in the order of the trace
  std::vector<Loss> losses{};                // the first kLossesKept, in order of generation

  std::vector<Remark> remarks{};  // in order of generation
  std::vector<Fate> fates{};      // by the index of the click in the evidence

  static constexpr std::size_t kLossesKept = 1000;
  static constexpr std::uint64_t kExplained = 100;

  std::uint64_t lost_total() const;
  std::uint64_t never_joinable_total() const;
  bool adds_up() const;
};

// Places every click, at the end of a trace.
Accounting account(const Evidence& evidence);

}  // namespace photon::analysis
