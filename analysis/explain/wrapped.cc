#include "analysis/explain/wrapped.h"

#include <sstream>

namespace photon::analysis {

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  std::istringstream paragraphs{std::string(text)};
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    if (!lines.empty()) lines += '\n';
    lines += indent;
    std::istringstream words(paragraph);
    std::size_t used = 0;
    for (std::string word; words >> word;) {
      if (used > 0 && used + 1 + word.size() > width) {
        (lines += '\n') += indent;
        used = 0;
      }
      lines += (used > 0 ? " " : "") + word;
      used += (used > 0 ? 1 : 0) + word.size();
    }
  }
  return lines;
}

}  // namespace photon::analysis
