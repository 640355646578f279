// Random histories of several clients on one shard under crashes, cuts, loss and duplication.
#include <map>
#include <set>
#include <vector>

#include "tests/photon/registry/registry_cluster.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;
using testing::ClusterOptions;
using testing::RegistryCluster;

struct Asked {
  std::uint32_t user;
  std::uint64_t tag;
  EventId id;
  Token token;  // empty: a read
  RegistryOperation operation;
};

class History {
 public:
  struct Setting {
    LookupMode lookup_mode = LookupMode::queue_ordered;
    std::uint32_t pipeline_depth = 1;
  };
  History(std::uint64_t seed, std::uint32_t replicas, const Setting& setting)
      : cluster_(options(seed, replicas, setting)) {}

  // What the histories covered; a campaign that covers nothing proves nothing.
  struct Coverage {
    std::size_t elections = 0;
    std::size_t lost_races = 0;
    std::size_t too_old = 0;
    std::size_t unknown_lookups = 0;
    std::size_t found = 0;
    std::size_t collected = 0;
    std::size_t repeated_wins = 0;  // inserted by a retry after the first attempt had won
    std::size_t cleared = 0;        // tokens
    std::size_t removed = 0;        // ids, by the recovery delete
    std::size_t tokens_read = 0;
    std::size_t overlaps = 0;  // batches proposed while another one was in flight
    std::size_t aside = 0;     // look-ups outside the queue
    std::size_t restored = 0;  // states taken from a snapshot
    std::size_t admitted = 0;  // new disks that replace lost ones
  };

  void run(Coverage& coverage) {
    auto& world = cluster_.world();
    world.set_faults(50, 100);
    for (int step = 0; step < 150; ++step) {
      world.run_for(Duration(static_cast<std::int64_t>(world.draw(60'000'000))));
      const std::uint64_t choice = world.draw(20);
      if (choice == 0) disturb();
      if (choice == 1) recover();
      if (choice == 2 && world.draw(3) == 0) lose_disk();
      ask();
    }
    world.set_faults(0, 0);
    recover();
    for (const Asked& asked : asked_) judge(asked, cluster_.wait(asked.user, asked.tag));
    world.run_for(10s);
    judge_end();
    count(coverage);
  }

 private:
  static ClusterOptions options(std::uint64_t seed, std::uint32_t replicas,
                                const Setting& setting) {
    ClusterOptions options;
    options.lookup_mode = setting.lookup_mode;
    options.server.consensus.config.pipeline_depth = setting.pipeline_depth;
    options.world.seed = seed;
    options.replicas = replicas;
    options.users = 3;
    options.server.thread.max_batch_operations = 4;
    options.server.gc_age = 6s;
    options.server.boundary_period = 500ms;
    options.server.collect_period = 500ms;
    options.server.collect_slice = 1s;
    options.server.collect_limit = 3;
    options.server.consensus.snapshot_min_bytes = 2'000;
    options.server.consensus.snapshot_factor = 1;
    options.server.consensus.snapshot_chunk_bytes = 256;
    return options;
  }

  void disturb() {
    auto& world = cluster_.world();
    const auto replica = static_cast<std::uint32_t>(world.draw(cluster_.replicas()));
    const NodeId id = cluster_.server_id(replica);
    if (world.draw(2) == 0) {
      world.cut(id);
    } else if (world.alive(id)) {
      world.crash(id);
    }
  }

  // Of a minority that stays the same: with more, the group may be silent for good.
  void lose_disk() {
    const auto minority = cluster_.world().draw(cluster_.replicas() / 2);
    cluster_.lose_disk(static_cast<std::uint32_t>(minority));
  }

  void recover() {
    cluster_.world().heal();
    for (std::uint32_t replica = 0; replica < cluster_.replicas(); ++replica) {
      if (!cluster_.world().alive(cluster_.server_id(replica))) cluster_.restart(replica);
    }
  }

