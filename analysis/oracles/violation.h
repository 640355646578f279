// Findings of the oracles, as values (DESIGN 8: never aborts).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/evidence/describe.h"
#include "analysis/evidence/event_text.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

enum class Severity : std::uint8_t {
  safety,    // exit code 3
  liveness,  // exit code 4: a click is stuck
};

struct Violation {
  std::string oracle{};  // SPEC name of the invariant: "J-S1", "J.2", "J-P0"
  Severity severity = Severity::safety;
  SimTime at{};
  NodeId node{kNoNode};
  EventId event{};
  std::string message{};            // the observation with its evidence, in one sentence
  std::string process{};            // name of `node`; empty without one
  std::optional<EventName> name{};  // of the event, if it is a row of a user's log

  bool operator==(const Violation&) const = default;
};

// Keeps the first kKeptPerOracle findings of each oracle and counts all of them.
class ViolationLog {
 public:
  static constexpr std::size_t kKeptPerOracle = 20;

  void add(Violation violation);

  const std::vector<Violation>& kept() const { return kept_; }
  std::uint64_t total() const { return total_; }
  std::uint64_t total(Severity severity) const;
  // Findings of one oracle, also of those that were not kept.
  std::uint64_t count(std::string_view oracle) const;

 private:
  std::vector<Violation> kept_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::uint64_t total_ = 0;
  std::uint64_t liveness_ = 0;
};

}  // namespace photon::analysis
