// A process between the launcher and the program.
//
// Open MPI and Slurm end all ranks when one that they know dies. They know this one: it passes
// signals on, and the death of its program is no death of a rank. Open MPI's own way out,
// --enable-recovery, loses the exit code of rank 0.
#pragma once

#include <functional>
#include <optional>

namespace photonsim::cli {

// Returns twice. In the program: nothing; it calls `started` when all ranks are up. In the guard,
// when the program has ended: the code to exit with, that of the program if it is rank 0; of
// another rank 0, unless it ended before all ranks were up.
std::optional<int> guard_program(bool is_rank_0, std::function<void()>& started);

}  // namespace photonsim::cli
