// Output of fuzz for CI (campaigns/campaign_ci.h): a file, and lines on stderr.
#pragma once

#include <string>

#include "campaigns/campaign_ci.h"

namespace photonsim::cli {

struct CiOutputs {
  std::string junit{};  // a file; empty: none
  bool github = false;  // annotations on stderr

  // Prints why and returns false if the file cannot be written. Called before a campaign, when it
  // leaves an existing file as it is, and after it.
  [[nodiscard]] bool can_write_file() const;
  [[nodiscard]] bool write_file(const campaigns::CiReport& report) const;
  void annotate(const campaigns::CiReport& report) const;
};

}  // namespace photonsim::cli