  void ask() {
    auto& world = cluster_.world();
    const auto count = static_cast<std::uint32_t>(world.draw(6));
    for (std::uint32_t item = 0; item < count; ++item) {
      Asked asked;
      asked.user = static_cast<std::uint32_t>(world.draw(3));
      // A few ids at a time, so that users collide; slowly moving, so that some grow old.
      const auto second = world.now().time_since_epoch() / 1s;
      asked.id = testing::id_number(static_cast<std::uint32_t>(world.draw(3)), second);
      if (world.draw(10) == 0) asked.id.stamp -= 5s;
      const std::uint64_t choice = world.draw(12);
      if (choice < 4) {
        asked.operation = RegistryOperation::lookup;
        asked.tag = cluster_.lookup(asked.user, asked.id);
      } else if (choice > 10 && !asked_.empty()) {
        take_care(asked);
      } else {
        asked.operation = RegistryOperation::insert;
        asked.token = Token{asked.user + 1, 1, ++sequence_};
        asked.tag = cluster_.insert(asked.user, asked.id, asked.token);
      }
      asked_.push_back(asked);
    }
  }

  // Of a recent request, perhaps with a token that is stored.
  void take_care(Asked& asked) {
    auto& world = cluster_.world();
    const std::size_t recent = std::min<std::size_t>(asked_.size(), 8);
    const Asked& other = asked_[asked_.size() - 1 - world.draw(recent)];
    asked.id = other.id;
    asked.token = other.token.is_empty() ? Token{9, 9, 9} : other.token;
    const std::uint64_t choice = world.draw(4);
    if (choice == 0) {
      asked.operation = RegistryOperation::clear;
      asked.tag = cluster_.clear(asked.user, asked.id, asked.token);
    } else if (choice == 1) {
      asked.operation = RegistryOperation::read_token;
      asked.token = {};
      asked.tag = cluster_.read_token(asked.user, asked.id);
    } else {
      asked.operation = RegistryOperation::remove;
      asked.tag = cluster_.remove(asked.user, asked.id, asked.token);
    }
  }

  void judge(const Asked& asked, const RegistryCompletion& done) {
    CHECK(done.id == asked.id);
    CHECK(done.operation == asked.operation);
    if (asked.operation == RegistryOperation::read_token) {
      if (done.code == RegistryCode::exists) ++tokens_read_;
      return;
    }
    CHECK(done.token == asked.token);
    if (asked.operation == RegistryOperation::lookup) {
      if (done.code == RegistryCode::exists) seen_.insert(asked.id);
      if (done.code == RegistryCode::unavailable) ++unknown_lookups_;
      return;
    }
    CHECK(trace::is_definitive(done.code));
    ++definitive_;
    if (done.code == RegistryCode::inserted) {
      winners_[asked.id].insert(asked.token);
    }
    if (done.code == RegistryCode::already_exists) lost_.insert(asked.id);
  }

  void judge_end() {
    for (const std::string& finding : cluster_.findings()) FAIL_CHECK(finding);
    const auto most = [&](const EventId& id) { return 1 + cluster_.removals(id); };
    for (const EventId& id : lost_) CHECK(cluster_.fresh_inserts(id) >= 1);
    for (const EventId& id : seen_) CHECK(cluster_.fresh_inserts(id) >= 1);
    for (const auto& [id, tokens] : winners_) {
      CHECK(cluster_.fresh_inserts(id) <= most(id));
      CHECK(tokens.size() <= most(id));  // no other client won this id
    }
    CHECK(definitive_ > 50);
    CHECK(winners_.size() > 5);
    CHECK(cluster_.user(0).outstanding() + cluster_.user(1).outstanding() == 0);
    const std::uint64_t applied = cluster_.server(0).driver().applied_slot();
    for (std::uint32_t replica = 1; replica < cluster_.replicas(); ++replica) {
      CHECK(cluster_.server(replica).driver().applied_slot() + 2 >= applied);
    }
  }

