// J-P14: a master sends heartbeats to all (B-11, B-19). While its ballot lasts, it sends a
// heartbeat or values to every other replica of its group at least once in a heartbeat and a half,
// and the time for which requests may keep it busy. Values for one replica that lags are no
// heartbeat for the others: their leases run out, and they stand for election although no fault has
// come between.
//
// With J-P10 this is the price of a mastership: as long as messages arrive, nothing ends it but a
// hand-over, a crash or a higher ballot.
//
// Judged whenever the master sends anything under the ballot. A pause of its process counts from
// its end. Before a round that the runtime recalls (trace::Recalled) are others that are not in the
// trace: nothing is judged there.
//
// Cannot see: that a master falls silent for ever. Its followers then elect another one (J-P10).
//
// Cost: O(replicas) at each moment in which a master sends.
#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Heartbeats final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  struct Heard {
    NodeId replica{};
    SimTime last{};  // when the master sent it something
  };
  struct Master {
    Incarnation life{};
    std::uint64_t ballot = 0;
    SimTime judged{};  // up to this moment
    SimTime paused_until{};
    boost::container::small_vector<Heard, 4> others{};
  };

  void on_sent(const Fact& fact, std::uint64_t ballot);
  void judge(const Fact& fact, Master& master);

  DenseTable<NodeId, Master> masters_;
};

}  // namespace photon::analysis
