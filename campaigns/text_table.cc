#include "campaigns/text_table.h"

#include <algorithm>

namespace photonsim::campaigns {
namespace {

// Characters of UTF-8.
std::size_t width_of(const std::string& text) {
  constexpr unsigned kContinues = 0x80, kMask = 0xC0;
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char each) { return (static_cast<unsigned char>(each) & kMask) != kContinues; }));
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& header : headers_) widths.push_back(width_of(header));
  for (const auto& cells : rows_) {
    // The last cell of a short row is a remark that runs on.
    const std::size_t aligned = cells.size() < headers_.size() ? cells.size() - 1 : cells.size();
    for (std::size_t i = 0; i < aligned; ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }
  std::string text;
  const auto put = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      if (i + 1 == cells.size()) break;
      line.append(widths[i] + 2 - std::min(width_of(cells[i]), widths[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  put(headers_);
  for (const auto& cells : rows_) put(cells);
  return text;
}

}  // namespace photonsim::campaigns
