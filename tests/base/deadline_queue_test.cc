#include "core_impl/base/deadline_queue.h"

#include <algorithm>
#include <vector>

#include <rapidcheck.h>

#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

MonotonicTime at(std::int64_t nanoseconds) { return from_nanoseconds<MonotonicTime>(nanoseconds); }

TEST_CASE("equal deadlines come out in the order they were added") {
  DeadlineQueue<int> queue;
  for (int i = 0; i < 100; ++i) queue.add(at(5), i);
  for (int i = 0; i < 100; ++i) CHECK(queue.take_due(at(5)) == i);
  CHECK_FALSE(queue.take_due(at(5)).has_value());
}

TEST_CASE("nothing comes out before it is due") {
  DeadlineQueue<int> queue;
  queue.add(at(10), 1);
  CHECK(queue.next() == at(10));
  CHECK(queue.front() == 1);
  CHECK_FALSE(queue.take_due(at(9)).has_value());
  CHECK(queue.take_due(at(10)) == 1);
  CHECK(queue.empty());
}

TEST_CASE("an empty deadline queue has no first item") {
  const testing::ChecksThrow checks;
  const DeadlineQueue<int> queue;
  CHECK_THROWS_AS(queue.next(), testing::CheckFailed);
  CHECK_THROWS_AS(queue.front(), testing::CheckFailed);
}

TEST_CASE("a deadline queue is a stable sort by deadline") {
  CHECK(rc::check("stable order", [](const std::vector<std::uint8_t>& deadlines) {
    DeadlineQueue<std::size_t> queue;
    std::vector<std::pair<std::int64_t, std::size_t>> expected;
    for (std::size_t i = 0; i < deadlines.size(); ++i) {
      const std::int64_t due = deadlines[i] % 8;
      queue.add(at(due), i);
      expected.emplace_back(due, i);
    }
    std::ranges::stable_sort(expected, {}, &std::pair<std::int64_t, std::size_t>::first);
    for (const auto& [due, item] : expected) {
      RC_ASSERT(queue.next() == at(due));
      RC_ASSERT(queue.take_due(at(due)) == item);
    }
    RC_ASSERT(queue.empty());
  }));
}

}  // namespace
}  // namespace photon
