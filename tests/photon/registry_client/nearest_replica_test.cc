// Which replica answers look-ups that any of them may answer, and when the nearest is back.
#include "core_impl/photon/registry_client/nearest_replica.h"

#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("B-07 L-23 the nearest replica is asked, after a failure the next one for a while") {
  NearestReplica replicas({NodeId(10), NodeId(11), NodeId(12)}, 5s);
  const MonotonicTime start(100s);
  CHECK(replicas.target(start) == NodeId(10));
  replicas.failed(NodeId(11), start);  // not the one that is asked
  CHECK(replicas.target(start) == NodeId(10));
  replicas.failed(NodeId(10), start);
  replicas.failed(NodeId(10), start);  // of the same moment: the next one has not failed
  CHECK(replicas.target(start) == NodeId(11));
  CHECK(replicas.target(start + 5s - 1ns) == NodeId(11));
  CHECK(replicas.target(start + 5s) == NodeId(10));
  replicas.failed(NodeId(10), start + 6s);
  replicas.failed(NodeId(11), start + 8s);
  CHECK(replicas.target(start + 13s - 1ns) == NodeId(12));  // counted from the last failure
  replicas.failed(NodeId(12), start + 12s);
  CHECK(replicas.target(start + 12s) == NodeId(10));  // all have failed: in turn again
  replicas.failed(NodeId(10), start + 12s);
  CHECK(replicas.target(start + 12s) == NodeId(11));
}

}  // namespace photon
