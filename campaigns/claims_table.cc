#include "campaigns/claims_table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "campaigns/text_table.h"

namespace photonsim::campaigns {

std::string claims_table(const boost::json::array& claims) {
  TextTable table({"claim", "", "verdict", "paper", "simulated", "band", "n", "says"});
  for (const boost::json::value& each : claims) {
    const auto text = [&](std::string_view name) {
      const boost::json::value* const found = each.as_object().if_contains(name);
      return found == nullptr || !found->is_string()
                 ? std::string()
                 : std::string(std::string_view(found->as_string()));
    };
    // Results files of earlier versions have what is claimed as `paper`.
    const bool earlier = !each.as_object().contains("says");
    const std::string says = text(earlier ? "paper" : "says");
    std::vector<std::string> cells{text("id") + (text("restated").empty() ? "" : " *"),
                                   text("level"), text("verdict")};
    cells.push_back(earlier ? std::string() : text("paper"));
    if (text("shown").empty()) {  // no run was asked
      cells.push_back(says + ": " + text(text("test").empty() ? "reason" : "test"));
    } else {
      cells.push_back(text("shown"));
      cells.push_back(text("band"));
      cells.push_back(fmt::format("{}", each.at("n").to_number<std::uint64_t>()));
      cells.push_back(says);
    }
    table.row(std::move(cells));
  }
  const bool restated = std::ranges::any_of(claims, [](const boost::json::value& each) {
    const boost::json::value* const found = each.as_object().if_contains("restated");
    return found != nullptr && found->is_string() && !found->as_string().empty();
  });
  return table.text() + (restated ? "* the band was restated after a run\n" : "");
}

}  // namespace photonsim::campaigns
