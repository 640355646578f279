// The event queue against its oracle, a plain binary heap: same programs, same answers.

#include "sim/event_queue.h"

#include <cstring>

#include <rapidcheck.h>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "tests/property/event_queue_heap.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

bool same(const Event& left, const Event& right) {
  return std::memcmp(&left, &right, sizeof(Event)) == 0;
}

// Feeds both queues the same events and compares everything that comes out.
class Twins {
 public:
  void push(std::int64_t time, std::uint32_t origin = 0) {
    Event event;
    event.time = time;
    event.order = (std::uint64_t{origin} << kCounterBits) | counter_++;
    event.target = static_cast<std::uint32_t>(counter_);
    event.payload = mix(counter_);
    fast_.push(event);
    oracle_.push(event);
  }
  // False if the queues disagree. `now` follows the event taken.
  bool pop() {
    if (fast_.size() != oracle_.size() || fast_.empty() != oracle_.empty()) return false;
    if (fast_.empty()) return true;
    const Event event = fast_.front();
    if (!same(event, oracle_.front())) return false;
    now_ = event.time;
    fast_.pop();
    oracle_.pop();
    return true;
  }
  bool drain() {
    while (!oracle_.empty()) {
      if (!pop()) return false;
    }
    return fast_.empty();
  }
  std::int64_t now() const { return now_; }
  std::size_t size() const { return oracle_.size(); }

 private:
  EventQueue fast_;
  HeapQueue oracle_;
  std::uint64_t counter_ = 0;
  std::int64_t now_ = 0;
};

enum class Shape : std::uint8_t { exponential, equal, burst, far, tiny, bimodal, lattice };
constexpr std::uint64_t kShapes = 7;

std::int64_t draw_delay(Shape shape, std::uint64_t word) {
  switch (shape) {
    case Shape::exponential:
      return exponential(word, Duration(1'000'000)).count();
    case Shape::equal:
      return 1000;
    case Shape::burst:
      return 0;
    case Shape::far:
      return static_cast<std::int64_t>(word >> 3U);  // up to 73 years
    case Shape::tiny:
      return static_cast<std::int64_t>(word % 4);
    case Shape::bimodal:
      return (word & 7U) == 0 ? 3'600'000'000'000 : 500;
    case Shape::lattice:
      return static_cast<std::int64_t>(word % 8) * 1'000'000;
  }
  return 0;
}

// A long program: phases of growth, hold and decline, each with its own shape of delays.
bool run_program(std::uint64_t seed, std::uint64_t steps) {
  const RandomStream stream(seed, Purpose::test, 1);
  Twins twins;
  std::uint64_t ordinal = 0;
  while (ordinal < steps) {
    const auto phase = stream.block(ordinal, 1);
    const auto shape = static_cast<Shape>(uniform_below(phase[0], kShapes));
    const std::uint64_t pushes_of_8 = 1 + uniform_below(mix(phase[0]), 7);  // growth to decline
    const std::uint64_t end = ordinal + 16 + uniform_below(phase[1], 3000);
    for (; ordinal < end; ++ordinal) {
      const auto words = stream.block(ordinal);
      if (words[0] % 8 < pushes_of_8) {
        // Time stays far from the end of the 64-bit line, as it does in any run.
        const std::int64_t limit = std::int64_t{1} << 62U;
        const std::int64_t delay = draw_delay(shape, words[1]);
        twins.push(std::min(limit, twins.now() + delay), static_cast<std::uint32_t>(words[1] % 3));
      } else if (!twins.pop()) {
        return false;
      }
    }
  }
  return twins.drain();
}

}  // namespace

TEST_CASE("the event queue agrees with a binary heap on random small programs") {
  const bool ok = rc::check("same order", [](const std::vector<std::uint16_t>& program) {
    Twins twins;
    for (const std::uint16_t step : program) {
      // Few distinct times, so that ties and crowding are the rule.
      if (step % 3 != 0) {
        const auto copies = step % 41 == 0 ? 200 : 1;
        for (int i = 0; i < copies; ++i) twins.push(twins.now() + (step >> 9), step % 5U);
      } else {
        RC_ASSERT(twins.pop());
      }
    }
    RC_ASSERT(twins.drain());
  });
  REQUIRE(ok);
}

TEST_CASE("the event queue agrees with a binary heap on long adversarial programs") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("replay: run_program(" << seed << ", 20000)");
    REQUIRE(run_program(seed, 20'000));
  }
}

TEST_CASE("the event queue keeps equal times in the order of origin and counter") {
  Twins twins;
  for (std::uint32_t i = 0; i < 50'000; ++i) twins.push(42, 7 - i % 8);
  REQUIRE(twins.drain());
}

TEST_CASE("the event queue holds its order in steady state at many sizes") {
  for (const std::uint64_t pending : {1U, 2U, 31U, 64U, 65U, 200U, 1000U, 20'000U}) {
    INFO("pending " << pending);
    const RandomStream stream(pending, Purpose::test, 2);
    Twins twins;
    std::uint64_t ordinal = 0;
    for (; ordinal < pending; ++ordinal) {
      twins.push(draw_delay(Shape::exponential, stream.word(ordinal)));
    }
    for (std::uint64_t i = 0; i < 60'000; ++i, ++ordinal) {
      REQUIRE(twins.pop());
      twins.push(twins.now() + draw_delay(Shape::exponential, stream.word(ordinal)));
    }
    REQUIRE(twins.size() == pending);
    REQUIRE(twins.drain());
  }
}

TEST_CASE("the event queue takes events that are earlier than its near part") {
  Twins twins;
  for (int i = 0; i < 300; ++i) twins.push(1'000'000 + i * 1000);
  REQUIRE(twins.pop());
  for (int i = 300; i > 0; --i) twins.push(i);  // each earlier than all before
  REQUIRE(twins.drain());
}

}  // namespace photon::sim
