// What the programs that wrote a results file concluded from their runs.
#pragma once

#include <boost/json/array.hpp>

#include "analysis/results/result_reader.h"

namespace photonsim::report {

// A text that is no object is left out.
struct Conclusions {
  boost::json::array studies{};    // of sweep: StudyReport::outcome()
  boost::json::array campaigns{};  // of fuzz: campaigns/outcome.h
};

photon::Result<Conclusions, photon::analysis::FileError> conclusions_of(
    const photon::analysis::ResultReader& results);

}  // namespace photonsim::report
