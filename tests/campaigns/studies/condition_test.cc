#include "campaigns/studies/condition.h"

#include <map>

#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

std::optional<bool> evaluate(const std::string& text, std::string* why = nullptr) {
  const std::map<std::string, std::string> values{{"registry.shards", "4"},
                                                  {"registry.gc_age", "2min"},
                                                  {"network.loss", "0.02"},
                                                  {"registry.sharding", "dynamic"}};
  const auto parsed = Condition::parse(text);
  REQUIRE(parsed.condition);
  std::string problem;
  const auto result = parsed.condition->evaluate(
      [&](const std::string& name) -> std::optional<Condition::Operand> {
        const auto found = values.find(name);
        if (found == values.end()) return std::nullopt;
        return Condition::Operand{quantity_of(found->second), found->second};
      },
      problem);
  if (why != nullptr) *why = problem;
  return result;
}

analysis::Metric seconds(const std::string& name, double value) {
  return {name, analysis::Unit::seconds, analysis::Adding::none, value};
}

}  // namespace

TEST_CASE("quantities: numbers, durations in seconds, sizes in bytes, fractions") {
  CHECK(quantity_of("12") == 12.0);
  CHECK(quantity_of("100ms") == 0.1);
  CHECK(quantity_of("2min") == 120.0);
  CHECK(quantity_of("64KiB") == 65536.0);
  CHECK(quantity_of("2%") == 0.02);
  CHECK(quantity_of("1e3") == 1000.0);
  CHECK_FALSE(quantity_of("dynamic"));
  CHECK_FALSE(quantity_of("5parsecs"));
  CHECK_FALSE(quantity_of(""));
}

TEST_CASE("conditions compare values with their units, at and beside equality") {
  CHECK(evaluate("registry.shards < 5") == true);
  CHECK(evaluate("registry.shards < 4") == false);
  CHECK(evaluate("registry.shards <= 4") == true);
  CHECK(evaluate("registry.shards >= 5") == false);
  CHECK(evaluate("registry.shards > 3") == true);
  CHECK(evaluate("registry.shards != 4") == false);
  CHECK(evaluate("registry.gc_age == 120s") == true);
  CHECK(evaluate("network.loss <= 2%") == true);
  CHECK(evaluate("registry.gc_age == 120 s") == true);
  CHECK(evaluate("2 min * registry.shards >= registry.gc_age * 4 ") == true);
  CHECK(evaluate("network.loss <= 2 %") == true);
  CHECK(evaluate("registry.shards * registry.gc_age <= 8min") == true);
  CHECK(evaluate("registry.gc_age / registry.shards > 30s") == false);
  CHECK(evaluate("registry.sharding == dynamic") == true);
  CHECK(evaluate("registry.sharding != fixed") == true);
}

TEST_CASE("conditions that cannot be judged say why") {
  std::string why;
  CHECK_FALSE(evaluate("registry.shards * registry.shard > 5", &why));
  CHECK_THAT(why, Catch::Contains("registry.shard"));
  CHECK_FALSE(evaluate("registry.sharding < 5", &why));
  CHECK_THAT(why, Catch::Contains("compares a number with text"));
  for (const char* text :
       {"registry.shards", "a <", "< 5", "a b < 5", "a < 30 5", "a < 5 parsecs", "a * < 5", ""}) {
    CAPTURE(text);
    CHECK_FALSE(Condition::parse(text).condition);
    CHECK_FALSE(Condition::parse(text).problem.empty());
  }
  CHECK_THAT(Condition::parse("lost = 0").problem, Catch::Contains("equality is =="));
}

