#include "tests/report/results.h"

#include <utility>

#include <boost/json/object.hpp>

#include "report/report_data.h"

namespace photonsim::report::testing {

boost::json::object data_of(const std::string& file) {
  auto reader = analysis::ResultReader::open(file);
  REQUIRE(reader.has_value());
  auto data = report_data(reader.assume_value(), "r.sqlite");
  REQUIRE(data.has_value());
  return std::move(data).assume_value();
}

}  // namespace photonsim::report::testing
