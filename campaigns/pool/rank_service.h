// What a rank other than 0 does: it executes the runs that rank 0 sends, one at a time, in child
// processes of its own (cluster.h).
#pragma once

namespace photonsim::campaigns {

// Returns when the channel to rank 0 ends; a run under way is then killed.
void serve_runs(int channel);

}  // namespace photonsim::campaigns
