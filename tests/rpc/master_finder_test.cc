#include "core_impl/rpc/master_finder.h"

#include "tests/support/catch.h"

namespace photon::rpc {
namespace {

constexpr NodeId kA{10};
constexpr NodeId kB{11};
constexpr NodeId kC{12};
constexpr NodeId kStranger{99};

TEST_CASE("MasterFinder starts with the preferred replica and follows a hint") {
  MasterFinder finder({kA, kB, kC});
  REQUIRE(finder.target() == kA);
  CHECK(finder.refused(kA, kC) == Redirect::follow);
  CHECK(finder.target() == kC);
}

TEST_CASE("MasterFinder moves to the next replica when no useful hint is given") {
  MasterFinder finder({kA, kB, kC});
  CHECK(finder.refused(kA, kNoNode) == Redirect::pause);
  CHECK(finder.target() == kB);
  CHECK(finder.refused(kB, kB) == Redirect::pause);  // claims to be master, yet refuses
  CHECK(finder.target() == kC);
  CHECK(finder.refused(kC, kStranger) == Redirect::pause);
  CHECK(finder.target() == kA);
}

TEST_CASE("MasterFinder: many time-outs of one target move on once") {
  MasterFinder finder({kA, kB, kC});
  for (int call = 0; call < 11; ++call) finder.silent(kA);
  CHECK(finder.target() == kB);
  finder.silent(kB);
  finder.silent(kC);
  CHECK(finder.target() == kA);
}

TEST_CASE("MasterFinder: a time-out of a replica that is no longer asked changes nothing") {
  MasterFinder finder({kA, kB, kC});
  finder.confirmed(kC);
  finder.silent(kA);
  CHECK(finder.target() == kC);
}

TEST_CASE("MasterFinder: a refusal by a replica that is no longer asked changes nothing") {
  MasterFinder finder({kA, kB, kC});
  finder.confirmed(kB);
  CHECK(finder.refused(kA, kC) == Redirect::follow);
  CHECK(finder.target() == kB);
  finder.confirmed(kStranger);
  CHECK(finder.target() == kB);
}

}  // namespace
}  // namespace photon::rpc
