// Claims of publications: what a study file may state of them, and what runs say.
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "campaigns/claims_table.h"
#include "campaigns/studies/claim_result.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Records = std::vector<std::optional<analysis::RunRecord>>;

const std::string kTwoPoints = "[grid]\n\"registry.shards\" = [1, 2]\n";
const std::string kWhole = R"([[claim]]
id = "G-10"
level = "M"
says = "six to twelve"
source = "Photon, 4.3"
figure = "load.mean_batch"
band = {from = 6, to = 12}
)";

std::string without(const std::string& key) {
  const auto at = kWhole.find(key + " =");
  return kTwoPoints + kWhole.substr(0, at) + kWhole.substr(kWhole.find('\n', at) + 1);
}

std::string with(const std::string& key, const std::string& value) {
  return without(key) + key + " = " + value + "\n";
}

std::string and_theory(const std::string& value) {
  return kTwoPoints + kWhole + "theory = " + value + "\n";
}

// The whole claim with another id.
std::string named(const std::string& id) {
  std::string text = kWhole;
  return text.replace(text.find("G-10"), 4, id);
}

// A replication of two figures with that seed.
analysis::RunRecord run(std::uint64_t seed, double batch, double transactions) {
  analysis::RunRecord record;
  record.seed = seed;
  record.metrics = {
      {"registry.mean_batch", analysis::Unit::ratio, analysis::Adding::none, batch},
      {"load.mean_batch", analysis::Unit::ratio, analysis::Adding::none, transactions}};
  return record;
}

Claim claim(const std::string& figure, std::optional<double> from, std::optional<double> to,
            ClaimLevel level = ClaimLevel::mechanism) {
  Claim made;
  made.id = "test";
  made.level = level;
  made.figure = figure;
  made.factors = product_of(figure);
  made.from = from;
  made.to = to;
  return made;
}

ClaimResult result_of(const Claim& claim, FigurePoints points, const std::vector<Records>& records,
                      std::uint64_t least = 2) {
  points.keys.resize(points.at.size());
  std::vector<PointEstimates> estimates(records.begin(), records.end());
  std::vector<const PointEstimates*> list;
  for (const PointEstimates& each : estimates) list.push_back(&each);
  return claim_result(claim, points, list, least);
}

ClaimVerdict verdict(const Claim& claim, const Records& records) {
  return result_of(claim, {{0}, {}}, {records}).verdict;
}

// 100 +- 6.35: Student's half-width with one degree is 12.7062 / 2 for values that are 1 apart.
Records around(double value) { return {run(1, value - 0.5, 7), run(2, value + 0.5, 7)}; }

}  // namespace

TEST_CASE("claims: a study file states them, each about points of its own") {
  const StudyPlan plan =
      plan_of(kTwoPoints + kWhole + named("b") + "at = [\"registry.shards == 2\"]\n" + named("c") +
              "beside = \"registry.shards == 1\"\n" + R"([[claim]]
id = "G-21"
level = "X"
says = "billions a day"
source = "Photon, 4"
reason = "too large"
)");
  REQUIRE(plan.study().claims.size() == 4);
  CHECK(plan.study().claims[0].level == ClaimLevel::mechanism);
  CHECK(plan.study().claims[0].from == 6.0);
  CHECK(plan.study().claims[0].to == 12.0);
  CHECK(plan.study().claims[3].level == ClaimLevel::refused);
  using Places = std::vector<std::size_t>;
  CHECK(plan.claims()[0].at == Places{0, 1});
  CHECK(plan.claims()[1].at == Places{1});
  // Not beside itself.
  CHECK(plan.claims()[2].at == Places{1});
  CHECK(plan.claims()[2].beside == 0U);
  CHECK(plan.claims()[3].at.empty());
}

