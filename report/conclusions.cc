#include "report/conclusions.h"

#include <string>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace photonsim::report {

namespace analysis = photon::analysis;
namespace json = boost::json;

photon::Result<Conclusions, analysis::FileError> conclusions_of(
    const analysis::ResultReader& results) {
  auto outcomes = results.outcomes();
  if (!outcomes) return std::move(outcomes).assume_error();
  Conclusions conclusions;
  for (const std::string& each : outcomes.assume_value()) {
    boost::system::error_code error;
    json::value outcome = json::parse(each, error);
    if (error || !outcome.is_object()) continue;
    const json::value* const kind = outcome.as_object().if_contains("kind");
    const bool campaign = kind != nullptr && *kind == "campaign";
    (campaign ? conclusions.campaigns : conclusions.studies).push_back(std::move(outcome));
  }
  return conclusions;
}

}  // namespace photonsim::report
