#include "scenarios/schema/diagnostic.h"

#include <vector>

#include "scenarios/schema/diagnostic_suggest.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

TEST_CASE("a diagnostic shows place, line, caret and remedy") {
  const Diagnostic diagnostic{"a.toml", 12, 5, "it is wrong", "do it right", "key = \"x\""};
  CHECK(format(diagnostic) ==
        "a.toml:12:5: error: it is wrong\n"
        "   12 | key = \"x\"\n"
        "      |     ^\n"
        "      = do it right\n");
  CHECK(format(Diagnostic{"a.toml", 0, 0, "there is no such file", "", ""}) ==
        "a.toml: error: there is no such file\n");
}

TEST_CASE("the caret stands under the character, past tabs and letters of several bytes") {
  const Diagnostic tab{"a.toml", 1, 3, "m", "", "\t\tx"};
  CHECK(format(tab).find("      | \t\t^\n") != std::string::npos);
  const Diagnostic umlaut{"a.toml", 1, 3, "m", "", "\xC3\xA4\xC3\xB6x"};
  CHECK(format(umlaut).find("      |   ^\n") != std::string::npos);
}

TEST_CASE("a long line is cut around the caret") {
  const Diagnostic diagnostic{"a.toml", 1,  501,
                              "m",      "", std::string(500, 'a') + "b" + std::string(500, 'c')};
  const std::string text = format(diagnostic);
  CHECK(text.size() < 400);
  CHECK(text.find("...aaa") != std::string::npos);
  CHECK(text.find("ab") != std::string::npos);
  // The caret and the b are in the same column.
  const std::size_t line = text.find("    1 | ");
  const std::size_t caret_line = text.find("      | ");
  CHECK(text.find('b', line) - line == text.find('^', caret_line) - caret_line);
}

TEST_CASE("a column beyond the line does not leave it") {
  const Diagnostic diagnostic{"a.toml", 1, 4'000'000'000U, "m", "", "ab"};
  CHECK(format(diagnostic).find("      |   ^\n") != std::string::npos);
}

TEST_CASE("control characters are replaced") {
  CHECK(printable("a\x1B[31mb") == "a\xEF\xBF\xBD[31mb");
  CHECK(printable(std::string_view{"\0", 1}) == "\xEF\xBF\xBD");
  CHECK(printable("\xC3\xA4") == "\xC3\xA4");
  CHECK(printable("\xC2\x9B") == "\xEF\xBF\xBD\xEF\xBF\xBD");          // C1 control
  CHECK(printable("\xED\xA0\x80").find('\xED') == std::string::npos);  // surrogate
  CHECK(printable("\xC0\x80").find('\xC0') == std::string::npos);      // overlong
  CHECK(printable("\xF5\x80\x80\x80").find('\xF5') == std::string::npos);
  CHECK(printable("\xE2\x82") == "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut off
  CHECK(printable("\xE2\x82\xAC") == "\xE2\x82\xAC");
}

TEST_CASE("what turns the direction of text is replaced, and is no plain text") {
  for (const char* each : {"\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9"}) {
    CHECK(printable(std::string("a") + each + "b") ==
          "a\xEF\xBF\xBD"
          "b");
    CHECK_FALSE(is_text(each, Controls::kRefused));
    CHECK(is_text(each, Controls::kAllowed));
  }
  for (const char* other : {"\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\xA5", "\xE2\x81\xAA"}) {
    CHECK(printable(other) == other);
    CHECK(is_text(other, Controls::kRefused));
  }
}

TEST_CASE("the report is in the order of the text and is limited") {
  Sources sources;
  const std::uint32_t source = sources.add("a.toml", "one\r\ntwo\nthree");
  Report report{sources};
  report.add({source, 3, 1}, "c");
  report.add({source, 1, 2}, "b");
  report.add({source, 1, 1}, "a");
  const auto diagnostics = report.diagnostics();
  REQUIRE(diagnostics.size() == 3);
  CHECK(diagnostics[0].message == "a");
  CHECK(diagnostics[0].source_line == "one");
  CHECK(diagnostics[1].message == "b");
  CHECK(diagnostics[2].source_line == "three");
  for (int i = 0; i < 1000; ++i) {
    report.add({source, 2, 1}, "again");
  }
  CHECK(report.diagnostics().size() == Report::kMaxReported);
  CHECK(report.diagnostics().back().hint.find("903 more") != std::string::npos);
  CHECK(sources.line(source, 99).empty());
}

TEST_CASE("distances count swaps as one edit") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("abc", "ab") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("suggestions are near, or there are none") {
  const std::vector<std::string> names{"us-east1", "us-east4", "us-west1"};
  CHECK(closest("us-esat4", names) == "us-east4");
  CHECK(closest("frankfurt", names).empty());
  CHECK(closest("", names).empty());
  CHECK(closest("us-east4", std::vector<std::string>{"us-east4"}).empty());
  CHECK(suggest("us-east1", std::vector<std::string>{"us-east1", "us-east4"}) ==
        "did you mean \"us-east4\"?");
  CHECK(suggest("frankfurt", names) == "one of \"us-east1\", \"us-east4\", \"us-west1\"");
}
