// Runs in child processes of this one.
#pragma once

#include <memory>

#include "campaigns/pool/run_slot.h"

namespace photonsim::campaigns {

// `work` and `limits` must outlive it.
std::unique_ptr<RunSlot> make_local_slot(const PoolWork& work, const PoolLimits& limits);

}  // namespace photonsim::campaigns