TEST_CASE("claims: what is missing, unknown or of another unit is refused") {
  const auto refused = [](const std::string& text) { return problem_of(base() + text); };
  CHECK(refused(kTwoPoints + kWhole).empty());
  for (const char* key : {"id", "says", "source", "level", "figure", "band"}) {
    CAPTURE(key);
    CHECK_THAT(refused(without(key)), Catch::Contains(std::string("has no `") + key + "`"));
  }
  CHECK_THAT(refused(with("level", "\"Q\"")), Catch::Contains("there is no level 'Q'"));
  CHECK_THAT(refused(with("figure", "\"load.mean_bach\"")), Catch::Contains("load.mean_batch"));
  CHECK_THAT(refused(with("figure", "\"load.mean_batch /\"")), Catch::Contains("Unexpected end"));
  CHECK_THAT(refused(with("band", "{from = 12, to = 6}")), Catch::Contains("ends before"));
  CHECK_THAT(refused(with("band", "{to = \"7s\"}")), Catch::Contains("has another unit"));
  CHECK_THAT(refused(with("band", "{to = 5, at = 6}")), Catch::Contains("has no key 'at'"));
  CHECK_THAT(refused(with("level", "\"X\"")), Catch::Contains("`reason`"));
  CHECK_THAT(refused(with("level", "\"X\"") + "reason = \"too large\"\n"),
             Catch::Contains("level X has a figure"));
  CHECK_THAT(refused(with("level", "\"\"")), Catch::Contains("there is no level ''"));
  CHECK_THAT(refused(with("figure", "\"latency.insert.p99 / latency.commit.mean\"")),
             Catch::Contains("is a quantile in a product"));
  CHECK_THAT(
      refused(with("figure", "\"latency.own.mean\"") + "beside = \"registry.shards == 1\"\n"),
      Catch::Contains("no run of this study measures latency.own.mean"));
  CHECK_THAT(refused(kTwoPoints + kWhole + kWhole), Catch::Contains("two claims 'G-10'"));
  CHECK_THAT(refused("[search]\npoints = 9\nover = {\"registry.shards\" = [1, 2, 3]}\n[answer]\n"
                     "best = \"load.mean_batch\"\n" +
                     kWhole),
             Catch::Contains("[search] cannot be combined with [[claim]]"));
  CHECK_THAT(refused(kTwoPoints + kWhole + "at = \"registry.shards == 1\"\n" +
                     "beside = \"registry.shards == 1\"\n"),
             Catch::Contains("`at` admits no point"));
  CHECK_THAT(refused(kTwoPoints + kWhole + "at = \"registry.shards == 9\"\n"),
             Catch::Contains("`at` admits no point"));
  CHECK_THAT(refused(kTwoPoints + kWhole + "at = \"registry.shrds == 2\"\n"),
             Catch::Contains("there is no key 'registry.shrds'"));
  CHECK_THAT(refused(kTwoPoints + kWhole + "beside = \"registry.shards < 9\"\n"),
             Catch::Contains("`beside` admits 2 points"));
}

TEST_CASE("claims: a ratio beside another point has no unit, and a rate is a plain number") {
  const std::string latency = with("figure", "\"latency.insert.mean\"");
  CHECK_THAT(problem_of(base() + latency), Catch::Contains("has another unit"));
  CHECK(problem_of(base() + latency + "beside = \"registry.shards == 1\"\n").empty());
  CHECK(problem_of(base() + with("figure", "\"load.transactions_per_second\"")).empty());
}

TEST_CASE("claims: G-00e where days are divided, a time of a run is none of the deployment") {
  const std::string divided = "[set]\n\"scale.time\" = 100\n";
  const auto refused = [&](const std::string& text) { return problem_of(base() + divided + text); };
  const std::string head = kTwoPoints +
                           "[[claim]]\nid = \"a\"\nlevel = \"M\"\nsays = \"b\"\nsource = \"c\"\n"
                           "figure = \"latency.commit.mean\"\n";
  CHECK_THAT(refused(head + "band = {to = \"1s\"}\n"),
             Catch::Contains("is a time or a rate, and scale.time"));
  CHECK(problem_of(base() + head + "band = {to = \"1s\"}\n").empty());
  CHECK(refused(head + "theory = \"latency.insert.mean\"\nband = {share = \"3%\"}\n").empty());
  CHECK_THAT(refused(head + "theory = \"0.03\"\nband = {share = \"3%\"}\n"),
             Catch::Contains("is a time or a rate"));
  CHECK(refused(head + "beside = \"registry.shards == 1\"\nband = {to = 2}\n").empty());
}

