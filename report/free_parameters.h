// The inputs that a publication leaves open, as a results file knows them from a study that varied
// them (Morris' design): the value that each has, its range, and how much it moves each figure
// (SPEC G-00c).
#pragma once

#include <string>

#include <boost/json/array.hpp>

namespace photonsim::report {

// A table for each such study; empty without one. `studies`: what they concluded, each name once.
std::string free_parameters_text(const boost::json::array& studies);

}  // namespace photonsim::report
