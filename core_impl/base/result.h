// Errors as values: Boost.Outcome's result with an error type of the caller's choice.
#pragma once

#include <boost/outcome/basic_result.hpp>
#include <boost/outcome/policy/all_narrow.hpp>

namespace photon {

template <class Value, class Error>
using Result = boost::outcome_v2::basic_result<Value, Error, boost::outcome_v2::policy::all_narrow>;

}  // namespace photon