TEST_CASE("claims: reproduced if the whole interval is in the band, missed if none of it is") {
  const std::string figure = "registry.mean_batch";
  CHECK(verdict(claim(figure, 93, 107), around(100)) == ClaimVerdict::reproduced);
  CHECK(verdict(claim(figure, 94, 107), around(100)) == ClaimVerdict::undecided);
  CHECK(verdict(claim(figure, 93, 106), around(100)) == ClaimVerdict::undecided);
  CHECK(verdict(claim(figure, 107, 200), around(100)) == ClaimVerdict::missed);
  CHECK(verdict(claim(figure, 0, 93), around(100)) == ClaimVerdict::missed);
  CHECK(verdict(claim(figure, {}, 107), around(100)) == ClaimVerdict::reproduced);
  CHECK(verdict(claim(figure, 107, {}), around(100)) == ClaimVerdict::missed);
  CHECK(verdict(claim(figure, 93, {}, ClaimLevel::exact), around(100)) == ClaimVerdict::reproduced);
  CHECK(verdict(claim(figure, 93, {}, ClaimLevel::calibrated), around(100)) ==
        ClaimVerdict::consistent);
  CHECK(verdict(claim(figure, 93, {}, ClaimLevel::trend), around(100)) == ClaimVerdict::trend);
  CHECK(verdict(claim("lost", 0, 1), around(100)) == ClaimVerdict::not_measured);
  CHECK(verdict(claim(figure, 0, 1000), {run(1, 100, 7)}) == ClaimVerdict::not_measured);
  Claim refused = claim("", {}, {}, ClaimLevel::refused);
  CHECK(verdict(refused, around(100)) == ClaimVerdict::refused);
}

TEST_CASE("claims: runs that all agree are as sure as one value") {
  const Records agree{run(1, 9, 0), run(2, 9, 0), run(3, 9, 0)};
  CHECK(verdict(claim("registry.mean_batch", 9, 9), agree) == ClaimVerdict::reproduced);
  CHECK(verdict(claim("registry.mean_batch", 9.1, 10), agree) == ClaimVerdict::missed);
}

TEST_CASE("claims: a product is taken run by run, a ratio seed by seed") {
  // 100 in each run; the product of the means is 136.
  const Records product{run(1, 50, 2), run(2, 100, 1), run(3, 200, 0.5)};
  const ClaimResult same =
      result_of(claim("registry.mean_batch * load.mean_batch", 99, 101), {{0}, {}}, {product});
  CHECK(same.verdict == ClaimVerdict::reproduced);
  CHECK(same.estimate.value == Approx(100));
  CHECK(same.estimate.n == 3);
  const Records quotient{run(1, 50, 0.5), run(2, 100, 1), run(3, 200, 2)};
  const ClaimResult divided =
      result_of(claim("registry.mean_batch / load.mean_batch * 2", {}, {}), {{0}, {}}, {quotient});
  CHECK(divided.estimate.value == Approx(200));
  // Seeds in another order, and one that the other point lacks.
  const Records first{run(1, 20, 1), run(2, 40, 1), run(3, 90, 1), run(4, 1, 1)};
  const Records second{run(3, 30, 1), run(2, 13, 1), run(1, 7, 1)};
  const ClaimResult ratio =
      result_of(claim("registry.mean_batch", 2.5, 3.5), {{0}, 1}, {first, second});
  CHECK(ratio.estimate.n == 3);
  CHECK(ratio.estimate.value == Approx((20.0 / 7 + 40.0 / 13 + 90.0 / 30) / 3));
  CHECK(ratio.verdict == ClaimVerdict::reproduced);
  CHECK(ratio.unit == analysis::Unit::ratio);
  const Records zero{run(1, 0, 1), run(2, 0, 1)};
  CHECK(result_of(claim("registry.mean_batch", 0, 9), {{0}, 1}, {first, zero}).verdict ==
        ClaimVerdict::not_measured);
}

