// A joiner whose processor is minutes behind has abandoned nothing.
#include "core_impl/trace/environment.h"
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

// A retry of the registration waits in its joiner's queue for minutes.
TEST_CASE("J.2 J-P0 what waits for a processor that is behind is unfinished, not abandoned") {
  for (const bool behind : {true, false}) {
    CAPTURE(behind);
    World world;
    prepare(world);
    const Token token = world.token(kJoiner, 1);
    world.read(kDispatcher, 1);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});  // its answer is lost
    constexpr std::uint64_t kMinute = 60'000'000'000;
    for (int minute = 0; minute < 10; ++minute) {
      world.wait(1min);
      world.emit(Source::issued, kJoiner,
                 ResourceUsed{.nanoseconds = kMinute,
                              .used_sum = kMinute,
                              .waiting_sum = kMinute,
                              .full_nanoseconds = behind ? kMinute : kMinute - 1,
                              .limit = 1,
                              .used_max = 1,
                              .waiting_max = 1,
                              .resource = Resource::processor});
    }
    judge_at_end(world);
    CHECK(world.count("J.2") == (behind ? 0 : 1));
    CHECK(lost(world, LossClass::unclassified) == (behind ? 0 : 1));
    CHECK(world.count("J-P0") == (behind ? 1 : 0));
  }
}

}  // namespace photon::analysis::testing
