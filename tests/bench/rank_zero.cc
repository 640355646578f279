// How many runs per second rank 0 of a cluster can take, and so how many ranks it can keep busy.
//
// Measures what rank 0 does for each run, with the runs of a results file: writes the scenario as
// text and sends it, polls as many channels as there are ranks, decodes the result, and saves
// batches of results. Then simulates the scheduler with these times: a closed system of ranks that
// run (exponential times) and one server, which saves all waiting results once a second.
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

// Seconds of one poll() over so many channels of which one has data.
double poll_seconds(int ranks, int rounds) {
  std::vector<int> channels;
  std::vector<int> peers;
  for (int i = 0; i < ranks; ++i) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
      refuse("too few open files for the channels; raise ulimit -n");
    }
    channels.push_back(ends[0]);
    peers.push_back(ends[1]);
  }
  campaigns::write_all(peers.back(), "x");
  constexpr int kPolls = 100;
  const double seconds = median_seconds(rounds, [&] {
    for (int i = 0; i < kPolls; ++i) {
      if (campaigns::readable(channels).size() != 1) refuse("poll has lost a message");
    }
  });
  for (const int each : channels) ::close(each);
  for (const int each : peers) ::close(each);
  return seconds / kPolls;
}

struct Costs {
  double order = 0;    // scenario to text
  double message = 0;  // an order and a result through a socket
  double decode = 0;   // of a result
  double poll_base = 0;
  double poll_rank = 0;
  double commit = 0;    // of a batch
  double save_run = 0;  // in it
};

struct Load {
  double runs_per_second = 0;
  double busy_ranks = 0;  // share of their time
  double busy_rank_0 = 0;
};

// Ranks run, then wait for rank 0, which takes one result and gives one order at a time. Once a
// second it saves what has come, and no rank is served meanwhile.
Load simulate(const Costs& costs, int ranks, double run_seconds, std::uint64_t seed) {
  const photon::RandomStream random(seed, photon::Purpose::benchmark, 0);
  const auto mean =
      std::chrono::duration_cast<photon::Duration>(std::chrono::duration<double>(run_seconds));
  std::uint64_t drawn = 0;
  const auto draw = [&] {
    const photon::Duration time = photon::exponential(random.word(drawn++), mean);
    return std::chrono::duration<double>(time).count();
  };
  std::priority_queue<double, std::vector<double>, std::greater<>> ends;
  for (int i = 0; i < ranks; ++i) ends.push(draw());
  const double service =
      costs.order + costs.message + costs.decode + costs.poll_base + costs.poll_rank * ranks;
  const int total = std::max(ranks * 20, 20'000);
  double now = 0, busy = 0, worked = 0, saved = 0;
  int waiting = 0;
  for (int done = 0; done < total; ++done) {
    now = std::max(now, ends.top());
    ends.pop();
    now += service;
    busy += service;
    ++waiting;
    if (now - saved >= 1.0) {
      const double save = costs.commit + costs.save_run * waiting;
      now += save;
      busy += save;
      saved = now;
      waiting = 0;
    }
    const double run = draw();
    worked += run;
    ends.push(now + run);
  }
  return {total / now, worked / (now * ranks), busy / now};
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

  const double few = poll_seconds(10, rounds), many = poll_seconds(1000, rounds);
  costs.poll_rank = (many - few) / 990;
  costs.poll_base = std::max(few - 10 * costs.poll_rank, 0.0);
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
  micro("poll, without ranks", costs.poll_base);
  micro("poll, for each rank", costs.poll_rank);
  micro("saving, for each run", costs.save_run);
  micro("saving, for each batch (once a second)", costs.commit);
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
