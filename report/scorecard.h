// The scorecard of a results file: the claims that its studies judged (SPEC G).
#pragma once

#include <string>

#include <boost/json/array.hpp>

namespace photonsim::report {

// The objects of all claims, each with the name of its study, in the order of their ids. `studies`:
// what the studies concluded, the oldest first; of several of one name, such as those of two
// versions of the program, the last counts. A study that has not ended has none.
boost::json::array scorecard(const boost::json::array& studies);

// How many have each verdict, which studies have not ended, a table, and the open inputs.
std::string scorecard_text(const boost::json::array& studies);

// None is missed, undecided or not measured, and every study has ended. What a test shows counts as
// held: scenarios/paper/run-all runs these tests.
bool all_claims_hold(const boost::json::array& studies);

}  // namespace photonsim::report
