#include "cli/cluster/launch.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "campaigns/pool/rank_service.h"
#include "campaigns/runs/exit_codes.h"
#include "cli/cluster/guard.h"
#include "cli/cluster/sockets.h"

namespace photonsim::cli {
namespace {

constexpr int kSecondsToCall = 60;
constexpr std::array kSharedVerbs{std::string_view("sweep"), std::string_view("fuzz")};

std::unique_ptr<campaigns::Cluster>& cluster() {
  static std::unique_ptr<campaigns::Cluster> the_cluster;
  return the_cluster;
}

RankListener& listener() {
  static RankListener the_listener;
  return the_listener;
}

StartRanks& launcher() {
  static StartRanks the_launcher = nullptr;
  return the_launcher;
}

std::string offer_text() {
  const auto offer = listener().open();
  return offer ? offer->text() : std::string();
}

std::optional<int> number_in(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view word(text);
  int number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

using campaigns::kEnvironment, campaigns::kOk, campaigns::kUsage;

// Rank 0 alone speaks; the others end with the same code.
Launch refuse(int rank, int code, const std::string& why) {
  return {code, rank == 0 ? why : std::string()};
}

Launch serve(int rank, const std::string& word) {
  // Rank 0 ends the campaign, and its end ends the others.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
  const auto offer = Offer::parse(word);
  const int channel = offer ? call_rank_0(*offer, rank) : -1;
  if (channel < 0) {
    const std::string where = offer ? fmt::format("{}", fmt::join(offer->addresses, ", ")) : "";
    return {kEnvironment, fmt::format("rank {} cannot reach rank 0 at {}: open its machine's "
                                      "firewall to it, or start fewer ranks",
                                      rank, where)};
  }
  campaigns::serve_runs(channel);
  return {kOk, {}};
}

// "2/8" of --shard 2/8; empty: there is none.
std::string share_in(const Words& words) {
  constexpr std::string_view kOption = "--shard";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == kOption) return i + 1 < words.size() ? words[i + 1] : "?";
    if (word.starts_with("--shard=")) return words[i].substr(kOption.size() + 1);
  }
  return {};
}

// By the environment that launchers set, for the refusals before MPI is up.
int rank_by_environment() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const auto rank = number_in(name)) return *rank;
  }
  return 0;
}

}  // namespace

int launched_tasks() {
  // A batch script of Slurm has SLURM_NTASKS, too, and is one process.
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const auto tasks = number_in(name)) return *tasks;
  }
  return 1;
}

Launch launch(const Words& words, const std::string& version) {
  const int tasks = launched_tasks();
  const std::string share = share_in(words);
  // srun starts a shell in each task, which gives it a share of its own; mpirun one command line.
  const bool alone = !share.empty() && !number_in("OMPI_COMM_WORLD_SIZE");
  if (tasks <= 1 || alone) return {};
  const std::string verb = words.size() > 1 ? words[1] : "";
  if (std::ranges::find(kSharedVerbs, verb) == kSharedVerbs.end()) {
    return refuse(rank_by_environment(), kUsage,
                  fmt::format("`photonsim {}` is started as {} tasks, and each would do the whole "
                              "of it: start it once; sweep and fuzz share their runs among tasks",
                              verb, tasks));
  }
  if (launcher() == nullptr) {
    return refuse(
        rank_by_environment(), kEnvironment,
        fmt::format("this is one of {} tasks, and this photonsim is built without MPI, so "
                    "each would write the same results: build it with ./quickstart.sh "
                    "--with-mpi, or give each task a share (--shard I/N)",
                    tasks));
  }
  std::function<void()> all_are_up;
  if (const auto code = guard_program(rank_by_environment() == 0, all_are_up)) return {*code, {}};
  const std::string same_in_all = share.empty() ? version : version + " --shard " + share;
  const Started started = launcher()(same_in_all, offer_text);
  all_are_up();
  if (!started.error.empty()) return refuse(started.rank, kEnvironment, started.error);
  if (started.rank > 0) return serve(started.rank, started.word);
  if (started.word.empty()) return refuse(0, kEnvironment, listener().error());
  const auto others = static_cast<std::size_t>(started.ranks) - 1;
  auto connections = listener().accept(others, kSecondsToCall);
  if (!listener().error().empty()) return refuse(0, kEnvironment, listener().error());
  if (connections.empty()) return refuse(0, kEnvironment, "no other rank can be reached");
  Launch launched;
  if (connections.size() < others) {
    launched.complaint =
        fmt::format("{} of {} ranks have not called within {} s; the others do all runs",
                    others - connections.size(), others, kSecondsToCall);
  }
  cluster() = std::make_unique<campaigns::Cluster>(std::move(connections));
  return launched;
}

void install_launcher(StartRanks start) { launcher() = start; }

campaigns::Cluster* launched_cluster() { return cluster().get(); }

}  // namespace photonsim::cli
