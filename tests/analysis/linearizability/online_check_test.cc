#include "analysis/linearizability/online_check.h"

#include <vector>

#include "analysis/linearizability/registry_model.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::analysis::testing {
namespace {

using Check = OnlineCheck<RegistryModel>;

constexpr Token kStored{.address = 1, .incarnation = 1, .sequence = 1};
constexpr RegistryModel::Input kInsert{ModelAction::insert, {}, kStored};
constexpr RegistryModel::Input kRemove{ModelAction::remove, {}, kStored};
constexpr RegistryModel::Input kLookup{ModelAction::lookup, {}, {}};

// An id that is held, and this number of open removals, of which any may take effect.
struct Storm {
  Storm(std::size_t removals, OnlineLimits limits) : check({}, limits) {
    REQUIRE(check.returned(check.call(kInsert), ModelAnswer::ok));
    for (std::size_t i = 0; i < removals; ++i) open.push_back(check.call(kRemove));
  }
  bool seen(ModelAnswer answer) { return check.returned(check.call(kLookup), answer); }

  Check check;
  std::vector<Check::Handle> open{};
};

}  // namespace

TEST_CASE("J-S4 given hundreds of open removals of an id, when all are answered, it is decided") {
  constexpr std::size_t kRemovals = 300;
  Storm storm(kRemovals, {});
  REQUIRE(storm.seen(ModelAnswer::not_found));
  CHECK(storm.check.configurations() == kRemovals);  // each may be the one that took effect
  for (const auto removal : storm.open) {
    const bool last = removal == storm.open.back();
    REQUIRE(storm.check.returned(removal, last ? ModelAnswer::ok : ModelAnswer::not_found));
  }
  CHECK_FALSE(storm.check.undecided());
  REQUIRE(storm.check.settled());
  CHECK(storm.check.settled()->value == RegistryModel::Value::absent);
  CHECK(storm.check.steps() < 80'000'000);
}

TEST_CASE("J-S4 given two thousand open removals, when two claim the effect, it is a violation") {
  constexpr std::size_t kRemovals = photon::testing::kSanitized ? 600 : 2'000;
  Storm storm(kRemovals, {});
  for (int i = 0; i < 5; ++i) REQUIRE(storm.seen(ModelAnswer::not_found));
  CHECK(storm.check.configurations() == kRemovals);
  CHECK(storm.check.returned(storm.open[500], ModelAnswer::ok));
  CHECK_FALSE(storm.check.returned(storm.open[0], ModelAnswer::ok));
  CHECK_FALSE(storm.check.undecided());
  CHECK(storm.check.steps() < 150'000'000);
}

TEST_CASE("J-S4 given a storm beyond the limit of steps, when it is answered, it is undecided") {
  constexpr std::size_t kRemovals = 2'000;
  constexpr OnlineLimits kLimits{.steps = photon::testing::effort(OnlineLimits{}.steps)};
  Storm storm(kRemovals, kLimits);
  for (const auto removal : storm.open) {
    REQUIRE(storm.seen(ModelAnswer::not_found));
    REQUIRE(storm.check.returned(removal, ModelAnswer::not_found));
    if (storm.check.undecided()) break;
  }
  CHECK(storm.check.undecided());
  CHECK(storm.check.open() > kRemovals / 2);
  CHECK(storm.check.steps() < kLimits.steps + 3 * kRemovals);
}

TEST_CASE("J-S4 given a limit of steps, when a history needs more, the check is undecided") {
  constexpr OnlineLimits kFew{.steps = 20'000};
  constexpr std::size_t kRemovals = 1'000;
  Storm storm(kRemovals, kFew);
  CHECK(storm.check.steps() < kFew.steps);
  CHECK_FALSE(storm.check.undecided());
  REQUIRE(storm.seen(ModelAnswer::not_found));
  CHECK(storm.check.undecided());
  CHECK(storm.check.configurations() == 0);
  // It stops within what one configuration costs.
  const std::uint64_t steps = storm.check.steps();
  CHECK(steps > kFew.steps);
  CHECK(steps < kFew.steps + 3 * kRemovals);
  SECTION("it accepts everything from then on, and does no work") {
    CHECK(storm.check.returned(storm.open[0], ModelAnswer::never));
    CHECK(storm.check.returned(storm.open[1], ModelAnswer::ok));
    CHECK(storm.check.returned(storm.open[2], ModelAnswer::ok));
    storm.check.abandon(storm.open[3]);
    storm.check.forget(storm.open[4]);
    CHECK(storm.check.undecided());
    CHECK(storm.check.steps() == steps);
    CHECK_FALSE(storm.check.settled());
  }
  SECTION("the number of steps is that of the history") {
    Storm again(kRemovals, kFew);
    REQUIRE(again.seen(ModelAnswer::not_found));
    CHECK(again.check.steps() == steps);
  }
}

TEST_CASE("J-S4 given a limit of steps, when operations are abandoned, the check keeps to it") {
  Storm storm(100, {.steps = 200'000});
  REQUIRE(storm.seen(ModelAnswer::not_found));
  REQUIRE_FALSE(storm.check.undecided());
  for (const auto removal : storm.open) storm.check.abandon(removal);
  CHECK(storm.check.undecided());
  CHECK(storm.check.steps() < 201'000);
  CHECK(storm.seen(ModelAnswer::never));
}

TEST_CASE("J-S4 given a limit of bytes, when answers need more memory, the check is undecided") {
  Storm needs(200, {});
  REQUIRE(needs.seen(ModelAnswer::not_found));
  REQUIRE_FALSE(needs.check.undecided());
  // 200 configurations with the answers of some 199 open removals each.
  CHECK(needs.check.most_bytes() > std::uint64_t{200} * 199 * sizeof(Check::Handle));
  Storm enough(200, {.bytes = needs.check.most_bytes()});
  CHECK(enough.seen(ModelAnswer::not_found));
  CHECK(enough.check.limit() == SearchLimit::none);
  Storm less(200, {.bytes = needs.check.most_bytes() - 1});
  CHECK(less.seen(ModelAnswer::not_found));
  CHECK(less.check.limit() == SearchLimit::bytes);
  CHECK(less.check.configurations() == 0);
}

TEST_CASE("J-S4 given an undecided check, when it is asked, it names the limit that it met first") {
  Storm few(100, {.configurations = 99});
  CHECK(few.seen(ModelAnswer::not_found));
  CHECK(few.check.limit() == SearchLimit::configurations);
  Storm short_of_steps(100, {.configurations = 99, .steps = 1'000});
  CHECK(short_of_steps.seen(ModelAnswer::not_found));
  CHECK(short_of_steps.check.limit() == SearchLimit::steps);
}

}  // namespace photon::analysis::testing
