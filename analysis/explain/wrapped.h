// Text broken into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace photon::analysis {

// Lines of at most `width` characters, broken at blanks, each after `indent`, which is not counted.
// Line breaks in the text stay; the last line ends without one. A longer word has its own line.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace photon::analysis
