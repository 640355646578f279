#include "campaigns/claims_table.h"

#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "campaigns/text_table.h"

namespace photonsim::campaigns {

std::string claims_table(const boost::json::array& claims) {
  TextTable table({"claim", "", "verdict", "simulated", "band", "n", "says"});
  for (const boost::json::value& each : claims) {
    const auto text = [&](std::string_view name) {
      return std::string(std::string_view(each.at(name).as_string()));
    };
    std::vector<std::string> cells{text("id"), text("level"), text("verdict")};
    if (text("shown").empty()) {  // no run was asked
      cells.push_back(text("paper") + ": " + text(text("test").empty() ? "reason" : "test"));
    } else {
      cells.push_back(text("shown"));
      cells.push_back(text("band"));
      cells.push_back(fmt::format("{}", each.at("n").to_number<std::uint64_t>()));
      cells.push_back(text("paper"));
    }
    table.row(std::move(cells));
  }
  return table.text();
}

}  // namespace photonsim::campaigns
