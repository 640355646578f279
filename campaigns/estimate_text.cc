#include "campaigns/estimate_text.h"

#include <cmath>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace photonsim::campaigns {

using photon::analysis::Estimate;
using photon::analysis::Shortage;

std::string estimate_text(const Estimate& estimate, const Spelling& spelled) {
  const std::string value = spelled(estimate.value);
  if (estimate.interval) {
    return fmt::format("{} [{}, {}]", value, spelled(estimate.interval->low),
                       spelled(estimate.interval->high));
  }
  if (estimate.shortage == Shortage::no_event) {
    return fmt::format("{} (in none of {})", value, estimate.n);
  }
  return value + (estimate.shortage == Shortage::no_spread ? " (all agree)" : " (n too small)");
}

boost::json::object estimate_object(const Estimate& estimate) {
  boost::json::object object{{"mean", estimate.value}, {"low", nullptr}, {"high", nullptr}};
  object["n"] = estimate.n;
  if (estimate.interval) {
    object["low"] = estimate.interval->low;
    object["high"] = estimate.interval->high;
  }
  return object;
}

boost::json::value json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? boost::json::value(*value) : boost::json::value(nullptr);
}

}  // namespace photonsim::campaigns