TEST_CASE("claims: failed runs, and latencies of runs that cannot keep up, support none") {
  const auto with_latency = [](double stationary) {
    Records list = around(100);
    for (auto& each : list) {
      each->metrics.push_back(
          {"registry.insert_latency.mean", analysis::Unit::seconds, analysis::Adding::none, 0.1});
      each->metrics.push_back(
          {"capacity.stationary", analysis::Unit::count, analysis::Adding::none, stationary});
    }
    return list;
  };
  const Claim latency = claim("latency.registry_insert.mean", 0.1, 0.1);
  CHECK(verdict(latency, with_latency(1)) == ClaimVerdict::reproduced);
  CHECK(verdict(latency, with_latency(0)) == ClaimVerdict::undecided);
  CHECK(verdict(claim("registry.mean_batch", 90, 110), with_latency(0)) ==
        ClaimVerdict::reproduced);
  CHECK(verdict(claim("latency.registry_insert.mean", 1, 2), with_latency(0)) ==
        ClaimVerdict::undecided);
  const ClaimResult beside = result_of(claim("latency.registry_insert.mean", 1, 1), {{0}, 1},
                                       {with_latency(1), with_latency(0)});
  CHECK(beside.verdict == ClaimVerdict::undecided);
  Records failed = around(100);
  failed.emplace_back(run(3, 100, 7));
  failed.back()->exit_code = 3;
  CHECK(verdict(claim("registry.mean_batch", 90, 110), failed) == ClaimVerdict::undecided);
}

TEST_CASE("claims: events that no run has may be rare, unless zero is the claim") {
  const auto none_lost = [](std::size_t n) {
    Records list;
    for (std::size_t seed = 1; seed <= n; ++seed) {
      analysis::RunRecord& record = *list.emplace_back(run(seed, 1, 1));
      record.metrics.push_back({"lost", analysis::Unit::count, analysis::Adding::sum, 0});
      record.metrics.push_back({"joinable", analysis::Unit::count, analysis::Adding::sum, 2000});
    }
    return list;
  };
  CHECK(verdict(claim("lost", 0, 0), none_lost(20)) == ClaimVerdict::reproduced);
  CHECK(verdict(claim("lost", {}, 1e-6), none_lost(20)) == ClaimVerdict::undecided);
  CHECK(verdict(claim("lost / joinable", {}, 1e-6), none_lost(20)) == ClaimVerdict::undecided);
  // 1 - 0.05^(1/20) = 0.139
  CHECK(verdict(claim("lost", {}, 0.14), none_lost(20)) == ClaimVerdict::reproduced);
  CHECK(verdict(claim("lost", {}, 0.138), none_lost(20)) == ClaimVerdict::undecided);
  CHECK(result_of(claim("lost", 0, 0), {{0}, {}}, {none_lost(20)}).unit == analysis::Unit::count);
}

TEST_CASE(
    "claims: fewer replications than asked decide nothing, nor do points without a seed in "
    "common") {
  const Claim band = claim("registry.mean_batch", 90, 110);
  CHECK(result_of(band, {{0}, {}}, {around(100)}, 2).verdict == ClaimVerdict::reproduced);
  CHECK(result_of(band, {{0}, {}}, {around(100)}, 3).verdict == ClaimVerdict::undecided);
  CHECK(result_of(claim("registry.mean_batch", 2, {}), {{0}, {}}, {around(100)}, 3).verdict ==
        ClaimVerdict::undecided);
  const Records other{run(8, 50, 1), run(9, 50, 1)};
  CHECK(result_of(claim("registry.mean_batch", 1, 3), {{0}, 1}, {around(100), other}).verdict ==
        ClaimVerdict::not_measured);
}

