// Oracle J-S6: new disks, their admission, and the promises with which a replica proposes.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

namespace {

constexpr ShardId kAdmissionGroup{0};

// Replica 1 stands at ballot 0x201, from slot 2 on; slot 1 is chosen.
struct Candidature {
  explicit Candidature(World& of) : world(of) {
    prepare(world);
    for (const NodeId replica : {kReplica1, kReplica2, kReplica3}) world.append(replica);
    world.choose(1, 0x101, 5);
  }
  void stand() {
    world.append(kReplica1);
    world.write_promise(kReplica1, kBallot);
    world.sent(kReplica1, kReplica2, PaxosPrepare{kBallot, 2, 0, kAdmissionGroup});
  }
  void write_admission(NodeId at) {
    world.append(at);
    world.write_accept(at, 2, 0x101, kAdmission);
    world.emit(Source::durable, at, PaxosAdmission{kAdmission, kAdmissionGroup, 2, 3});
  }
  void promise(NodeId from) {
    world.append(from);
    world.write_promise(from, kBallot);
    world.sent(from, kReplica1, PaxosPromise{kBallot, 2, 0, kAdmissionGroup});
  }
  void deliver(NodeId from) {
    world.delivered(from, kReplica1, PaxosPromise{kBallot, 2, 0, kAdmissionGroup});
  }
  void propose(std::uint64_t value) {
    world.sent(kReplica1, kReplica2, PaxosAccept{kBallot, 2, value, kAdmissionGroup});
  }

  static constexpr std::uint64_t kBallot = 0x201, kAdmission = 99;
  World& world;
};

}  // namespace

TEST_CASE("J-S6 a new disk is another acceptor, which votes after its admission (B-18, M-02)") {
  World world;
  prepare(world);
  for (const NodeId replica : {kReplica1, kReplica2, kReplica3}) world.append(replica);
  world.choose(1, 0x101, 5);
  world.apply(kReplica2, 1, 5);
  world.crash(kReplica3);
  world.restart(kReplica3);
  // A write of unknown outcome is repeated until it is confirmed.
  const int times = GENERATE(1, 100);
  for (int i = 0; i < times; ++i) world.format(kReplica3, 3);
  const std::uint64_t admission = 99;
  const auto admit = [&](NodeId voter) {
    world.append(voter);
    world.write_accept(voter, 2, 0x101, admission);
    world.emit(Source::durable, voter, PaxosAdmission{admission, kAdmissionGroup, 2, 3});
  };
  SECTION("its vote does not count before") {
    world.accept(kReplica1, 2, 0x101, 6);
    world.accept(kReplica3, 2, 0x101, 6);
    world.apply(kReplica1, 2, 6);
    CHECK(world.count("J-S6") >= 1);
  }
  SECTION("nor for its own admission") {
    admit(kReplica1);
    admit(kReplica3);
    world.apply(kReplica1, 1, 5);
    world.apply(kReplica1, 2, admission);
    check_only(world, "J-S6");
  }
  SECTION("afterwards the new disk's vote counts, and the old disk's does not") {
    admit(kReplica1);
    admit(kReplica2);
    world.accept(kReplica1, 3, 0x101, 7);
    world.accept(kReplica3, 3, 0x101, 7);
    world.apply(kReplica2, 2, admission);
    world.apply(kReplica2, 3, 7);
    INFO(world.findings());
    CHECK(world.total() == 0);
    CHECK(world.judge.evidence().registry().consensus().admissions() == 1);
  }
  SECTION("its promises from before the loss no longer bind it") {
    world.accept(kReplica3, 5, 0x001, 7);
    world.promise(kReplica3, 0x002, 5, 1);
    world.sent(kReplica3, kReplica1, PaxosReported{0x002, 0x001, 5, 7, kAdmissionGroup});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S6 a replica proposes with the promises of a majority that it has received") {
  World world;
  Candidature candidate(world);
  candidate.stand();
  candidate.promise(kReplica2);
  SECTION("its own and another one") {
    candidate.deliver(kReplica2);
    candidate.propose(6);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("the other one has not arrived; reported once") {
    candidate.propose(6);
    candidate.propose(6);
    check_only(world, "J-S6");
  }
  SECTION("it reports that it is master") {
    world.elect(kReplica1, Candidature::kBallot, 1);
    CHECK(world.count("J-S6") == 1);
  }
}

TEST_CASE("J-S6 B-18 an admission that was reported needs a majority with it and without it") {
  World world;
  Candidature candidate(world);
  candidate.write_admission(kReplica1);
  SECTION("the old disk's promise is in flight when the disk is replaced") {
    candidate.stand();
    candidate.promise(kReplica3);
    world.crash(kReplica3);
    world.restart(kReplica3);
    world.format(kReplica3, 3);
    candidate.deliver(kReplica3);
    SECTION("a majority without the new disk alone is not enough") {
      candidate.propose(Candidature::kAdmission);
      check_only(world, "J-S6");
    }
    SECTION("with that of another replica it is") {
      candidate.promise(kReplica2);
      candidate.deliver(kReplica2);
      candidate.propose(Candidature::kAdmission);
      INFO(world.findings());
      CHECK(world.total() == 0);
    }
  }
  SECTION("the new disk promises") {
    world.crash(kReplica3);
    world.restart(kReplica3);
    world.format(kReplica3, 3);
    candidate.stand();
    candidate.promise(kReplica3);
    candidate.deliver(kReplica3);
    SECTION("before its admission is chosen its promise does not count") {
      candidate.propose(Candidature::kAdmission);
      check_only(world, "J-S6");
    }
    SECTION("afterwards it does") {
      candidate.write_admission(kReplica2);
      candidate.propose(Candidature::kAdmission);
      INFO(world.findings());
      CHECK(world.total() == 0);
    }
  }
}

}  // namespace photon::analysis::testing
