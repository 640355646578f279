// The short form of a report for a comment on a pull request.
#pragma once

#include <string>

#include <boost/json/object.hpp>

namespace photonsim::report {

// Of the data of a report (report_data.h): verdict, a row for each point, the groups of failures.
// Text of others is escaped: it adds no markup.
std::string markdown(const boost::json::object& data);

}  // namespace photonsim::report
