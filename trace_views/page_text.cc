#include "trace_views/page_text.h"

namespace photonsim::trace_views {

std::string for_script(std::string text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char each : text) {
    if (each == '<') {
      safe += "\\u003c";
    } else {
      safe += each;
    }
  }
  return safe;
}

std::string for_html(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      default:
        safe += each;
    }
  }
  return safe;
}

std::string filled(std::string_view page,
                   const std::map<std::string, std::string, std::less<>>& parts) {
  std::string text;
  while (true) {
    const auto open = page.find("{{");
    if (open == std::string_view::npos) return text + std::string(page);
    const auto close = page.find("}}", open);
    text += page.substr(0, open);
    text += parts.at(std::string(page.substr(open + 2, close - open - 2)));
    page = page.substr(close + 2);
  }
}

}  // namespace photonsim::trace_views
