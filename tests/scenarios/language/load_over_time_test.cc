#include "scenarios/config/load_over_time.h"

#include <cmath>
#include <fstream>
#include <string>

#include "scenarios/language/predicted_use.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios {
namespace {

using photon::SimTime;
using testing::has;
using testing::must_fail;
using testing::must_load;

const std::string kMinute = "[run]\nduration = \"70s\"\nwarm_up = \"10s\"\n";
const std::string kRate = kMinute + "[workload.synthetic]\nrate = 20.0\n";

std::string written(const photon::testing::TemporaryFolder& folder, const std::string& name,
                    const std::string& text) {
  const std::string file = (folder.path() / name).string();
  std::ofstream(file) << text;
  return file;
}

std::uint64_t clicks_of(const std::string& text) {
  return must_load(text).workload.synthetic.clicks;
}

TEST_CASE("a rate of clicks takes the place of their number") {
  CHECK(clicks_of(kRate) == 1200);
  CHECK(must_load(kRate, {"workload.synthetic.rate=0.5", "run.duration=30s"})
            .workload.synthetic.clicks == 10);
  // The canonical text states both, and gives the same configuration.
  CHECK(must_load(to_toml(must_load(kRate))) == must_load(kRate));
  CHECK(has(must_fail(kRate, {"workload.synthetic.rate=0.001"}),
            {"this rate gives 0.06 clicks in the run"}));
}

TEST_CASE("ramps, bursts and the time of day change the load") {
  // Twice the load from 20 s to 30 s, and three times that load from 25 s on for a second.
  const std::string bursts = kRate +
                             "[[workload.synthetic.burst]]\nat = \"20s\"\nfor = \"10s\"\n"
                             "factor = 2.0\n"
                             "[[workload.synthetic.burst]]\nat = \"25s\"\nfor = \"1s\"\n"
                             "factor = 3.0\n";
  CHECK(clicks_of(bursts) == 1200 + 10 * 20 + 20 * 2 * 2);
  CHECK(peak_factor(must_load(bursts)) == Approx(6 * 1200.0 / 1480));
  CHECK(offered_per_second(must_load(bursts)) == Approx(20 * 6));
  // From 20 to 60 clicks a second between 10 s and 30 s.
  CHECK(clicks_of(kRate + "[workload.synthetic.ramp]\nat = \"10s\"\nfor = \"20s\"\nto = 3.0\n") ==
        20 * 40 + 40 * 60);
  // A whole number of days: the mean is that of the load.
  const std::string days =
      kRate + "[workload.synthetic.daily]\namplitude = 0.8\nperiod = \"15s\"\npeak_at = \"5s\"\n";
  CHECK(std::abs(static_cast<double>(clicks_of(days)) - 1200) <= 2);
  const auto shape = load_shape_of(must_load(days));
  REQUIRE(shape != nullptr);
  CHECK(shape->factor(SimTime(std::chrono::seconds(5))) == Approx(1.8));
  CHECK(shape->factor(SimTime(std::chrono::seconds(20))) == Approx(1.8).epsilon(1e-3));
  CHECK(shape->factor(SimTime(std::chrono::milliseconds(12'500))) == Approx(0.2).epsilon(1e-2));
  CHECK(load_shape_of(must_load(kRate)) == nullptr);
}

TEST_CASE("a rate file states the load; it and rate together are refused") {
  const photon::testing::TemporaryFolder folder;
  const std::string file = written(folder, "rates.csv", "seconds,rate\n0,0\n40,40\n40,5\n");
  const std::string text = kMinute + "[workload.synthetic]\nrate_file = \"" + file + "\"\n";
  // From 10 to 40 clicks a second between 10 s and 40 s, then 5.
  CHECK(clicks_of(text) == 25 * 30 + 5 * 30);
  const std::string other = written(folder, "other.csv", "seconds,rate\n0,0\n40,40\n40,6\n");
  CHECK(config_hash(must_load(text)) !=
        config_hash(must_load(text, {"workload.synthetic.rate_file=" + other})));
  CHECK(has(must_fail(text, {"workload.synthetic.rate=5"}),
            {"rate and rate_file both state the load"}));
  const std::string bad = written(folder, "bad.csv", "seconds,rate\n0,much\n");
  CHECK(has(must_fail(text, {"workload.synthetic.rate_file=" + bad}),
            {"bad.csv:2: 'much' is no number"}));
  CHECK(has(
      must_fail(text, {"workload.synthetic.rate_file=" + (folder.path() / "none.csv").string()}),
      {"none.csv"}));
}

TEST_CASE("a run offers the clicks of its load, when they are to come") {
  Config config = must_load(
      "include = [\"" + std::filesystem::absolute(testing::shipped_path("photon_base")).string() +
      "\"]\n" + kRate +
      "[[workload.synthetic.burst]]\nat = \"30s\"\nfor = \"20s\"\n"
      "factor = 5.0\n");
  const double mean = 20 * 40 + 100 * 20;
  CHECK(static_cast<double>(config.workload.synthetic.clicks) == mean);
  const auto run = run_scenario({&config, 7, nullptr, nullptr});
  REQUIRE(run.has_value());
  const auto generated = static_cast<double>(run.assume_value().summary.generated);
  CHECK(std::abs(generated - mean) < 5 * std::sqrt(mean));
  CHECK(run.assume_value().summary.joined == run.assume_value().summary.generated);
}

}  // namespace
}  // namespace photonsim::scenarios
