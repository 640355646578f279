#include "campaigns/outcome.h"

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace photonsim::campaigns {

namespace json = boost::json;

std::string campaign_outcome(const CampaignFrame& frame, const std::vector<CiFailure>& unmet,
                             const std::vector<MinimizedFailure>& minimized,
                             const std::string& program) {
  json::array misses, failures;
  for (const CiFailure& each : unmet) {
    misses.push_back(json::object{{"what", each.what}, {"remedy", each.remedy}});
  }
  for (const MinimizedFailure& each : minimized) {
    boost::system::error_code none;
    failures.push_back(json::object{{"label", each.label},
                                    {"file", each.file},
                                    {"text", each.text},
                                    {"diagram", json::parse(each.diagram, none)}});
  }
  return json::serialize(
      json::object{{"kind", "campaign"},
                   {"program", program},
                   {"ended", name_of(frame.end)},
                   {"exit_code", frame.exit_code},
                   {"first_seed", std::to_string(frame.first_seed)},
                   {"last_seed", std::to_string(frame.last_seed)},
                   {"overrides", json::array(frame.overrides.begin(), frame.overrides.end())},
                   {"unmet", std::move(misses)},
                   {"minimized", std::move(failures)}});
}

}  // namespace photonsim::campaigns
