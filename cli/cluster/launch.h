// A program that mpirun or srun started as several ranks: rank 0 executes the command, and the
// others execute its runs.
//
// MPI starts the ranks, numbers them and carries one message: where rank 0 listens. Runs go over
// TCP (sockets.h), because MPI ends all ranks when one dies; so do launchers, whose processes
// therefore only guard those that work (guard.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/pool/cluster.h"

namespace photonsim::cli {

// The command line's part: the program's name and what follows it.
using Words = std::vector<std::string>;

// Tasks that the launcher of this process started, by its environment; 1: none did, or one.
int launched_tasks();

struct Launch {
  std::optional<int> exit_code{};  // the program ends: an error, or a rank that has done its work
  std::string complaint{};         // to be said by this rank; may be empty
};
// To be called once, before the command. Does nothing for one task, or for tasks of srun that each
// have a share of their own (--shard). All ranks of mpirun must have one `version` and one share.
Launch launch(const Words& words, const std::string& version);

// Of rank 0: the other ranks; null: there are none.
campaigns::Cluster* launched_cluster();

// What MPI does for it.
struct Started {
  int rank = 0;
  int ranks = 1;
  std::string word{};   // rank 0's, at every rank
  std::string error{};  // why the ranks cannot work together
};
// `offer` is called at rank 0 alone. All ranks must have the same `version`.
using StartRanks = Started (*)(const std::string& version, std::string (*offer)());
// Installs it (launch_mpi.h); without it, launch() refuses to be one of several tasks.
void install_launcher(StartRanks start);

}  // namespace photonsim::cli
