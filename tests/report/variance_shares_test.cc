// Shares of variance over a grid, beside the values that formulas give.
#include "report/variance_shares.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>

#include "tests/support/catch.h"

namespace photonsim::report {
namespace {

namespace json = boost::json;

// y = f(a, b) over a in {0, 1, 2} and b in {0, 1}, each point with an interval of this half width.
template <typename Function>
json::object shares(Function f, double half, bool stationary = true, std::size_t left_out = 0) {
  json::array a, b, twin, value, low, high, n, known;
  for (std::size_t i = left_out; i < 6; ++i) {
    a.emplace_back(std::to_string(i / 2));
    b.emplace_back(std::to_string(i % 2));
    twin.emplace_back(std::string(i % 2 == 0 ? "even" : "odd"));
    const double y = f(static_cast<double>(i / 2), static_cast<double>(i % 2));
    value.emplace_back(y);
    low.emplace_back(y - half / 3);  // cut off
    high.emplace_back(y + half);
    n.emplace_back(3);
    known.emplace_back(stationary || i > left_out);
  }
  return variance_shares(
      {{"a", a}, {"b", b}, {"twin", twin}}, {{"stationary", known}},
      {{"y", json::object{{"value", value}, {"low", low}, {"high", high}, {"n", n}}}});
}

double at(const json::object& table, std::string_view column, std::size_t row) {
  return table.at(column).as_array()[row].to_number<double>();
}

}  // namespace

TEST_CASE("variance shares: a sum has no interactions") {
  // Var(3a) = 9 * 2/3, Var(2b) = 4 * 1/4.
  const json::object table = shares([](double a, double b) { return 3 * a + 2 * b; }, 0);
  CHECK(table.at("missing") == "");
  CHECK(table.at("parameter") == json::array{"a", "b"});  // the twin follows b
  CHECK(at(table, "first", 0) == Approx(6.0 / 7));
  CHECK(at(table, "total", 0) == Approx(6.0 / 7));
  CHECK(at(table, "first", 1) == Approx(1.0 / 7));
  CHECK(at(table, "total", 1) == Approx(1.0 / 7));
  CHECK(at(table, "luck", 0) == Approx(0).margin(1e-12));
}

TEST_CASE("variance shares: of a product only the means act alone") {
  // (a - 1) b: over b its mean is (a - 1) / 2, over a 0. Var = E[(a-1)^2] E[b^2] = 2/3 * 1/2.
  const json::object table = shares([](double a, double b) { return (a - 1) * b; }, 0);
  CHECK(at(table, "first", 0) == Approx(0.5));
  CHECK(at(table, "total", 0) == Approx(1));
  CHECK(at(table, "first", 1) == Approx(0).margin(1e-12));
  CHECK(at(table, "total", 1) == Approx(0.5));
}

TEST_CASE("variance shares: luck is the mean variance of the estimates, by their longer sides") {
  // Student's factor over 3 observations: 4.302653 / sqrt 3.
  const json::object table = shares([](double a, double b) { return 3 * a + 2 * b; }, 0.9);
  CHECK(at(table, "luck", 0) == Approx(std::pow(0.9 / 4.302653, 2) / 7).epsilon(1e-5));
}

TEST_CASE("variance shares: none without a full grid that keeps up, and the reason") {
  const auto f = [](double a, double b) { return a + b; };
  const json::object overloaded = shares(f, 0, false);
  CHECK(overloaded.at("missing") == "some configurations cannot keep up");
  CHECK(overloaded.at("metric").as_array().empty());
  CHECK(shares(f, 0, true, 1).at("missing") == "the configurations are no full grid");
  CHECK(shares(f, 0, true, 4).at("missing") == "fewer than two parameters vary independently");
  const json::object constant = shares([](double, double) { return 7.0; }, 0);
  CHECK(constant.at("missing") == "");
  CHECK(constant.at("metric").as_array().empty());
}

}  // namespace photonsim::report
