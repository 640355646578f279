// J-P6: the retry of a click is not put off for ever by fresh traffic. A click in the retry store
// is asked for again - a look-up or a join is sent - within a bound that the deployment promises,
// from when it was asked for last: `retry_after`, the pause for the number of tries in the trace;
// `retry_time_limit`, in which an undisturbed dispatcher comes to a due click; and `retry_turn` for
// each click that may be due before it. The message states the bound. The due time that the
// dispatcher has saved makes the bound only shorter: then there is no pause left. A click that is
// finished meanwhile is not waited for. Faults suspend the obligation: the time counts anew from
// the end of the last one.
#pragma once

#include <queue>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class RetriesInTime final : public Oracle {
 public:
  explicit RetriesInTime(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // A click in the retry store.
  struct Waiting {
    LocalTime due{};  // as saved last
    // The start of the time limit: the last try, the first time that it was saved, or a new owner
    // of the journal.
    SimTime since{};
    SimTime due_at{};  // as saved, in true time, but not before that was durable
    SimTime next_examined = kNever;
    NodeId keeper{kNoNode};
    bool asked = false;    // since it was saved
    bool accused = false;  // of the present wait: reported once, however often it is saved
  };
  struct Deadline {
    SimTime at{};
    std::uint64_t key = 0;
    bool operator>(const Deadline& other) const {
      return std::tie(at, key) > std::tie(other.at, other.key);
    }
  };
  static std::uint64_t key_of(std::uint32_t click, std::uint32_t pipeline) {
    return (std::uint64_t{click} << 8U) | pipeline;
  }
  void on_asked(const Fact& fact, std::uint32_t pipeline);
  void on_saved(const Fact& fact, std::uint32_t pipeline);
  void forget(std::uint32_t click, std::uint32_t pipeline);
  void examine(const Fact& fact, std::uint64_t key);
  void examine_again(std::uint64_t key, Waiting& waiting, SimTime at);
  // Until when the click must be asked for, if there is no fault from `fault_free` on.
  SimTime limit(std::uint64_t key, const Waiting& waiting, SimTime fault_free) const;
  Duration bound(std::uint32_t pipeline) const;

  boost::unordered_flat_map<std::uint64_t, Waiting, Hasher> waiting_;
  std::vector<std::uint64_t> in_store_;  // the number of waiting clicks, by pipeline
  std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> deadlines_;
  static constexpr Interest kKinds[] = {trace::Kind::retry_saved, trace::Kind::retry_removed,
                                        trace::Kind::registry_ask, trace::Kind::join_ask};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
