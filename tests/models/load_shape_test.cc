#include "models/load_shape.h"

#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "models/arrivals.h"
#include "models/clocks.h"
#include "models/rate_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::models {
namespace {

using namespace std::chrono_literals;

SimTime after(Duration since_start) { return SimTime(since_start); }

// Up from 1 to 3, a step to 0.5, and nothing for a while.
LoadShape hills() {
  return LoadShape({{after(10s), 1},
                    {after(20s), 3},
                    {after(20s), 0.5},
                    {after(30s), 0.5},
                    {after(30s), 0},
                    {after(40s), 2}});
}

// By small steps, from the factor alone.
double added_up(const LoadShape& shape, SimTime from, SimTime to) {
  double sum = 0;
  constexpr Duration kStep = 1ms;
  for (SimTime each = from; each < to; each += kStep) sum += shape.factor(each + kStep / 2) * 1e-3;
  return sum;
}

TEST_CASE("a load's integral is the sum of its factors, and a share of it ends at its moment") {
  const LoadShape shape = hills();
  CHECK(shape.factor(after(0s)) == 1);
  CHECK(shape.factor(after(15s)) == 2);
  CHECK(shape.factor(after(20s)) == 0.5);
  CHECK(shape.factor(after(99s)) == 2);
  const std::vector<std::pair<Duration, Duration>> windows{
      {0s, 60s}, {5s, 12s}, {12s, 20s}, {18s, 33s}, {31s, 39s}};
  for (const auto& [from, to] : windows) {
    CAPTURE(from.count(), to.count());
    const double whole = shape.integral(after(from), after(to));
    CHECK(whole == Approx(added_up(shape, after(from), after(to))).epsilon(1e-4));
    for (const double share : {0.0, 0.1, 0.5, 0.9, 0.999}) {
      const SimTime found = shape.moment(after(from), after(to), share);
      CHECK(found >= after(from));
      CHECK(found < after(to));
      CHECK(shape.integral(after(from), found) == Approx(share * whole).margin(1e-6));
    }
  }
  CHECK(shape.peak(after(0s), after(60s)) == 3);
  CHECK(shape.peak(after(22s), after(25s)) == 0.5);
}

// Numbers of a Poisson process lie within five deviations of their means in each window.
TEST_CASE("arrivals follow the shape of their load, in any order of access") {
  const HostClocks clocks(3, {});
  Arrivals::Options options;
  options.seed = 12;
  options.server = 5;
  options.host = sim::HostId(2);
  options.start = after(5s);
  options.end = after(50s);
  options.per_second = 300;
  options.shape = std::make_shared<LoadShape>(hills());
  Arrivals arrivals(options, clocks);
  std::vector<Arrival> all;
  for (std::uint64_t i = 0; const auto each = arrivals.find(i); ++i) all.push_back(*each);
  for (Duration from = 5s; from < 50s; from += 1s) {
    CAPTURE(from.count());
    const std::uint64_t found =
        arrivals.count_before(after(from + 1s)) - arrivals.count_before(after(from));
    const double mean = 300 * added_up(*options.shape, after(from), after(from + 1s));
    CHECK(std::abs(static_cast<double>(found) - mean) <= 5 * std::sqrt(mean) + 1);
  }
  const double mean = 300 * options.shape->integral(options.start, options.end);
  CHECK(std::abs(static_cast<double>(all.size()) - mean) < 5 * std::sqrt(mean));
  Arrivals jumped(options, clocks);
  const RandomStream places(3, Purpose::test, 0);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint64_t ordinal = uniform_below(places.word(i), all.size());
    CAPTURE(ordinal);
    const auto found = jumped.find(ordinal);
    REQUIRE(found.has_value());
    CHECK(found->at == all[ordinal].at);
    CHECK(found->id == all[ordinal].id);
    CHECK(jumped.count_before(found->at) <= ordinal);
    CHECK(jumped.count_before(found->at + 1ns) > ordinal);
  }
}

TEST_CASE("a file of rates: rows become knots; what is wrong is named by its line") {
  const photon::testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "rates.csv").string();
  const auto read = [&](const std::string& text) {
    std::ofstream(file) << text;
    return read_rates(file);
  };
  const auto good = read("seconds,rate\n0,10\n2.5,50\n2.5,0\n");
  REQUIRE(good.has_value());
  CHECK(good.assume_value() ==
        std::vector<LoadShape::Knot>{{after(0s), 10}, {after(2500ms), 50}, {after(2500ms), 0}});
  const auto fault = [&](const std::string& text) {
    const auto result = read(text);
    REQUIRE_FALSE(result.has_value());
    return result.assume_error().front().text();
  };
  CHECK_THAT(fault("seconds,rate\n0,10\n1,-5\n"),
             Catch::Contains("rates.csv:3: '-5' is no number"));
  CHECK_THAT(fault("seconds,rate\n5,10\n1,5\n"),
             Catch::Contains("rates.csv:3: this time is before"));
  CHECK_THAT(fault("seconds,clicks\n0,1\n"), Catch::Contains("no column 'rate'"));
  CHECK_THAT(fault("seconds,rate\n0,0\n"), Catch::Contains("no rate above 0"));
}

}  // namespace
}  // namespace photon::models