TEST_CASE("claims: beside theory the band is about the distance of each replication from it") {
  const auto parsed = [](const char* text) { return Formula::parse(text).formula; };
  // The figure is 2 % above its theory in each replication, though it varies by a factor of four.
  const Records records{run(1, 51, 2), run(2, 102, 1), run(3, 204, 0.5)};
  Claim near = claim("registry.mean_batch", 0.97, 1.03);
  near.theory = parsed("100 / load.mean_batch");
  near.against = Claim::Against::share;
  const ClaimResult share = result_of(near, {{0}, {}}, {records});
  CHECK(share.verdict == ClaimVerdict::reproduced);
  CHECK(share.estimate.value == Approx(119));
  CHECK(share.theory == Approx(350.0 / 3));
  CHECK(share.judged->low == Approx(1.02));
  near.from = 0.99, near.to = 1.01;
  CHECK(result_of(near, {{0}, {}}, {records}).verdict == ClaimVerdict::missed);
  near.against = Claim::Against::difference;
  near.from = -5, near.to = 5;
  CHECK(result_of(near, {{0}, {}}, {records}).verdict == ClaimVerdict::undecided);
  near.from = -7, near.to = 7;  // 7/3 +- 4.303 * 1.528 / sqrt(3)
  CHECK(result_of(near, {{0}, {}}, {records}).verdict == ClaimVerdict::reproduced);
  near.theory = parsed("lost");
  const ClaimResult none = result_of(near, {{0}, {}}, {records});
  CHECK(none.verdict == ClaimVerdict::not_measured);
  CHECK(none.estimate.value == Approx(119));
  // Beside it a band of plain ends is about the figure.
  Claim plain = claim("registry.mean_batch", 0, 400);
  plain.theory = parsed("5");
  const ClaimResult shown = result_of(plain, {{0}, {}}, {records});
  CHECK(shown.theory == 5.0);
  CHECK(shown.judged->low == shown.interval->low);
}

TEST_CASE("claims: theory names keys of each point, figures, closed forms and durations") {
  const std::string theory =
      and_theory("\"waste_of_scan_phase(100ms, registry.shards * 1s) / load.mean_batch\"");
  const StudyPlan plan = plan_of(theory);
  REQUIRE(plan.claims().size() == 1);
  CHECK(plan.claims()[0].keys[0].at("registry.shards") == 1);
  CHECK(plan.claims()[0].keys[1].at("registry.shards") == 2);
  const auto value = plan.study().claims[0].theory->value(
      [](const std::string& name) { return name == "load.mean_batch" ? 0.5 : 2.0; });
  CHECK(value == Approx((1 - 0.95 * 0.95) / 0.5));
  CHECK(!Formula::parse("1 / lost").formula->value([](const std::string&) { return 0.0; }));
  CHECK(!Formula::parse("waste_of_scan_phase(1, lost)").formula->value([](const std::string&) {
    return -1.0;
  }));
  const auto refused = [](const std::string& text) { return problem_of(base() + text); };
  CHECK_THAT(refused(and_theory("\"1 / (load.mean_batch\"")), Catch::Contains("parenthesis"));
  CHECK_THAT(refused(and_theory("\"load.mean_bach\"")),
             Catch::Contains("'load.mean_bach' is no figure, and no key with a number"));
  CHECK_THAT(refused(and_theory("\"registry.master_placement\"")),
             Catch::Contains("no key with a number"));
  CHECK_THAT(refused(and_theory("\"latency.insert.p99\"")), Catch::Contains("is a quantile"));
  CHECK_THAT(refused(with("band", "{share = \"3%\"}")), Catch::Contains("there is none"));
  const std::string both = "theory = \"3\"\n";
  CHECK(refused(with("band", "{share = \"3%\"}") + both).empty());
  CHECK(refused(with("band", "{difference = 2}") + both).empty());
  CHECK_THAT(refused(with("band", "{share = \"3s\"}") + both), Catch::Contains("another unit"));
  CHECK_THAT(refused(with("band", "{difference = \"3s\"}") + both),
             Catch::Contains("another unit"));
  CHECK_THAT(refused(with("band", "{share = \"-3%\"}") + both), Catch::Contains("no width"));
  CHECK_THAT(refused(with("band", "{share = \"3%\", from = 2}") + both),
             Catch::Contains("several ways"));
}

