#include "core_impl/rpc/open_requests.h"

#include <set>

#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::rpc {
namespace {

TEST_CASE("BC-28 request numbers of two lives of a process differ, and neither finds the other's") {
  std::set<std::uint64_t> given;
  OpenRequests earlier;
  OpenRequests later;
  photon::testing::FakeContext first(NodeId(1));
  photon::testing::FakeContext second(NodeId(1));
  second.crash();
  for (std::uint64_t call = 1; call <= 100; ++call) {
    const std::uint64_t old = earlier.open(first, call);
    const std::uint64_t fresh = later.open(second, call);
    CHECK(given.insert(old).second);
    CHECK(given.insert(fresh).second);
    CHECK(later.find(old) == 0);
    CHECK(later.find(fresh) == call);
  }
  CHECK(later.size() == 100);
}

TEST_CASE("BC-28 a closed request finds nothing, and its number is not reused") {
  OpenRequests requests;
  photon::testing::FakeContext context(NodeId(1));
  const std::uint64_t number = requests.open(context, 7);
  requests.close(number);
  CHECK(requests.find(number) == 0);
  CHECK(requests.open(context, 7) != number);
  CHECK(requests.size() == 1);
}

TEST_CASE(
    "request numbers: the life in the high bits, the count in the low, and the bounds of both") {
  STATIC_REQUIRE(request_number(Incarnation(1), 1) == (std::uint64_t{1} << 40U) + 1);
  STATIC_REQUIRE(request_number(Incarnation((1U << 24U) - 1), (std::uint64_t{1} << 40U) - 1) ==
                 ~std::uint64_t{0});
}

}  // namespace
}  // namespace photon::rpc
