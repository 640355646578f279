// The cells that tell the points of a study apart: a column for each axis that varies, or for each
// key where the choices of an axis set unlike keys.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaigns/studies/study_plan.h"

namespace photonsim::campaigns {

class PointColumns {
 public:
  explicit PointColumns(const std::vector<StudyPoint>& points);

  std::vector<std::string> headers() const;
  std::vector<std::string> cells(const StudyPoint& point) const;

 private:
  struct Column {
    std::string name{};
    std::optional<std::size_t> axis{};  // nothing: of the key with this name
  };

  void add_keys_of(const StudyPoint& point, std::size_t axis, std::set<std::string>& seen);

  std::vector<Column> columns_{};
};

}  // namespace photonsim::campaigns
