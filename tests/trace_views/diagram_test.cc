// The page of a space-time diagram: whole, self-contained, and with its data.
#include "trace_views/diagram.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "tests/support/catch.h"
#include "tests/trace_views/sample_window.h"

namespace photonsim::trace_views::testing {
namespace {

namespace json = boost::json;

// What a browser reads in the element that holds the data.
json::object data_of(const std::string& page) {
  const std::string_view open = R"(<script type="application/json" id="data">)";
  const auto begin = page.find(open);
  REQUIRE(begin != std::string::npos);
  const auto end = page.find("</script>", begin);
  REQUIRE(end != std::string::npos);
  const auto first = begin + open.size();
  return json::parse(page.substr(first, end - first)).as_object();
}

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t times = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    ++times;
  }
  return times;
}

}  // namespace

TEST_CASE("the page holds every lane, record, message and fault of the window") {
  const Window window = sample_window();
  const json::object data = data_of(diagram_html(window));
  CHECK(data.at("lanes").as_array().size() == window.lanes.size());
  CHECK(data.at("records").as_array().size() == window.records.size());
  CHECK(data.at("messages").as_array().size() == window.messages.size());
  CHECK(data.at("faults").as_array().size() == 2);
  CHECK(data.at("violations").as_array().size() == 1);
  CHECK(data.at("focus").as_int64() == 0);
  CHECK(data == json::parse(diagram_json(window)).as_object());

  const json::array& names = data.at("names").as_array();
  const json::array& kinds = data.at("kinds").as_array();
  for (std::size_t i = 0; i < window.records.size(); ++i) {
    const json::array& row = data.at("records").as_array()[i].as_array();
    REQUIRE(row.size() == 9);
    const auto& header = window.records[i].record.header;
    CHECK(row[0].as_int64() == (header.at - window.span.from).count());
    CHECK(row[1].to_number<std::size_t>() == window.records[i].lane);
    const auto& kind = kinds.at(row[2].to_number<std::size_t>()).as_object();
    CHECK(row[8].as_array().size() == kind.at("fields").as_array().size());
    if (row[5].as_int64() >= 0) CHECK(names.at(row[5].to_number<std::size_t>()).is_string());
    if (header.node != photon::kNoNode) CHECK(row[7].as_int64() == 250);  // its clock is ahead
  }
  for (const json::value& message : data.at("messages").as_array()) {
    for (const json::value& end : message.as_array()) {
      CHECK(end.as_int64() >= -1);
      CHECK(end.as_int64() < static_cast<std::int64_t>(window.records.size()));
    }
  }
}

TEST_CASE("the data names processes, events and codes, and keeps all digits") {
  const Window window = sample_window();
  const json::object data = data_of(diagram_html(window));
  CHECK(data.at("run").at("seed").as_string() == "18446744073709551615");
  CHECK(data.at("window").at("from_ns").as_string() == "1000000000");
  CHECK(data.at("window").at("length").as_int64() == 3'000'000'000);
  const json::object& violation = data.at("violations").as_array()[0].as_object();
  CHECK(violation.at("process").as_string() == "us-west1/joiner/0");
  const auto lane = violation.at("lane").to_number<std::size_t>();
  CHECK(data.at("lanes").as_array().at(lane).at("path").as_string() == "us-west1/joiner/0");
  const auto event = violation.at("event").to_number<std::size_t>();
  CHECK(data.at("events").as_array().at(event).as_string() ==
        analysis::describe(click_id(1)).c_str());
  const json::object& replica = data.at("lanes").as_array().at(0).as_object();
  CHECK(replica.at("path").as_string() == "us-east1/registry/0");
  CHECK(replica.at("lives") == json::parse("[[-1000000000,1100000000,1,\"crash\"],"
                                           "[1100000000,null,2,\"\"]]"));
  CHECK(replica.at("pauses") == json::parse("[[400000000,700000000]]"));
  CHECK(replica.at("masterships").as_array().size() == 3);
}

TEST_CASE("names and messages cannot end the element that they stand in, or become markup") {
  const std::string page = diagram_html(sample_window());
  CHECK(count(page, "<script") == 2);
  CHECK(count(page, "</script>") == 2);
  CHECK(count(page, "<b>bold") == 0);
  CHECK_THAT(page, Catch::Contains("<title>a &lt;/script&gt;&lt;b&gt;bold &amp; wild"));
  const json::object data = data_of(page);
  CHECK(data.at("run").at("scenario").as_string() == "a </script><b>bold & wild</b> name");
}

TEST_CASE("the page loads nothing") {
  const std::string page = diagram_html(sample_window());
  for (const char* request : {"http:", "https:", "src=", "href=", "@import", "url(", "fetch(",
                              "XMLHttpRequest", "import("}) {
    CAPTURE(request);
    CHECK(count(page, request) == 0);
  }
  CHECK(page.find("{{") == std::string::npos);  // every part is filled in
  CHECK(page.starts_with("<!DOCTYPE html>"));
}

TEST_CASE("equal windows are equal pages") {
  CHECK(diagram_html(sample_window()) == diagram_html(sample_window()));
}

}  // namespace photonsim::trace_views::testing
