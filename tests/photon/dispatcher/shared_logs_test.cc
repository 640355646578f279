// Several workers divide the click logs: ownership, and what a worker that lost it can still do.

#include <numeric>

#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/leases/lease_epoch.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher/worker_team.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

void write(WorkerTeam& team, int clicks, std::uint16_t servers = 8) {
  for (int i = 0; i < clicks; ++i) team.write_click(static_cast<std::uint16_t>(i % servers));
}

using Shares = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("C-06 workers divide the logs evenly, each click is taken by one of them") {
  WorkerTeam team(3, 12);
  for (std::uint32_t i = 0; i < 3; ++i) team.start(i);
  team.run_for(3s);
  CHECK(team.shares() == Shares{4, 4, 4});
  write(team, 240, 24);
  team.run_for(5s);
  CHECK(team.finished.size() == 240);
  for (const auto& [click, joins] : team.joins) CHECK(joins == 1);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(team.worker(i).statistics().clicks_taken == 80);
}

TEST_CASE("C-06 a worker that joins gets its share, one that dies leaves it to the others") {
  WorkerTeam team(3, 12);
  team.start(0);
  team.start(1);
  team.run_for(30s);
  CHECK(team.shares() == Shares{6, 6});
  write(team, 120, 12);
  team.run_for(5s);
  CHECK(team.finished.size() == 120);

  team.start(2);
  team.run_for(30s);
  CHECK(team.shares() == Shares{4, 4, 4});
  CHECK(team.worker(0).statistics().released == 2);
  CHECK(team.worker(0).statistics().fenced == 0);  // a partition that was not released is not taken
  write(team, 120, 12);
  team.run_for(5s);
  CHECK(team.finished.size() == 240);
  for (const auto& [click, joins] : team.joins) CHECK(joins == 1);

  team.crash(1);
  write(team, 120, 12);
  team.run_for(30s);
  CHECK(team.shares() == Shares{6, 6});
  CHECK(team.finished.size() == 360);
}

TEST_CASE("C-06 the single live worker of many owns everything") {
  WorkerTeam team(4, 16);
  team.start(3);
  team.run_for(30s);
  CHECK(team.shares() == Shares{16});
}

// Two workers that try at the same time must differ, also where one of them has the first right.
TEST_CASE("C-06 the epoch of a partition names the worker that took it") {
  WorkerTeam team(4, 16);
  team.start(3);
  team.run_for(30s);
  for (std::uint32_t partition = 0; partition < 16; ++partition) {
    CHECK(LeaseEpoch(team.journal(partition).ownership.epoch).worker() == 3);
  }
}

TEST_CASE(
    "C-06 a worker that restarts takes its own partitions at once, without waiting for a lease") {
  WorkerTeam team(2, 4);
  team.config.lease = 60s;
  team.start(0);
  team.start(1);
  team.run_for(3s);
  team.crash(0);
  team.start(0);
  team.run_for(3s);
  CHECK(team.shares() == Shares{2, 2});
}

// The paper's stalled worker: everything that it had in flight reaches the cell long after another
// worker has taken over.
TEST_CASE(
    "C-06 pause beyond the lease, another takes over, resume: nothing lost, no offset moved") {
  WorkerTeam team(2, 2);
  team.config.lease = 6s;
  team.config.backoff = Backoff{1s, 2000, 8s, 100};
  team.start(0);
  team.start(1);
  team.run_for(2s);
  bool failing = true;
  team.joiner = [&](const EventId& click) -> std::optional<JoinOutcome> {
    if (failing && click.process % 5 == 0) return JoinOutcome::query_not_found;
    return JoinOutcome::joined;
  };
  write(team, 40, 2);
  team.run_for(200ms);  // clicks are sent, answers in flight, offsets not yet written
  const std::uint64_t before = team.offset(0);
  team.pause(0);  // with all that in flight
  write(team, 40, 2);
  team.run_for(30s);
  CHECK(team.worker(1).partitions_open(team.harness(1).now()) == 2);
  CHECK(team.offset(0) > before);
  const std::uint64_t offset = team.offset(0);
  const JournalState state = team.journal(0);
  CHECK_FALSE(team.unprotected_click().has_value());

  team.resume(0);
  std::size_t steps = 0;
  for (; team.worker(0).statistics().fenced == 0 && steps < 2000; ++steps) {
    REQUIRE(team.step(std::int64_t{1} << 60));
    // Neither an advance, which could lose clicks, nor a regress.
    REQUIRE(team.offset(0) >= offset);
    REQUIRE_FALSE(team.unprotected_click().has_value());
    REQUIRE(team.journal(0).ownership.epoch >= state.ownership.epoch);
  }
  CHECK(team.worker(0).statistics().fenced == 1);  // by an answer of the storage
  failing = false;
  team.run_for(60s);
  CHECK(team.finished.size() == 80);
  CHECK(team.shares() == Shares{1, 1});  // and gets its share again without help
  CHECK(team.journal(0).ownership.epoch > state.ownership.epoch);
}

