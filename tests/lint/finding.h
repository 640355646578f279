// What a lint rule reports.
#pragma once

#include <string>
#include <vector>

namespace photonsim::lint {

// One breach of one rule at one place. `message` says what is wrong and what to do instead.
struct Finding {
  std::string file;  // path from the root of the repository
  int line = 0;      // 1-based; 0 for the file as a whole
  std::string rule;
  std::string message;
};

using Findings = std::vector<Finding>;

}  // namespace photonsim::lint