  void count(Coverage& coverage) {
    std::map<std::uint32_t, std::uint64_t> applied;
    std::map<std::uint32_t, std::uint64_t> proposed;
    for (const trace::Record& record : cluster_.world().decisions) {
      if (record.header.kind == trace::Kind::master_elected) ++coverage.elections;
      if (record.header.kind == trace::Kind::state_restored) ++coverage.restored;
      const std::uint32_t node = record.header.node.value();
      if (record.header.kind == trace::Kind::slot_applied) {
        applied[node] = record.as<trace::SlotApplied>().slot;
      }
      if (record.header.kind == trace::Kind::batch_proposed) {
        const std::uint64_t slot = record.as<trace::BatchProposed>().slot;
        if (proposed[node] + 1 == slot && proposed[node] > applied[node]) ++coverage.overlaps;
        proposed[node] = slot;
      }
      if (record.header.kind != trace::Kind::operation_applied) continue;
      const auto& operation = record.as<trace::OperationApplied>();
      if (operation.operation == RegistryOperation::collect) ++coverage.collected;
      if (operation.fresh != 0 && operation.code == RegistryCode::cleared) ++coverage.cleared;
      if (operation.code == RegistryCode::removed) ++coverage.removed;
      const bool insert = operation.operation == RegistryOperation::insert;
      const bool won = operation.code == RegistryCode::inserted;
      if (insert && won && operation.fresh == 0) ++coverage.repeated_wins;
      if (insert && operation.code == RegistryCode::too_old) ++coverage.too_old;
    }
    const paxos::Generations& disks = cluster_.server(0).driver().replica().generations();
    for (std::uint32_t replica = 0; replica < cluster_.replicas(); ++replica) {
      const auto index = static_cast<paxos::ReplicaIndex>(replica);
      if (!disks.in_force(index, paxos::kFirstGeneration)) ++coverage.admitted;
    }
    coverage.lost_races += lost_.size();
    coverage.found += seen_.size();
    coverage.unknown_lookups += unknown_lookups_;
    coverage.tokens_read += tokens_read_;
    for (std::uint32_t replica = 0; replica < cluster_.replicas(); ++replica) {
      coverage.aside += cluster_.server(replica).statistics().aside;
    }
  }

  RegistryCluster cluster_;
  std::vector<Asked> asked_;
  std::map<EventId, std::set<Token>> winners_;
  std::set<EventId> lost_;
  std::set<EventId> seen_;
  std::uint64_t sequence_ = 0;
  std::size_t definitive_ = 0;
  std::size_t unknown_lookups_ = 0;
  std::size_t tokens_read_ = 0;
};

TEST_CASE(
    "J-S3 J-S13 B-02 B-16 F-09 random histories under faults: one owner per id, no premature "
    "answer") {
  History::Coverage coverage;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed << ", three replicas");
    History(seed, 3, {}).run(coverage);
  }
  for (std::uint64_t seed = 101; seed <= 115; ++seed) {
    INFO("seed " << seed << ", five replicas");
    History(seed, 5, {}).run(coverage);
  }
  INFO("elections " << coverage.elections << ", lost races " << coverage.lost_races << ", too old "
                    << coverage.too_old << ", unknown look-ups " << coverage.unknown_lookups
                    << ", found " << coverage.found << ", collected " << coverage.collected
                    << ", repeated wins " << coverage.repeated_wins << ", cleared "
                    << coverage.cleared << ", removed " << coverage.removed << ", tokens read "
                    << coverage.tokens_read << ", restored " << coverage.restored << ", admitted "
                    << coverage.admitted);
  CHECK(coverage.elections > 80);
  CHECK(coverage.lost_races > 500);
  CHECK(coverage.too_old > 500);
  CHECK(coverage.unknown_lookups > 100);
  CHECK(coverage.found > 400);
  CHECK(coverage.collected > 1000);
  CHECK(coverage.repeated_wins > 100);
  CHECK(coverage.cleared > 50);
  CHECK(coverage.removed > 100);
  CHECK(coverage.tokens_read > 50);
  CHECK(coverage.restored > 50);
  CHECK(coverage.admitted > 20);
}

TEST_CASE("B-07 B-14 J-S4 random histories under faults, look-ups outside the queue") {
  for (const LookupMode mode : {LookupMode::bypass, LookupMode::replica}) {
    History::Coverage coverage;
    for (std::uint64_t seed = 201; seed <= 220; ++seed) {
      INFO("seed " << seed << ", mode " << static_cast<int>(mode));
      History(seed, 3, {.lookup_mode = mode}).run(coverage);
    }
    INFO("elections " << coverage.elections << ", found " << coverage.found << ", aside "
                      << coverage.aside << ", too old " << coverage.too_old);
    CHECK(coverage.elections > 30);
    CHECK(coverage.found > 100);
    CHECK(coverage.aside > 500);
  }
}

TEST_CASE("B-24 BC-04 random histories under faults, several batches in flight") {
  History::Coverage coverage;
  for (std::uint64_t seed = 301; seed <= 325; ++seed) {
    INFO("seed " << seed);
    History(seed, 3, {.pipeline_depth = 3}).run(coverage);
  }
  INFO("elections " << coverage.elections << ", lost races " << coverage.lost_races << ", overlaps "
                    << coverage.overlaps);
  CHECK(coverage.elections > 40);
  CHECK(coverage.lost_races > 200);
  CHECK(coverage.overlaps > 200);
}

}  // namespace
}  // namespace photon
