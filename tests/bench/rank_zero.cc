// How many runs per second rank 0 of a cluster can take, and so how many ranks it can keep busy.
//
// Measures what rank 0 does for each run, with the runs of a results file: writes the scenario as
// text and sends it, decodes the result, and saves batches of results; and what a turn of its loop
// costs for each rank (RunPool::run), whatever arrives: it passes over all slots, and polls all
// channels. Then simulates the loop with these times: a closed system of ranks that run
// (exponential times) and one server, which in each turn takes all results that have arrived, saves
// what is waiting once a second, and gives the idle ranks their runs.
//
//   rank_zero RESULTS.sqlite SCENARIO.toml RUN_SECONDS [ROUNDS]
//
// RESULTS.sqlite is of `sweep --out` or `fuzz --out`; it is not changed. Medians of ROUNDS (9).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "analysis/results/result_store.h"
#include "campaigns/pool/child_process.h"
#include "campaigns/pool/cluster.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/run_spec.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "scenarios/language/loader.h"

namespace {

namespace analysis = photon::analysis;
namespace campaigns = photonsim::campaigns;
using analysis::CampaignIdentity;
using analysis::ResultStore;
using analysis::RunRecord;
using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "rank_zero: %s\n", why.c_str());
  std::exit(2);
}

double median_seconds(int rounds, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) {
    const auto began = Clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - began).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
  return seconds[static_cast<std::size_t>(rounds / 2)];
}

struct Stored {
  CampaignIdentity identity{};
  std::vector<RunRecord> runs{};
};

Stored stored_in(const std::string& file) {
  auto store = ResultStore::open(file);
  if (!store) refuse(store.error().message());
  auto all = store.assume_value().campaigns();
  if (!all) refuse(all.error().message());
  if (all.assume_value().empty())
    refuse(file + ": it holds no campaign; write one with sweep --out");
  Stored stored{all.assume_value().front().identity, {}};
  const auto read = store.assume_value().read(all.assume_value().front().key, [&](RunRecord run) {
    stored.runs.push_back(std::move(run));
  });
  if (!read) refuse(read.error().message());
  if (stored.runs.empty()) refuse(file + ": its campaign has no runs; let it run to its end");
  return stored;
}

// Seconds to save `count` new runs in one transaction into a file that holds some already.
double save_seconds(const Stored& stored, std::size_t count, int rounds) {
  const auto file = std::filesystem::path("rank_zero_scratch.sqlite");
  const auto remove = [&] {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
  };
  remove();
  double seconds = 0;
  {
    auto store = ResultStore::open(file.string());
    if (!store) refuse(store.error().message());
    std::uint64_t seed = 1'000'000;  // a seed that is stored already would not be written
    std::vector<RunRecord> batch;
    const auto renew = [&] {
      batch.clear();
      for (std::size_t i = 0; i < count; ++i) {
        batch.push_back(stored.runs[i % stored.runs.size()]);
        batch.back().seed = ++seed;
      }
    };
    std::vector<double> all;
    for (int i = 0; i < rounds; ++i) {
      renew();
      all.push_back(median_seconds(1, [&] {
        const auto saved = store.assume_value().append(stored.identity, batch);
        if (!saved) refuse(saved.error().message());
      }));
    }
    std::ranges::nth_element(all, all.begin() + rounds / 2);
    seconds = all[static_cast<std::size_t>(rounds / 2)];
  }
  remove();
  return seconds;
}

// Seconds of a turn of RunPool::run() with so many ranks at work, one of which has sent something.
double turn_seconds(int ranks, int rounds) {
  std::vector<campaigns::Cluster::Connection> connections;
  std::vector<int> peers;
  for (int i = 0; i < ranks; ++i) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
      refuse("too few open files for the channels; raise ulimit -n");
    }
    connections.push_back({ends[0], i + 1, "here"});
    peers.push_back(ends[1]);
  }
  campaigns::Cluster cluster(std::move(connections));
  const campaigns::PoolLimits limits;
  const auto slots = cluster.slots(limits);
  for (const auto& slot : slots) {
    if (!slot->begin({1, false, "a scenario"})) refuse("a channel takes no order");
  }
  campaigns::write_all(peers.back(), "x");
  constexpr int kTurns = 100;
  const double seconds = median_seconds(rounds, [&] {
    for (int i = 0; i < kTurns; ++i) {
      if (std::ranges::any_of(slots, [](const auto& slot) { return slot->is_idle(); })) {
        refuse("a rank has lost its run");
      }
      std::vector<int> channels;
      for (const auto& slot : slots) channels.push_back(slot->channel());
      if (campaigns::readable(channels).size() != 1) refuse("poll has lost a message");
      const auto now = campaigns::WallClock::now();
      for (const auto& slot : slots) {
        if (slot->is_late(now)) refuse("a rank is late");
      }
    }
  });
  for (const int each : peers) ::close(each);
  return seconds / kTurns;
}

struct Costs {
  double order = 0;      // scenario to text
  double message = 0;    // an order and a result through a socket
  double decode = 0;     // of a result
  double turn_base = 0;  // of one turn of the loop
  double turn_rank = 0;  // for each rank
  double commit = 0;     // of a batch
  double save_run = 0;   // in it
};

struct Load {
  double runs_per_second = 0;
  double busy_ranks = 0;  // share of their time
  double busy_rank_0 = 0;
};

