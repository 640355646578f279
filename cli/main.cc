#ifdef PHOTONSIM_WITH_MPI
#include "cli/cluster/launch_mpi.h"
#endif
#include "cli/huge_pages.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  photonsim::cli::restart_with_huge_pages(argv);
#ifdef PHOTONSIM_WITH_MPI
  photonsim::cli::install_launcher(photonsim::cli::start_ranks_by_mpi);
#endif
  return photonsim::cli::run_program(argc, argv);
}