TEST_CASE("claims: a figure may be a formula, with the unit that follows from its figures") {
  const std::string sum = "latency.insert.mean + latency.commit.mean";
  const auto has_another_unit = [](const std::string& figure) {
    return problem_of(base() + with("figure", "\"" + figure + "\"")).find("has another unit") !=
           std::string::npos;
  };
  CHECK(has_another_unit(sum));
  CHECK(has_another_unit("(" + sum + ") * latency.insert.mean"));
  CHECK_FALSE(has_another_unit("(" + sum + ") / latency.insert.mean"));
  CHECK_FALSE(has_another_unit("(" + sum + ") * load.transactions_per_second"));
  const StudyPlan plan = plan_of(with("figure", "\"registry.mean_batch + 2 * load.mean_batch\""));
  const Claim& stated = plan.study().claims[0];
  const ClaimResult result =
      result_of(stated, {{0}, {}}, {{run(1, 3.5, 2), run(2, 4.5, 2), run(3, 4, 2)}}, 3);
  CHECK(result.estimate.value == Approx(8));
  CHECK(result.verdict == ClaimVerdict::reproduced);
  CHECK_THAT(problem_of(base() + with("figure", "\"load.mean_bach + 1\"")),
             Catch::Contains("there is no metric 'load.mean_bach'"));
}

TEST_CASE("claims: what a test shows has no figure") {
  const std::string test =
      "id = \"G-22\"\nlevel = \"E\"\nsays = \"x\"\nsource = \"y\"\n"
      "test = \"photon_tests \\\"B-53*\\\"\"\n";
  const StudyPlan plan = plan_of(kTwoPoints + "[[claim]]\n" + test);
  CHECK(plan.claims()[0].at.empty());
  CHECK(claim_result(plan.study().claims[0], plan.claims()[0], {}, 2).verdict ==
        ClaimVerdict::tested);
  CHECK_THAT(problem_of(base() + kTwoPoints + "[[claim]]\n" + test + "band = {to = 2}\n"),
             Catch::Contains("that a test shows"));
}

TEST_CASE("claims: of several points the worst counts, of equal ones the nearest to an end") {
  const Claim band = claim("registry.mean_batch", 50, 150);
  const auto worst = [&](const std::vector<Records>& records) {
    FigurePoints points;
    for (std::size_t i = 0; i < records.size(); ++i) points.at.push_back(i);
    return result_of(band, points, records);
  };
  const ClaimResult near = worst({around(100), around(140), around(70)});
  CHECK(near.point == 1U);
  CHECK(near.verdict == ClaimVerdict::reproduced);
  const ClaimResult missed = worst({around(100), around(147), around(170), around(52)});
  CHECK(missed.point == 2U);
  CHECK(missed.verdict == ClaimVerdict::missed);
}

TEST_CASE("claims: the table shows the publication's number, and marks restated bands") {
  const auto claim = [](std::string_view restated) {
    return boost::json::object{{"id", "G-10"},
                               {"level", "M"},
                               {"verdict", "reproduced"},
                               {"says", "transactions a second"},
                               {"paper", "6 to 12 a second"},
                               {"shown", "9.9 [9.8, 10]"},
                               {"band", "6 to 12"},
                               {"n", 20},
                               {"restated", restated},
                               {"test", ""}};
  };
  const std::string plain = claims_table({claim("")});
  CHECK_THAT(plain, Catch::Contains("paper") && Catch::Contains("6 to 12 a second") &&
                        Catch::Contains("transactions a second"));
  CHECK(plain.find('*') == std::string::npos);
  CHECK_THAT(claims_table({claim(""), claim("the first run showed 13")}),
             Catch::Contains("G-10 *") && Catch::EndsWith("* the band was restated after a run\n"));
  // Earlier versions wrote what is claimed as `paper`.
  boost::json::object earlier = claim("");
  earlier.erase("says");
  earlier.erase("restated");
  const std::string old = claims_table({earlier});
  CHECK(old.find("6 to 12 a second") > old.find("20"));
}

}  // namespace photonsim::campaigns