TEST_CASE("C-06 J-S14 pauses, crashes and returns at every step lose no click") {
  for (std::uint64_t seed = 1; seed <= effort(60); ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, Purpose::test, 11);
    std::uint64_t draw = 0;
    WorkerTeam team(3, 6, seed);
    team.config.lease = 2s;
    team.config.state_save_period = 200ms;
    team.config.read_chunk = 512;
    team.config.backoff = Backoff{200ms, 2000, 2s, 100};
    team.config.send_timeout = 1s;
    team.config.compaction_slack = 1000;
    team.config.registry.lookup_deadline = 300ms;
    team.joiner = [&](const EventId&) -> std::optional<JoinOutcome> {
      const auto word = random.word(++draw) % 6;
      if (word == 0) return std::nullopt;
      return word < 3 ? JoinOutcome::query_not_found : JoinOutcome::joined;
    };
    std::vector<int> state(3, 0);  // 0 runs, 1 paused, 2 down
    for (std::uint32_t i = 0; i < 3; ++i) team.start(i);
    for (int round = 0; round < 40; ++round) {
      write(team, 6, 12);
      const auto worker = static_cast<std::uint32_t>(random.word(++draw) % 3);
      const bool crashes = random.word(++draw) % 2 == 0;
      if (state[worker] == 0 && crashes) {
        team.crash(worker);
        state[worker] = 2;
      } else if (state[worker] == 0) {
        team.pause(worker);
        state[worker] = 1;
      } else if (state[worker] == 1) {
        team.resume(worker);
        state[worker] = 0;
      } else {
        team.start(worker);
        state[worker] = 0;
      }
      team.run_for(Duration(static_cast<std::int64_t>(random.word(++draw) % 3'000'000'000)));
      const auto lost = team.unprotected_click();
      if (lost.has_value()) FAIL("click " << lost->process << " lost, round " << round);
    }
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (state[i] == 1) team.resume(i);
      if (state[i] == 2) team.start(i);
    }
    team.joiner = nullptr;
    team.run_for(60s);
    CHECK(team.finished.size() == team.written());
    CHECK(team.shares() == Shares{2, 2, 2});
    CHECK_FALSE(team.unprotected_click().has_value());
    for (std::uint32_t p = 0; p < 6; ++p) CHECK(team.journal(p).saved.empty());
  }
}

TEST_CASE(
    "C-06 a partition that leaves is not claimed again while a write to its journal is open") {
  WorkerTeam team(2, 2);
  team.config.lease = 30s;
  team.joiner = [](const EventId&) { return JoinOutcome::query_not_found; };
  team.start(0);
  team.run_for(82s);
  REQUIRE(team.shares() == Shares{2});
  bool open = true;
  std::uint32_t snapshots = 0;
  team.harness(0).io_fate = [&](const VolumeRequest& request) {
    const JournalState written = read_journal(request.data);
    if (open && !written.saved.empty()) return IoFate::lost;
    const FileName journal = partition_journal(kDispatcherPrefix, 1);
    if (view_of(request.file) != view_of(journal)) return IoFate::done;
    const RecordView head = view_record(request.data);
    const bool releases =
        request.operation == VolumeOperation::replace && head.status == RecordStatus::complete &&
        read_journal(std::span(request.data).first(head.size)).ownership.owner == kNoNode;
    if (!releases) return IoFate::done;
    ++snapshots;
    CHECK(written.ownership.owner == kNoNode);
    return IoFate::done;
  };
  team.start(1);
  team.run_for(15s);  // the latest claim is six seconds old, the next is due when it is ten
  write(team, 2, 2);
  team.run_for(20s);
  REQUIRE(team.worker(0).partition(1)->stage == Partition::Stage::leaving);
  open = false;
  team.run_for(5s);
  CHECK(team.worker(0).statistics().released == 1);
  CHECK(snapshots == 1);
}

// The joiners do not know that a partition has another owner: they continue for the requester.
TEST_CASE("C-06 C-33 J-S12 sends for a released partition stay under the sender's cap") {
  constexpr std::size_t kCap = 8;
  WorkerTeam team(2, 4);
  team.config.max_outstanding_sends = kCap;
  team.config.send_timeout = 60s;
  team.joiner = [](const EventId&) -> std::optional<JoinOutcome> { return std::nullopt; };
  team.start(0);
  team.run_for(30s);
  write(team, kCap);  // one of each server
  team.run_for(5s);
  write(team, 72);
  team.start(1);
  team.run_for(20s);
  REQUIRE(team.shares() == Shares{2, 2});
  REQUIRE(team.worker(0).statistics().released == 2);
  const auto asked_by_first = [&] {
    return std::ranges::count(team.asked, team.config.workers[0], &WorkerTeam::Asked::worker);
  };
  REQUIRE(asked_by_first() == kCap);  // not one more for what it released

  const std::vector<WorkerTeam::Asked> asked = team.asked;
  SECTION("until it is answered") {
    for (const WorkerTeam::Asked& each : asked) {
      if (each.worker != team.config.workers[0]) continue;
      const JoinReply reply{each.request, each.click, JoinOutcome::joined};
      team.finished.insert(each.click);
      team.harness(0).deliver(WorkerTeam::kJoiner, Body::make(reply));
    }
    team.run_for(1s);
    // It finishes none of the clicks that have another owner by now.
    CHECK(team.worker(0).statistics().stale_replies == kCap / 2);
    CHECK(team.harness(0).decided<trace::ClickDone>().size() == kCap / 2);
  }
  SECTION("until it is timed out") {
    team.run_for(45s);
    CHECK(team.worker(0).statistics().send_timeouts == kCap);
  }
  CHECK(asked_by_first() == 2 * kCap);
  team.joiner = nullptr;
  team.run_for(180s);
  CHECK(team.finished.size() == 80);
  CHECK(team.worker(0).pending() == 0);
}

TEST_CASE("C-06 C-20 a success after the time-out does not finish a click that was released") {
  constexpr std::size_t kClicks = 8;
  WorkerTeam team(2, 4);
  team.config.send_timeout = 1s;
  team.config.backoff.initial = 60s;
  team.config.backoff.cap = 60s;
  team.joiner = [](const EventId&) -> std::optional<JoinOutcome> { return std::nullopt; };
  team.start(0);
  team.run_for(30s);
  write(team, kClicks);  // two of each partition
  team.run_for(5s);
  REQUIRE(team.worker(0).statistics().send_timeouts == kClicks);
  team.start(1);
  team.run_for(20s);
  REQUIRE(team.shares() == Shares{2, 2});
  REQUIRE(team.asked.size() == kClicks);
  for (const WorkerTeam::Asked& each : std::vector(team.asked)) {
    const JoinReply reply{each.request, each.click, JoinOutcome::joined};
    team.harness(0).deliver(WorkerTeam::kJoiner, Body::make(reply));
  }
  team.run_for(1s);
  CHECK(team.worker(0).statistics().stale_replies == kClicks);
  CHECK(team.harness(0).decided<trace::ClickDone>().size() == kClicks / 2);
  CHECK(team.worker(0).pending() == 0);
  CHECK(team.worker(1).pending() == kClicks / 2);
}

TEST_CASE("C-06 during an outage of the cell no worker takes over a partition") {
  WorkerTeam team(2, 4);
  team.start(0);
  team.start(1);
  team.run_for(5s);
  const auto away = [](const VolumeRequest& request) {
    return request.volume == WorkerTeam::kCell ? IoFate::lost : IoFate::done;
  };
  for (std::uint32_t i = 0; i < 2; ++i) team.harness(i).io_fate = away;
  team.run_for(120s);
  CHECK(team.shares() == Shares{0, 0});  // a start could not be recorded: none is allowed
  for (std::uint32_t i = 0; i < 2; ++i) team.harness(i).io_fate = nullptr;
  write(team, 40);
  team.run_for(10s);
  CHECK(team.finished.size() == 40);
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(team.worker(i).statistics().fenced == 0);
    CHECK(team.worker(i).statistics().taken_over == 2);
  }
}
