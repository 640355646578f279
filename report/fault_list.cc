#include "report/fault_list.h"

#include <span>
#include <string>
#include <utility>
#include <variant>

#include <boost/json/array.hpp>

namespace photonsim::report {

namespace analysis = photon::analysis;
namespace json = boost::json;

photon::Result<json::object, analysis::FileError> fault_list(const analysis::ResultReader& results,
                                                             std::int64_t run) {
  const analysis::RowsOf what{
      "fault", {"number", "description", "at_ns / 1e9", "effective"}, "number"};
  json::array number, description, at, effective;
  std::uint64_t more = 0;
  const auto take = [&](std::span<const analysis::Cell> row) {
    if (number.size() == kFaultsMost) {
      ++more;
      return;
    }
    number.emplace_back(std::get<std::int64_t>(row[0]));
    description.emplace_back(std::get<std::string>(row[1]));
    at.emplace_back(std::get<double>(row[2]));
    effective.emplace_back(std::get<std::int64_t>(row[3]) != 0);
  };
  if (auto read = results.read_rows(what, run, take); !read) return std::move(read).assume_error();
  return json::object{{"number", std::move(number)},
                      {"description", std::move(description)},
                      {"at_seconds", std::move(at)},
                      {"effective", std::move(effective)},
                      {"more", more}};
}

}  // namespace photonsim::report
