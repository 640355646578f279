// A window of a trace as a space-time diagram: one HTML file that needs nothing else, no network
// and no server. Its data is one JSON object in a <script type="application/json">; page/ holds the
// code that draws it.
#pragma once

#include <string>
#include <string_view>

#include "trace_views/window.h"

namespace photonsim::trace_views {

// The most that a browser draws without delay.
inline constexpr std::uint64_t kDiagramRecordsMax = 200'000;

// The JSON object alone. Times are nanoseconds since the beginning of the window, `null` is "open
// end"; "records" are arrays, page/model.js names their places.
std::string diagram_json(const Window& window);
// The page of such an object.
std::string diagram_page(std::string_view title, std::string json);
std::string diagram_html(const Window& window);

}  // namespace photonsim::trace_views
