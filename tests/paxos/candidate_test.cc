// Which promises elect a candidate where a replica's new disk is admitted (generations.h).
#include "core_impl/paxos/roles.h"
#include "tests/support/catch.h"

namespace photon::paxos {
namespace {

constexpr Generation kOld = kFirstGeneration;
constexpr Generation kNew{2};

struct Election {
  Config config{.self = 0, .replicas = 3};
  Candidate candidate{.ballot = make_ballot(4, 0), .from_slot = 1};
  Generations in_force{3};  // before slot 1

  void promise(ReplicaIndex from, Generation generation, Slot chosen_through = 0,
               std::optional<SharedBytes> in_slot_1 = {}) {
    Promise message{{}, candidate.ballot, 1, chosen_through, generation, {}};
    if (in_slot_1) message.accepted.push_back({1, make_ballot(3, 1), *in_slot_1});
    candidate.add(from, message);
  }
  bool is_over() const { return candidate.is_elected(config, in_force); }
};

}  // namespace

TEST_CASE("B-18 R4 an election that may choose an admission needs a majority after it, too") {
  Election election;
  election.promise(0, kOld);
  CHECK_FALSE(election.is_over());
  election.promise(1, kOld, 0, admission_value({1, kNew}));
  CHECK_FALSE(election.is_over());  // after slot 1 the disk that promised has no vote
  SECTION("the third replica promises") { election.promise(2, kOld); }
  SECTION("so does the new disk, which has no vote before slot 1") {
    election.promise(1, kNew);
    CHECK_FALSE(election.is_over());
    election.promise(2, kOld);
  }
  CHECK(election.is_over());
}

TEST_CASE("B-18 R4 an election after a chosen admission counts the new disk alone") {
  Election election;
  election.promise(0, kOld, 1, admission_value({1, kNew}));
  election.promise(1, kOld);
  CHECK_FALSE(election.is_over());
  election.promise(1, kNew);
  CHECK(election.is_over());
}

TEST_CASE("B-18 R4 an open slot that admits no disk asks for no second majority") {
  Election election;
  election.promise(0, kOld);
  SECTION("a command") { election.promise(1, kOld, 0, SharedBytes{}); }
  SECTION("an admission that is in force already") {
    election.in_force.admit({1, kNew});
    election.promise(1, kNew, 0, admission_value({1, kNew}));
  }
  CHECK(election.is_over());
}

}  // namespace photon::paxos
