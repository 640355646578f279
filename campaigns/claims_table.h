// Claims of publications as a table for the terminal.
#pragma once

#include <string>

namespace boost::json {
class array;
}  // namespace boost::json

namespace photonsim::campaigns {

// Of the objects that a study's report has of its claims (study_claims.cc), a row each.
std::string claims_table(const boost::json::array& claims);

}  // namespace photonsim::campaigns
