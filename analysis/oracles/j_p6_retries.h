// J-P6: the retry of a click is not put off for ever by fresh traffic.
// A click whose saved due time has come is asked for again - a look-up or a join is sent - within a
// bound that the deployment promises: `retry_patience`, in which a dispatcher that nothing holds up
// comes to what is due, and `retry_turn` for each click that may be due before it. The bound is
// stated with the click. A click that is finished meanwhile is not waited for. Faults suspend the
// demand: it counts anew from the end of the last one.
#pragma once

#include <queue>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracle.h"

namespace photon::analysis {

class RetriesInTime final : public Oracle {
 public:
  RetriesInTime(const Evidence& evidence, ViolationLog& log) : Oracle("J-P6", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Waiting {
    LocalTime due{};
    SimTime since{};  // from when on it could have been asked for
    NodeId keeper{kNoNode};
  };
  struct Deadline {
    SimTime at{};
    std::uint64_t key = 0;
    SimTime since{};
    bool operator>(const Deadline& other) const { return at > other.at; }
  };
  static std::uint64_t key_of(std::uint32_t click, std::uint32_t pipeline) {
    return (std::uint64_t{click} << 8U) | pipeline;
  }
  void on_saved(const Fact& fact, std::uint32_t pipeline);
  void forget(std::uint32_t click, std::uint32_t pipeline);
  void look_at(const Fact& fact, const Deadline& deadline);
  Duration bound(std::uint32_t pipeline) const;

  boost::unordered_flat_map<std::uint64_t, Waiting, Hasher> waiting_;
  std::vector<std::uint64_t> in_store_;  // how many of them, by pipeline
  std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> deadlines_;
  static constexpr std::array kKinds = {trace::Kind::retry_saved, trace::Kind::retry_removed,
                                        trace::Kind::registry_ask, trace::Kind::join_ask};
};

}  // namespace photon::analysis
