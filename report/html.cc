#include "report/html.h"

#include <algorithm>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>
#include <generated/report_libraries.h>
#include <generated/report_page.h>
#include <generated/report_specs.h>

#include "trace_views/diagram.h"
#include "trace_views/page_text.h"

namespace photonsim::report {

namespace {

namespace json = boost::json;

// The page of space-time diagrams, where the report has one: it is filled in by script.
std::string diagram_element(const json::object& data) {
  const json::array& campaigns = data.at("campaigns").as_array();
  const bool any = std::ranges::any_of(campaigns, [](const json::value& campaign) {
    return !campaign.at("minimized").as_array().empty();
  });
  if (!any) return {};
  const std::string page = trace_views::diagram_page("failure", "\"the diagram\"");
  return fmt::format("<script type=\"application/json\" id=\"diagram\">{}</script>",
                     trace_views::for_script(json::serialize(json::string(page))));
}

}  // namespace

std::string html_page(const boost::json::object& data) {
  std::string libraries;
  for (const std::string_view library : kLibraries) {
    libraries += "<script>";
    libraries += library;
    libraries += "</script>\n";
  }
  std::string script;
  for (const std::string_view part : kPageScripts) script += part;
  const std::string_view file = data.at("file").as_string();
  return trace_views::filled(kPageHtml,
                             {{"TITLE", trace_views::for_html(file)},
                              {"STYLE", std::string(kPageStyle)},
                              {"SPECS", trace_views::for_script(std::string(kSpecs[0]))},
                              {"DIAGRAM", diagram_element(data)},
                              {"LIBRARIES", std::move(libraries)},
                              {"SCRIPT", std::move(script)},
                              {"DATA", trace_views::for_script(boost::json::serialize(data))}});
}

}  // namespace photonsim::report
