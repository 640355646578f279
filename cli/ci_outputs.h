// What fuzz hands to the machines that build and test (campaigns/campaign_ci.h): a file, and lines
// on stderr.
#pragma once

#include <string>

#include "campaigns/campaign_ci.h"

namespace photonsim::cli {

struct CiOutputs {
  std::string junit{};  // a file; empty: none
  bool github = false;  // annotations on stderr

  // Says why and returns false if the file cannot be written: before a campaign, which leaves what
  // has the name as it is, and behind it.
  [[nodiscard]] bool can_write_file() const;
  [[nodiscard]] bool write_file(const photon::analysis::CiReport& report) const;
  void annotate(const photon::analysis::CiReport& report) const;
};

}  // namespace photonsim::cli
