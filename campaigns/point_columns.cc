#include "campaigns/point_columns.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Whether the value of an unlabelled list, "a=1, b=2", has this setting: "a=1" is not in "a=16".
bool names_setting(std::string_view list, std::string_view setting) {
  for (std::size_t at = list.find(setting); at != std::string_view::npos;
       at = list.find(setting, at + 1)) {
    const std::string_view rest = list.substr(at + setting.size());
    const bool begins = at == 0 || list.substr(0, at).ends_with(", ");
    if (begins && (rest.empty() || rest.starts_with(", "))) return true;
  }
  return false;
}

}  // namespace

PointColumns::PointColumns(const std::vector<StudyPoint>& points) {
  if (points.empty()) return;
  std::set<std::string> seen;  // keys that have a column
  for (std::size_t i = 0; i < points.front().choices.size(); ++i) {
    const std::string& name = points.front().choices[i].name;
    const std::string& first = points.front().choices[i].value;
    const bool varies = std::ranges::any_of(
        points, [&](const StudyPoint& each) { return each.choices[i].value != first; });
    if (name == kSettingsAxis) {
      for (const StudyPoint& point : points) add_keys_of(point, i, seen);
    } else if (varies) {
      columns_.push_back({name, i});
    }
  }
}

std::vector<std::string> PointColumns::headers() const {
  // A zipped axis has the names of all of its keys: "registry.lease, registry.election_timeout".
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> keys;
  std::vector<std::size_t> counts;  // of the keys of each column
  for (const Column& each : columns_) {
    const std::size_t before = keys.size();
    for (std::size_t at = 0; at <= each.name.size();) {
      const std::size_t end = std::min(each.name.find(kBetween, at), each.name.size());
      keys.push_back(each.name.substr(at, end - at));
      at = end + kBetween.size();
    }
    counts.push_back(keys.size() - before);
  }
  keys = shortened(keys);
  std::vector<std::string> headers;
  std::size_t key = 0;
  for (const std::size_t count : counts) {
    std::string header = keys[key++];
    for (std::size_t i = 1; i < count; ++i) header += std::string(kBetween) + keys[key++];
    headers.push_back(std::move(header));
  }
  return headers;
}

std::vector<std::string> PointColumns::cells(const StudyPoint& point) const {
  std::vector<std::string> list;
  for (const Column& each : columns_) {
    const auto found = std::ranges::find(point.parameters, each.name, &analysis::Parameter::name);
    list.push_back(each.axis                         ? point.choices[*each.axis].value
                   : found == point.parameters.end() ? std::string()
                                                     : found->value);
  }
  return list;
}

void PointColumns::add_keys_of(const StudyPoint& point, std::size_t axis,
                               std::set<std::string>& seen) {
  for (const auto& [key, value] : point.parameters) {
    if (!names_setting(point.choices[axis].value, key + "=" + value)) continue;
    if (seen.insert(key).second) columns_.push_back({key, std::nullopt});
  }
}

}  // namespace photonsim::campaigns
