#include "campaigns/text_table.h"

#include <algorithm>

namespace photonsim::campaigns {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& header : headers_) widths.push_back(header.size());
  for (const auto& cells : rows_) {
    // The last cell of a short row is a remark that runs on.
    const std::size_t aligned = cells.size() < headers_.size() ? cells.size() - 1 : cells.size();
    for (std::size_t i = 0; i < aligned; ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string text;
  const auto put = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      if (i + 1 == cells.size()) break;
      line.append(widths[i] + 2 - std::min(cells[i].size(), widths[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  put(headers_);
  for (const auto& cells : rows_) put(cells);
  return text;
}

}  // namespace photonsim::campaigns
