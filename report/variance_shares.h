// How much of a figure's variance over a full grid each parameter explains.
#pragma once

#include <boost/json/object.hpp>

namespace photonsim::report {

// Sobol's indices (Mathematics and Computers in Simulation 55, 2001) of the grid itself: each value
// of a parameter as likely as any other, each configuration counted once. Of the variance of a
// figure between the configurations, `first` is the share of the parameter alone, `total` that of
// all in which it takes part: without it nothing would be left of them. `luck` is what the
// intervals leave open: the mean variance of an estimate as a share of the whole.
//
// {missing, metric, parameter, first, total, luck}: a row for each figure and parameter; `missing`
// says why there are none. Parameters that only follow another one are left out.
//
// `parameters`, `points`, `metrics`: as point_data.h makes them.
boost::json::object variance_shares(const boost::json::object& parameters,
                                    const boost::json::object& points,
                                    const boost::json::object& metrics);

}  // namespace photonsim::report
