#include "models/csv_table.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::models {
namespace {

using photon::testing::TemporaryFolder;

std::vector<std::string> row(std::string_view line, std::string_view header = "a,b,c") {
  const TemporaryFolder folder;
  const auto table =
      read_csv(folder.write("t.csv", std::string(header) + "\n" + std::string(line)));
  if (!table) return {"fault: " + table.error().front().text()};
  if (!table.value().faults.empty()) return {"fault: " + table.value().faults.front().text()};
  REQUIRE(table.value().rows.size() == 1);
  return table.value().rows[0].fields;
}

using Fields = std::vector<std::string>;

TEST_CASE("fields are split as RFC 4180 says") {
  CHECK(row("1,2,3") == Fields{"1", "2", "3"});
  CHECK(row("1,2,3\n") == Fields{"1", "2", "3"});
  CHECK(row("1,2,3\r\n") == Fields{"1", "2", "3"});
  CHECK(row(",,") == Fields{"", "", ""});
  CHECK(row(R"("x, y",2,"say ""hi""")") == Fields{"x, y", "2", R"(say "hi")"});
  CHECK(row(R"("","",)") == Fields{"", "", ""});
  CHECK(row(R"(C:\dir\n,2,3)") == Fields{R"(C:\dir\n)", "2", "3"});
}

TEST_CASE("broken quotes and wrong field counts are faults with their line") {
  for (const char* line : {R"("x,2,3)", R"(x"y,2,3)", R"("x"y,2,3)", R"(1,2,")"}) {
    CAPTURE(line);
    CHECK(row(line).front().find("t.csv:2: a quote is misplaced") != std::string::npos);
  }
  CHECK(row("1,2").front().find("t.csv:2: 2 fields where the header names 3") != std::string::npos);
  CHECK(row("1,2,3,4").front().find("t.csv:2: 4 fields") != std::string::npos);
}

TEST_CASE(
    "a header may start with a byte order mark; empty lines are skipped; lines keep numbers") {
  const TemporaryFolder folder;
  const auto table = read_csv(folder.write("t.csv", "\xEF\xBB\xBFid,time\n1,2\n\n3,4\n"));
  REQUIRE(table);
  CHECK(table.value().column("id") == 0U);
  CHECK(table.value().column("time") == 1U);
  CHECK_FALSE(table.value().column("other").has_value());
  REQUIRE(table.value().rows.size() == 2);
  CHECK(table.value().rows[1].line == 4);
}

TEST_CASE("a missing file, a folder and an empty file are faults that name the file") {
  const TemporaryFolder folder;
  const auto missing = read_csv(folder.file("none.csv"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().front().text().find("none.csv: No such file") != std::string::npos);
  const auto directory = read_csv(folder.path());
  REQUIRE_FALSE(directory);
  CHECK(directory.error().front().text().find("directory") != std::string::npos);
  const auto empty = read_csv(folder.write("empty.csv", ""));
  REQUIRE_FALSE(empty);
  CHECK(empty.error().front().text().find("empty.csv: the file is empty") != std::string::npos);
}

TEST_CASE("all faults are reported at once, up to the limit, and hide no sound row") {
  const TemporaryFolder folder;
  std::string text = "a,b\n1\n2,\"\n3,3\n4,4,4\n";
  const auto few = read_csv(folder.write("t.csv", text));
  REQUIRE(few);
  CHECK(few.value().faults.size() == 3);
  REQUIRE(few.value().rows.size() == 1);
  CHECK(few.value().rows[0].line == 4);
  for (int i = 0; i < 100; ++i) text += "x\n";
  const auto many = read_csv(folder.write("t.csv", text + "5,5\n"));
  REQUIRE(many);
  CHECK(many.value().faults.size() == kMostFaults);
  CHECK(many.value().rows.size() == 2);
}

TEST_CASE("a header that is broken or names a column twice makes no table") {
  const TemporaryFolder folder;
  const auto twice = read_csv(folder.write("t.csv", "id,time,id,x,time,id\n1,2,3,4,5,6\n"));
  REQUIRE_FALSE(twice);
  REQUIRE(twice.error().size() == 2);
  CHECK(twice.error()[0].text().find("t.csv:1: the header names the column 'id' twice") !=
        std::string::npos);
  CHECK(twice.error()[1].text().find("'time' twice") != std::string::npos);
  const auto broken = read_csv(folder.write("t.csv", "id,\"time\n1,2\n"));
  REQUIRE_FALSE(broken);
  CHECK(broken.error().front().text().find("t.csv:1: a quote is misplaced") != std::string::npos);
}

}  // namespace
}  // namespace photon::models