// Ranks run, then wait for rank 0. In a turn it takes all results that have arrived when it polls,
// one after the other; once a second it saves what has come; then it gives each idle rank an order.
Load simulate(const Costs& costs, int ranks, double run_seconds, std::uint64_t seed) {
  const photon::RandomStream random(seed, photon::Purpose::benchmark, 0);
  const auto mean =
      std::chrono::duration_cast<photon::Duration>(std::chrono::duration<double>(run_seconds));
  std::uint64_t drawn = 0;
  double now = 0, busy = 0, worked = 0, saved = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends;
  const auto work = [&](double seconds) {
    now += seconds;
    busy += seconds;
  };
  const auto begin = [&] {
    const photon::Duration time = photon::exponential(random.word(drawn++), mean);
    const double run = std::chrono::duration<double>(time).count();
    worked += run;
    ends.push(now + run);
  };
  for (int i = 0; i < ranks; ++i) begin();
  worked = 0;  // so many runs are still going on at the end
  const int total = std::max(ranks * 20, 20'000);
  int done = 0, waiting = 0;
  while (done < total) {
    now = std::max(now, ends.top());
    work(costs.turn_base + costs.turn_rank * ranks);
    const double polled = now;
    int taken = 0;
    for (; !ends.empty() && ends.top() <= polled; ++taken) {
      ends.pop();
      work(costs.message / 2 + costs.decode);
    }
    done += taken;
    waiting += taken;
    if (now - saved >= 1.0) {
      work(costs.commit + costs.save_run * waiting);
      saved = now;
      waiting = 0;
    }
    for (int i = 0; i < taken; ++i) {
      work(costs.order + costs.message / 2);
      begin();
    }
  }
  return {done / now, worked / (now * ranks), busy / now};
}

Costs measure(const Stored& stored, const std::string& scenario, int rounds) {
  const auto loaded = photonsim::scenarios::load(scenario);
  if (!loaded) refuse(photonsim::scenarios::format(loaded.diagnostics()));
  std::string text;
  Costs costs;
  constexpr int kTimes = 100;
  costs.order = median_seconds(rounds,
                               [&] {
                                 for (int i = 0; i < kTimes; ++i)
                                   text = photonsim::scenarios::to_toml(loaded.config());
                               }) /
                kTimes;

  std::vector<photon::Bytes> encoded;
  std::size_t bytes = 0;
  for (const RunRecord& run : stored.runs) {
    campaigns::RunResult result;
    result.record = run;
    encoded.push_back(campaigns::encode_result(result));
    bytes += encoded.back().size();
  }
  const auto runs = static_cast<double>(stored.runs.size());
  costs.decode = median_seconds(rounds,
                                [&] {
                                  for (const auto& each : encoded) {
                                    if (!campaigns::decode_result(each))
                                      refuse("a result cannot be decoded");
                                  }
                                }) /
                 runs;

  // Both directions through the kernel, read by this process, too.
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) refuse("there is no socket");
  const int room = 4 << 20;
  for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
  std::vector<char> into(1 << 16);
  const auto pass = [&](std::string_view what) {
    for (std::size_t sent = 0; sent < what.size();) {
      const std::string_view piece = what.substr(sent, into.size());
      if (!campaigns::write_all(ends[0], piece)) refuse("the socket does not take it");
      for (std::size_t got = 0; got < piece.size();) {
        const ssize_t more = ::read(ends[1], into.data(), into.size());
        if (more <= 0) refuse("the socket gives nothing");
        got += static_cast<std::size_t>(more);
      }
      sent += piece.size();
    }
  };
  costs.message =
      median_seconds(rounds,
                     [&] {
                       for (const auto& each : encoded) {
                         pass(text);
                         pass({reinterpret_cast<const char*>(each.data()), each.size()});
                       }
                     }) /
      runs;
  for (const int end : ends) ::close(end);

  const double few = turn_seconds(10, rounds), many = turn_seconds(1000, rounds);
  costs.turn_rank = (many - few) / 990;
  costs.turn_base = std::max(few - 10 * costs.turn_rank, 0.0);
  const double one = save_seconds(stored, 1, rounds), batch = save_seconds(stored, 500, rounds);
  costs.save_run = (batch - one) / 499;
  costs.commit = std::max(one - costs.save_run, 0.0);
  std::printf("%zu runs; a result has %.0f bytes, an order %zu\n", stored.runs.size(),
              static_cast<double>(bytes) / runs, text.size());
  return costs;
}

void print(const Costs& costs, double run_seconds) {
  const auto micro = [](const char* what, double seconds) {
    std::printf("  %-42s %10.2f us\n", what, seconds * 1e6);
  };
  std::puts("rank 0, for each run:");
  micro("scenario to text", costs.order);
  micro("order and result through a socket", costs.message);
  micro("decoding the result", costs.decode);
  micro("saving, for each run", costs.save_run);
  micro("saving, for each batch (once a second)", costs.commit);
  std::puts("for each turn of its loop, which takes all results that have arrived:");
  micro("without ranks", costs.turn_base);
  micro("for each rank", costs.turn_rank);
  std::printf("\nruns of %g s (mean of an exponential distribution):\n", run_seconds);
  std::puts("  ranks     runs/s   ranks busy   rank 0 busy");
  for (const int ranks : {3, 10, 30, 100, 300, 1000, 3000, 10000}) {
    const Load load = simulate(costs, ranks, run_seconds, 1);
    std::printf("%7d %10.1f %10.1f %% %11.1f %%\n", ranks, load.runs_per_second,
                load.busy_ranks * 100, load.busy_rank_0 * 100);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) refuse("usage: rank_zero RESULTS.sqlite SCENARIO.toml RUN_SECONDS [ROUNDS]");
  const double run_seconds = std::atof(argv[3]);
  const int rounds = argc > 4 ? std::atoi(argv[4]) : 9;
  if (run_seconds <= 0 || rounds <= 0) refuse("RUN_SECONDS and ROUNDS must be above 0");
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  print(measure(stored_in(argv[1]), argv[2], rounds), run_seconds);
  return 0;
}
