// A page as text: its parts filled in, data of others made harmless.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace photonsim::trace_views {

// JSON for a <script> element: no '<' is left, so nothing in the data can end the element.
std::string for_script(std::string text);
// Text between elements.
std::string for_html(std::string_view text);
// `page` with each "{{NAME}}" replaced by its part; every name must be among the parts.
std::string filled(std::string_view page,
                   const std::map<std::string, std::string, std::less<>>& parts);

}  // namespace photonsim::trace_views
