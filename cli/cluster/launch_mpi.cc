// The only door to MPI.
#include "cli/cluster/launch_mpi.h"

#include <string>
#include <vector>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <fmt/format.h>

namespace photonsim::cli {

Started start_ranks_by_mpi(const std::string& version, std::string (*offer)()) {
  // Its end finalizes MPI: what happens to a rank later is no business of the others.
  const boost::mpi::environment environment;
  const boost::mpi::communicator world;
  Started started{.rank = world.rank(), .ranks = world.size()};
  if (started.ranks <= 1) {
    started.error = fmt::format(
        "this is one of {} tasks, and MPI knows nothing of the others: start them with mpirun of "
        "the Open MPI that photonsim is built with, or with srun --mpi=pmix",
        launched_tasks());
    started.rank = 0;
    return started;
  }
  std::vector<std::string> versions;
  boost::mpi::all_gather(world, version, versions);
  for (int rank = 0; rank < started.ranks; ++rank) {
    const std::string& other = versions[static_cast<std::size_t>(rank)];
    if (other == versions.front()) continue;
    started.error = fmt::format(
        "rank {} runs {} and rank 0 {}: install the same program on all machines, and start one "
        "command",
        rank, other, versions.front());
    return started;
  }
  if (started.rank == 0) started.word = offer();
  boost::mpi::broadcast(world, started.word, 0);
  return started;
}

}  // namespace photonsim::cli
