// Worker processes: their answers arrive whole, where their memory lies, and how they end.
#include "campaigns/pool/worker.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core_impl/base/codec.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::campaigns::testing {
namespace {

using Kind = WorkerRequest::Kind;

photon::Bytes encoded(const SeenRun& seen) {
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(seen);
  return bytes;
}

// What the worker saw; if it died, how.
SeenRun seen_by(Worker& worker, std::uint64_t number, const Watched& watched = {}) {
  SeenRun seen;
  const auto bytes = worker.ask_and_wait({number, Kind::compare, watched});
  if (!bytes) {
    seen.early_end = worker.death();
    return seen;
  }
  photon::Decoder decode(std::span<const std::byte>(bytes->data(), bytes->size()));
  decode(seen);
  REQUIRE(decode.ok());
  return seen;
}

constexpr std::uint64_t kNoLimit = 0;

}  // namespace

TEST_CASE("J-S17 an order that depends on addresses differs in a scattered worker") {
  if (photon::testing::kSanitized) return;  // it frees nothing that it has allocated
  // Objects in the order of their addresses: in one process possibly the order of creation.
  const auto by_address = [](std::size_t size) {
    std::vector<std::unique_ptr<char[]>> things;
    for (int i = 0; i < 100; ++i) things.push_back(std::make_unique<char[]>(size));
    std::vector<std::size_t> order(things.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) {
      return reinterpret_cast<std::uintptr_t>(things[i].get());
    });
    SeenRun seen;
    seen.fingerprint = fmt::format("{}", fmt::join(order, ","));
    seen.events = order.size();
    seen.watched = {seen.fingerprint};
    return seen;
  };
  for (const std::size_t size : {24U, 200U, 1000U}) {
    CAPTURE(size);
    const auto here = [&](const Watched&) { return by_address(size); };
    Worker elsewhere([&](const WorkerRequest&) { return encoded(here({})); }, Layout::scattered,
                     kNoLimit);
    const Replay there = [&](const Watched& watched) { return seen_by(elsewhere, 1, watched); };
    CHECK_THAT(difference(here({}), here, there),
               Catch::Contains("this run diverged in its rerun") &&
                   Catch::Contains("the first event that differs: "));
  }
}

TEST_CASE("J-S17 a worker answers one request after the other; if it dies, another one continues") {
  const SeenRun seen{7,          "f", std::string(1'000'000, 's'), "a check", {{1, "p"}, {2, "q"}},
                     {"one", ""}};
  const pid_t mine = ::getpid();
  Worker elsewhere(
      [&](const WorkerRequest& request) {
        if (request.number == 3) ::raise(SIGKILL);
        if (request.number == 4) throw std::runtime_error("thrown by a test");
        SeenRun reported = seen;
        reported.events = request.number;
        if (::getpid() == mine) reported.fingerprint = "here";
        const Watched& watched = request.watched;
        if (watched) reported.fingerprint = fmt::format("{}+{}", watched->first, watched->count);
        return encoded(reported);
      },
      Layout::scattered, kNoLimit);
  for (const std::uint64_t run : {std::uint64_t{1}, ~std::uint64_t{0}}) {
    const SeenRun reported = seen_by(elsewhere, run);
    CHECK(reported.events == run);
    CHECK(reported.fingerprint == "f");
    CHECK(reported.summary == seen.summary);
    CHECK(reported.early_end == "a check");
    REQUIRE(reported.points.size() == 2);
    CHECK(reported.points[1].fingerprint == "q");
    CHECK(reported.watched == seen.watched);
  }
  CHECK(seen_by(elsewhere, 3).early_end == "its process died of signal 9 (Killed)");
  CHECK(seen_by(elsewhere, 4).early_end == "its process ended with code 70");
  CHECK(seen_by(elsewhere, 5, scenarios::WatchedRange{8, 9}).fingerprint == "8+9");
  // Its death in what is harmless here is a difference.
  const auto here = [&](const Watched&) { return seen; };
  CHECK_THAT(difference(seen, here,
                        [&](const Watched& watched) { return seen_by(elsewhere, 3, watched); }),
             Catch::Contains("here: a check; there: its process died of signal 9"));
}

TEST_CASE("a worker in which an allocation fails ends at once, also where no exception may pass") {
  if (photon::testing::kSanitized) return;
  Worker worker(
      [](const WorkerRequest& request) {
        const auto grow = [&]() noexcept {
          const std::vector<char> large(request.number << 30);
          return large.size();
        };
        return photon::Bytes(grow() > 0 ? 1 : 2);
      },
      Layout::usual, std::uint64_t{1} << 30);
  CHECK_FALSE(worker.ask_and_wait({2, Kind::run, {}}));
  CHECK(worker.out_of_memory());
  CHECK(worker.ask_and_wait({0, Kind::run, {}}));
  CHECK_FALSE(worker.out_of_memory());
}

}  // namespace photonsim::campaigns::testing
