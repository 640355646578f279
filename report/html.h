// The data of a report (report_data.h) as one offline page.
#pragma once

#include <string>

#include <boost/json/object.hpp>

namespace photonsim::report {

std::string html_page(const boost::json::object& data);

}  // namespace photonsim::report
