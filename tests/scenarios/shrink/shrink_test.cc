// Failures made small.
#include <algorithm>

#include "scenarios/shrink/ddmin.h"
#include "scenarios/shrink/pieces.h"
#include "scenarios/swarm/swarm.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

TEST_CASE("delta debugging finds the pieces that a failure needs, and stops when it is enough") {
  const auto never = [] { return false; };
  const auto fails = [](const shrink::Kept& kept) { return kept[3] && kept[17] && kept[18]; };
  const shrink::Kept left = shrink::ddmin(shrink::Kept(40, true), fails, never);
  for (std::size_t i = 0; i < left.size(); ++i) CHECK(left[i] == (i == 3 || i == 17 || i == 18));
  const auto always = [](const shrink::Kept&) { return true; };
  const shrink::Kept none = shrink::ddmin(shrink::Kept(40, true), always, never);
  CHECK(std::ranges::count(none, true) == 0);
  const shrink::Kept all = shrink::ddmin(shrink::Kept(40, true), always, [] { return true; });
  CHECK(std::ranges::count(all, true) == 40);
}

TEST_CASE("a scenario can lose each single fault, and each setting that is not the usual one") {
  const Config config = swarm::scenario({}, 1);
  const shrink::Elements elements(config);
  REQUIRE(elements.size() > 2);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    shrink::Kept kept(elements.size(), true);
    kept[i] = false;
    CHECK(shrink::events_of(shrink::Elements::with(config, kept)) == elements.size() - 1);
  }
  CHECK(shrink::Elements::with(config, shrink::Kept(elements.size(), true)) == config);
  const shrink::Settings settings(config);
  const Config usual = settings.with(config, shrink::Kept(settings.size(), false));
  CHECK(shrink::Settings(usual).size() == 0);
  CHECK(settings.with(config, settings.all()) == config);
}
