// The registry thread as group commit with one outstanding transaction (SPEC G-10, G-11, G-12).
//
// Operations arrive as a Poisson process. The thread takes those that wait, up to the batch limit,
// into one transaction, which takes a constant commit latency L; at its end it takes the next ones.
// It never waits for more: an idle thread begins a transaction with the operation that arrives.
// In Kendall's names, M / D^[1,B] / 1.
//
// Assumptions: one transaction outstanding; L does not depend on the batch; only operations that a
// transaction carries are counted, but look-ups that go through the queue take part in the batch
// limit; no limit of bytes; a shard of n gets an n-th of the arrivals. The server's own operations
// (boundary, collection) are arrivals too: they matter only for small batch limits near saturation.
#pragma once

#include <cstdint>
#include <optional>

namespace photon::analysis::theory {

struct CommitLoad {
  double arrivals_per_second = 0;  // at one shard
  double commit_seconds = 0;       // L

  // a, the mean number that arrives during a transaction.
  double arrivals_per_commit() const { return arrivals_per_second * commit_seconds; }
};

struct CommitMeans {
  double transactions_per_second = 0;
  double batch_mean = 1;     // operations of a transaction; 1 in the limit of no load
  double busy_fraction = 0;  // of the time, a transaction is outstanding
  double delay_seconds = 0;  // from the arrival of an operation to the end of its transaction
};

// Without a batch limit: exact, by renewal at the ends of transactions. What waits there arrived
// during the transaction, so the next one follows at once but for a pause of mean 1 / lambda, which
// has probability e^-a:
//   transactions/s = 1 / (L + e^-a / lambda)      1 / L under load (G-10)
//   batch          = a + e^-a                     lambda L under load (G-10)
//   delay          = L + busy L / 2               L at no load, 1.5 L under load (G-12)
// Stable under every load. Nothing unless arrivals >= 0 and L > 0 are finite.
std::optional<CommitMeans> group_commit_means(const CommitLoad& load);

// The quantile of that delay: an arrival at an idle thread takes L, the others L and the rest of
// the transaction in flight, which is uniform in [0, L]. Also nothing unless `fraction` is in
// [0, 1).
std::optional<double> group_commit_delay_quantile_seconds(const CommitLoad& load, double fraction);

// With at most `batch_max` operations in a transaction; batch_max = 1 is M/D/1. Exact, by
// bulk_service.h and Little's law: with Y operations left waiting when a transaction begins,
// delay = L + busy (E[Y] + a / 2) / lambda. Nothing also when unstable: a >= batch_max.
std::optional<CommitMeans> group_commit_means(const CommitLoad& load, std::uint32_t batch_max);

// The quantile of that delay (commit_delay.h). Nothing also less than 2e-5 from saturation, where
// the transform would need more than 2^22 points.
std::optional<double> group_commit_delay_quantile_seconds(const CommitLoad& load,
                                                          std::uint32_t batch_max, double fraction);

// Operations per second above which no steady state exists, B / L (G-11 for B = 1). Nothing unless
// L > 0 is finite and batch_max > 0.
std::optional<double> group_commit_saturation_per_second(double commit_seconds,
                                                         std::uint32_t batch_max);

}  // namespace photon::analysis::theory
