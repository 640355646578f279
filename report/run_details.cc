#include "report/run_details.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "report/fault_list.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

constexpr std::size_t kRunsMost = 8;

struct Limit {
  std::string_view list;
  std::size_t most;
};
// Lists that grow with the run; what matters most stands first.
constexpr std::array<Limit, 3> kLimits{
    {{"losses", 100}, {"violations", 50}, {"around_faults", 60}}};

// Removes what stands behind the limit; the number of removed rows.
std::size_t shorten(json::array& list, std::size_t most) {
  if (list.size() <= most) return 0;
  const std::size_t more = list.size() - most;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return more;
}

json::object details_of(const analysis::ExportedDetails& details, std::int64_t run) {
  boost::system::error_code error;
  json::value parsed = json::parse(details.summary, error);
  json::object object;
  if (!error && parsed.is_object()) object = std::move(parsed.get_object());
  json::object shortened;
  for (const Limit& limit : kLimits) {
    json::value* const list = object.if_contains(limit.list);
    if (list == nullptr || !list->is_array()) continue;
    const std::size_t more = shorten(list->get_array(), limit.most);
    if (more > 0) shortened[limit.list] = more;
  }
  json::object manifest;
  for (const auto& [name, value] : details.manifest) manifest[name] = value;
  object["run"] = run;
  object["manifest"] = std::move(manifest);
  object["shortened"] = std::move(shortened);
  return object;
}

}  // namespace

photon::Result<json::array, analysis::FileError> run_details(const analysis::ResultReader& results,
                                                             const ReportPoints& points) {
  json::array list;
  for (const ReportPoint& point : points.list) {
    for (const ReportRun& run : point.runs) {
      if (list.size() == kRunsMost) return list;
      auto details = results.read_details(run.id);
      if (!details) return std::move(details).assume_error();
      if (!details.assume_value()) continue;
      auto faults = fault_list(results, run.id);
      if (!faults) return std::move(faults).assume_error();
      json::object object = details_of(*details.assume_value(), run.id);
      object["fault_list"] = std::move(faults).assume_value();
      list.push_back(std::move(object));
    }
  }
  return list;
}

}  // namespace photonsim::report
