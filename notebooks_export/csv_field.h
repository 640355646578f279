// One field of a CSV file.
#pragma once

#include <string>

namespace photonsim::notebooks {

// RFC 4180: quoted when it must be.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

}  // namespace photonsim::notebooks
