#include "core_impl/base/slab.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

TEST_CASE("BC-28 a stale slab handle finds nothing, also when its slot is used again") {
  Slab<std::string> slab;
  const auto first = slab.emplace("first");
  slab.erase(first);
  CHECK(slab.find(first) == nullptr);
  const auto second = slab.emplace("second");
  CHECK(second != first);
  CHECK(slab.find(first) == nullptr);
  REQUIRE(slab.find(second) != nullptr);
  CHECK(*slab.find(second) == "second");
  CHECK(slab.find(0) == nullptr);
  CHECK(slab.find(~std::uint64_t{0}) == nullptr);
}

TEST_CASE("erasing what is not in the slab fails a check") {
  const testing::ChecksThrow checks;
  Slab<int> slab;
  const auto handle = slab.emplace(1);
  slab.erase(handle);
  CHECK_THROWS_AS(slab.erase(handle), testing::CheckFailed);
  CHECK_THROWS_AS(slab.erase(77), testing::CheckFailed);
}

TEST_CASE("a slab agrees with a map under random insertions and removals") {
  const bool ok = rc::check("slab against map", [](const std::vector<std::uint32_t>& actions) {
    Slab<std::uint32_t> slab;
    std::map<std::uint64_t, std::optional<std::uint32_t>> model;  // nothing: erased
    std::vector<std::uint64_t> handles;
    for (const std::uint32_t action : actions) {
      if (action % 3 != 0 || handles.empty()) {
        const auto handle = slab.emplace(action);
        RC_ASSERT(model.emplace(handle, action).second);  // never the same handle again
        handles.push_back(handle);
      } else {
        const auto handle = handles[action / 3 % handles.size()];
        if (slab.find(handle) != nullptr) {
          slab.erase(handle);
          model[handle].reset();
        }
      }
      std::size_t live = 0;
      for (const auto& [handle, value] : model) {
        const auto* found = slab.find(handle);
        RC_ASSERT((found != nullptr) == value.has_value());
        if (found != nullptr) {
          RC_ASSERT(*found == *value);
          ++live;
        }
      }
      RC_ASSERT(slab.size() == live);
      std::size_t visited = 0;
      slab.for_each([&](std::uint64_t handle, std::uint32_t& value) {
        RC_ASSERT(slab.find(handle) == &value);
        ++visited;
      });
      RC_ASSERT(visited == live);
    }
  });
  CHECK(ok);
}

}  // namespace
}  // namespace photon
