// Look-ups of the EventStore, tier by tier: what a cache node and the log file map cost, without a
// simulator around them.
//
//   lookups [QUERIES, thousands] [ROUNDS]
//
// QUERIES (1,000 thousand) of 64 streams are known; each round (9) looks all of them up once, in an
// order without pattern. Prints medians in nanoseconds of user time.
//   ring   the cache node that owns a query
//   hit    a cache node answers with a payload of 128 bytes
//   miss   a cache node does not have it
//   map    the pieces of log files that may hold a query, and whether the reader has passed it
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/photon/event_store/hash_ring.h"
#include "core_impl/photon/event_store/log_file_map.h"
#include "core_impl/photon/event_store/lru_cache.h"
#include "tests/bench/measure.h"

namespace {

using namespace photon;

constexpr std::uint32_t kStreams = 64;
constexpr Duration kGap = std::chrono::milliseconds(1);  // between two queries of a stream
constexpr std::uint64_t kRecordBytes = 200;

EventId query(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % kStreams), 1,
          Stamp(kGap * static_cast<std::int64_t>(number / kStreams + 1))};
}

// Visits all numbers below `count`, neighbours far apart: 7,368,787 is prime.
std::uint64_t scattered(std::uint64_t i, std::uint64_t count) { return i * 7'368'787 % count; }

class Tiers {
 public:
  explicit Tiers(std::uint64_t count)
      : count_(count), cache_(count * LruCache::charge(kPayload)), map_(MapSpacing{}) {
    const std::vector<std::byte> payload(kPayload);
    std::uint64_t entries = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      cache_.insert(query(i), PayloadView(payload));
      // An entry for every 50th query of a stream; a file for every stream.
      if (i / kStreams % 50 != 0) continue;
      map_.put({query(i), query(i).server, i / kStreams * kRecordBytes});
      ++entries;
    }
    std::printf("%llu queries in %.0f MiB of cache, %llu entries of the map\n",
                static_cast<unsigned long long>(count),
                static_cast<double>(cache_.memory_bytes()) / (1 << 20),
                static_cast<unsigned long long>(entries));
  }

  std::uint64_t ring(std::uint64_t i) { return ring_.owner_index(query(i)); }
  std::uint64_t hit(std::uint64_t i) {
    const auto payload = cache_.find(query(i));
    answer_.resize(payload->size());
    payload->write(answer_);
    return answer_.size();
  }
  std::uint64_t miss(std::uint64_t i) { return cache_.find(query(i + count_)) ? 1 : 0; }
  std::uint64_t map(std::uint64_t i) {
    map_.plan(query(i), pieces_);
    return pieces_.size() + (map_.has_passed(query(i)) ? 1 : 0);
  }

 private:
  static constexpr std::size_t kPayload = 128;
  static std::vector<NodeId> nodes() { return {NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}}; }

  std::uint64_t count_;
  HashRing ring_{nodes()};
  LruCache cache_;
  LogFileMap map_;
  std::vector<std::byte> answer_;
  PooledVector<LogPiece> pieces_;
};

struct Tier {
  const char* name;
  std::uint64_t (Tiers::*look_up)(std::uint64_t);
  std::vector<double> nanoseconds{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = 1000 * (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  if (count == 0 || rounds < 1) {
    std::fprintf(stderr, "usage: lookups [thousands of queries] [rounds]\n");
    return 2;
  }
  bench::print_load("before");
  Tiers tiers(count);
  std::vector<Tier> all{
      {"ring", &Tiers::ring}, {"hit", &Tiers::hit}, {"miss", &Tiers::miss}, {"map", &Tiers::map}};
  std::uint64_t sum = 0;  // so that no look-up is left out
  for (int round = 0; round < rounds; ++round) {
    for (Tier& tier : all) {
      const double begin = bench::user_seconds();
      for (std::uint64_t i = 0; i < count; ++i) {
        sum += std::invoke(tier.look_up, tiers, scattered(i, count));
      }
      tier.nanoseconds.push_back(1e9 * (bench::user_seconds() - begin) /
                                 static_cast<double>(count));
    }
  }
  for (const Tier& tier : all) {
    std::printf("%-5s %7.1f ns a look-up\n", tier.name, bench::median(tier.nanoseconds));
  }
  std::printf("digest %016llx; peak %.0f MiB\n", static_cast<unsigned long long>(mix(sum)),
              static_cast<double>(bench::peak_bytes()) / (1 << 20));
  bench::print_load("after");
  return 0;
}
