// The exponential decay of the tails of queues with constant service.
//
// Source: H. Tijms, A First Course in Stochastic Models (2003), section 9.2, and for M/D/c 9.6.
#pragma once

namespace photon::analysis::theory {

// The positive root y of load (e^y - 1) = y. In M/D/1 the wait's tail falls by e^-y per service
// time; in M/D/c and in bulk service (batches up to c), the queue's by e^-y per customer. Requires
// 0 < load < 1.
double tail_decay(double load);

}  // namespace photon::analysis::theory