TEST_CASE("gates name figures; a run meets them, misses them, or lacks the figure") {
  const std::vector<std::string> good{"latency.total.p99 < 8s", "registry.mean_batch >= 2"};
  const Gates gates = parse_gates(good);
  REQUIRE(gates.list.size() == 2);
  const auto miss = [&](std::size_t gate, std::vector<analysis::Metric> figures) {
    analysis::RunRecord run;
    run.metrics = std::move(figures);
    return miss_of(gates.list[gate], run);
  };
  const std::vector<analysis::Metric> figures{seconds("latency_seconds.p99", 8.0)};
  CHECK_THAT(miss(0, figures), Catch::Contains("latency.total.p99 is 8 s"));
  CHECK(miss(0, {seconds("latency_seconds.p99", 7.9)}).empty());
  std::vector<analysis::Metric> few{seconds("latency_seconds.p99", 7.9)};
  few.push_back({"latency_seconds.count", analysis::Unit::count, analysis::Adding::sum, 999});
  CHECK_THAT(miss(0, few),
             Catch::Contains("is undecided: latency.total.p99 rests on 999 values and needs 1000"));
  few.back().value = 1'000;
  CHECK(miss(0, few).empty());
  CHECK_THAT(miss(1, figures), Catch::Contains("has no registry.mean_batch"));
  const Gates shares = parse_gates(std::vector<std::string>{"latency.total.above.7s <= 10%"});
  REQUIRE(shares.list.size() == 1);
  analysis::LatencyHistogram latencies;
  for (int i = 0; i < 10; ++i) latencies.add(std::chrono::seconds(i < 8 ? 3 : 9));
  analysis::RunRecord late;
  late.histograms = {{"latency_seconds", latencies.to_bytes()}};
  CHECK_THAT(miss_of(shares.list[0], late), Catch::Contains("latency.total.above.7s is 0.2"));
  CHECK(
      miss_of(parse_gates(std::vector<std::string>{"latency.total.above.7s <= 20%"}).list[0], late)
          .empty());
  CHECK_THAT(parse_gates(std::vector<std::string>{"latency.totl.p99 < 8s"}).problem,
             Catch::Contains("latency.total.p99"));
  CHECK_THAT(parse_gates(std::vector<std::string>{"5 < 8"}).problem,
             Catch::Contains("names no figure"));
}

TEST_CASE("gates compare like with like") {
  const auto problem = [](const std::string& text) {
    return parse_gates(std::vector<std::string>{text}).problem;
  };
  CHECK_THAT(problem("joined >= 8s"), Catch::Contains("compares a number with a time"));
  CHECK_THAT(problem("latency.total.p99 < 8"),
             Catch::Contains("a time with a number") && Catch::Contains("as in 8s"));
  CHECK_THAT(problem("latency.total.p99 < 8KiB"), Catch::Contains("a time with a size"));
  CHECK_THAT(problem("no.such < 8"), Catch::Contains("explain metrics"));
  for (const char* fitting :
       {"latency.total.p99 > 0", "latency.total.p99 < 3 * latency.total.p50",
        "capacity.served_per_second > 40", "capacity.closest_saturation < 80%",
        "joined / generated >= 0.9", "capacity.served_per_second * 10s > 400"}) {
    CAPTURE(fitting);
    CHECK(problem(fitting).empty());
  }
}

TEST_CASE("figures have the name of the store, and latencies a shorter one") {
  CHECK(stored_name("latency.own.p99") == "latency_own.p99");
  CHECK(spoken_name("stages.register.mean") == "latency.register.mean");
  CHECK(spoken_name("registry.mean_batch") == "registry.mean_batch");
  for (const char* name :
       {"latency.total.p99", "latency_seconds.p99", "load.mean_batch", "capacity.served_per_second",
        "waste.wasted_joins_per_joined", "lost.L-crash", "never_joinable.too_old"}) {
    CAPTURE(name);
    CHECK(is_metric(name));
  }
  CHECK_FALSE(is_metric("latency.total.p98"));
}

TEST_CASE("conditions: a bound of one figure is the same from either side") {
  const auto side = [](const std::string& text) {
    const auto parsed = Condition::parse(text);
    REQUIRE(parsed.condition);
    return parsed.condition->bounded_side();
  };
  using Side = Condition::Side;
  CHECK(side("lost < 5") == Side::less);
  CHECK(side("5 > lost") == Side::less);
  CHECK(side("5 >= lost") == Side::less);
  CHECK(side("load.mean_batch > 2") == Side::more);
  CHECK(side("2 <= load.mean_batch") == Side::more);
  CHECK_FALSE(side("lost == 0"));
  CHECK_FALSE(side("lost < joined"));
  CHECK_FALSE(side("lost / joined < 0.1"));
}

}  // namespace photonsim::campaigns
