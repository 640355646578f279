// The distribution of the wait of an operation in group commit with a batch limit.
//
// An operation that arrives when a part v of the transaction in flight is over finds Y + N(v)
// operations before it: those left over when the transaction began, and the arrivals since. It
// waits for the rest of the transaction and for floor((Y + N(v)) / B) full ones:
//   wait = (1 - v) + floor((Y + N(v)) / B),  in units of the commit latency.
// An arrival during a transaction sees v uniform in [0, 1] (PASTA). With
// I(x, k) = integral over v from 0 to x of P(Y + N(v) >= k),
//   P(wait > m + s) = I(1 - s, m B) + I(1, (m + 1) B) - I(1 - s, (m + 1) B),  0 <= s < 1.
#pragma once

#include <cstdint>
#include <vector>

namespace photon::analysis::theory {

class CommitDelay {
 public:
  // `left_over`: P(Y = n), from left_over.h; outlives this object. Requires batch_max > 0.
  CommitDelay(double arrivals_per_commit, std::uint32_t batch_max,
              const std::vector<double>& left_over)
      : arrivals_(arrivals_per_commit), batch_max_(batch_max), left_over_(left_over) {}

  // P(wait > commits) of an operation that arrives during a transaction. Requires commits >= 0.
  double wait_tail(double commits) const;

 private:
  double arrivals_;
  std::uint32_t batch_max_;
  const std::vector<double>& left_over_;
};

}  // namespace photon::analysis::theory
