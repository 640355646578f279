// A table for the terminal: a header line, rows, columns as wide as their widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace photonsim::campaigns {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headers) : headers_(std::move(headers)) {}

  // At most as many cells as headers, and one at least. The last cell of a shorter row is a remark:
  // it runs on over the columns that are left.
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Lines end without spaces.
  std::string text() const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_{};
};

}  // namespace photonsim::campaigns
