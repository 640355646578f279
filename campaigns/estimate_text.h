// An estimate with its interval, as text and as JSON.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/statistics/interval.h"

namespace boost::json {
class object;
class value;
}  // namespace boost::json

namespace photonsim::campaigns {

// How one value of the estimate is spelled.
using Spelling = std::function<std::string(double)>;

// "81.0 ms [80.2 ms, 81.9 ms]"; without an interval the reason: "81.0 ms (n too small)", "0 (in
// none of 16)", "3.00 (all agree)".
std::string estimate_text(const photon::analysis::Estimate& estimate, const Spelling& spelled);

// {"mean", "low", "high", "n"}: both ends are null without an interval.
boost::json::object estimate_object(const photon::analysis::Estimate& estimate);

// null for nothing, and for what is not finite.
boost::json::value json_number(const std::optional<double>& value);

}  // namespace photonsim::campaigns
