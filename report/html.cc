#include "report/html.h"

#include <string_view>

#include <boost/json/serialize.hpp>
#include <generated/report_libraries.h>
#include <generated/report_page.h>

#include "trace_views/page_text.h"

namespace photonsim::report {

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
                              {"LIBRARIES", std::move(libraries)},
                              {"SCRIPT", std::move(script)},
                              {"DATA", trace_views::for_script(boost::json::serialize(data))}});
}

}  // namespace photonsim::report
