// The mean over independent replications, with Student's interval.
//
// Replication/deletion (Law, Simulation Modeling and Analysis, 5th ed. 2015, section 9.5.2): every
// replication is one run with its own seed, its warm-up is deleted (warm_up.h), and it counts as
// one observation, its own mean. Observations inside a run are correlated and never counted singly.
//
// Assumption: the means of replications are about normal. Few replications of a skewed figure cover
// less than stated; the rates of rare events have an interval of their own (ratios.h).
#pragma once

#include <optional>
#include <span>

#include "analysis/statistics/interval.h"
#include "analysis/statistics/moments.h"

namespace photon::analysis {

// One number per replication. Below two replications there is no interval.
Estimate mean_of_replications(const Moments& replications, double confidence = kConfidence);
Estimate mean_of_replications(std::span<const double> replications,
                              double confidence = kConfidence);

// Half the interval as a part of the value's magnitude. Nothing without an interval, or of zero.
std::optional<double> relative_half_width(const Estimate& estimate);

}  // namespace photon::analysis
