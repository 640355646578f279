#include "models/tables/table_reader.h"

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::models {
namespace {

using photon::testing::TemporaryFolder;

using Fields = std::vector<std::string>;

// All rows of a table, each with its line; and the faults.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::pair<std::uint64_t, Fields>> rows;
  InputFaults faults;
};

Table read(const std::string& path) {
  Table table;
  TableReader reader(path, table.faults);
  table.columns.assign(reader.columns().begin(), reader.columns().end());
  while (reader.next()) {
    table.rows.emplace_back(reader.line(), Fields(reader.fields().begin(), reader.fields().end()));
  }
  return table;
}

Table read_text(std::string_view text) {
  const TemporaryFolder folder;
  return read(folder.write("t.csv", text));
}

Fields row(std::string_view line, std::string_view header = "a,b,c") {
  const Table table = read_text(std::string(header) + "\n" + std::string(line));
  if (!table.faults.empty()) return {"fault: " + table.faults.front().text()};
  REQUIRE(table.rows.size() == 1);
  return table.rows[0].second;
}

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
  const Table table = read_text("\xEF\xBB\xBFid,time\n1,2\n\n\r\n3,4\n\n");
  CHECK(table.columns == Fields{"id", "time"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].first == 5);
  CHECK(table.faults.empty());
}

TEST_CASE("a quoted field holds line breaks, and the rows after it keep their lines") {
  const Table table = read_text("a,b\r\n\"x\r\ny\",\"1\n\n2\"\r\nz,3\r\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == std::pair<std::uint64_t, Fields>{2, {"x\r\ny", "1\n\n2"}});
  CHECK(table.rows[1] == std::pair<std::uint64_t, Fields>{6, {"z", "3"}});
}

TEST_CASE("a quote that is not closed spoils its own row alone") {
  const Table table = read_text("a,b\n1,2\n\"3,4\n5,6\n\"7\",8\n9,10");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1].second == Fields{"5", "6"});
  CHECK(table.rows[3].second == Fields{"9", "10"});
  REQUIRE(table.faults.total() == 1);
  CHECK(table.faults.front().line == 3);
}

TEST_CASE("tabs or semicolons separate if the header says so; a quote in TSV may be plain text") {
  CHECK(row("1;2,5;3", "a;b;c") == Fields{"1", "2,5", "3"});
  const auto tsv = [](std::string_view line) { return row(line, "a\tb\tc"); };
  CHECK(tsv("1\tx,y\t3") == Fields{"1", "x,y", "3"});
  CHECK(tsv("\"free\tticket\tnow") == Fields{"\"free", "ticket", "now"});
  CHECK(tsv("\"a\tb\"\t\"say \"\"hi\"\"\"\t3") == Fields{"a\tb", "say \"hi\"", "3"});
  CHECK(tsv("the \"best\" one\t\"5\" disk\t") == Fields{"the \"best\" one", "\"5\" disk", ""});
}

TEST_CASE("a quoted field of TSV holds line breaks where rows have all their fields only so") {
  const Table table = read_text(
      "a\tb\tc\n"
      "1\t\"x\ny \"\"z\"\"\"\t3\n"
      "\"two\r\n\nlines\"\t5\t6\n"
      "7\t8\t\"at\tthe\nend\"\n"
      "9\t\"10\t\"11\n"
      "12\t13\t14\n"
      "\"a\nb\"\t15\t\"c\nd\"\n");
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[5].second == Fields{"a\nb", "15", "c\nd"});
  CHECK(table.rows[0] == std::pair<std::uint64_t, Fields>{2, {"1", "x\ny \"z\"", "3"}});
  CHECK(table.rows[1] == std::pair<std::uint64_t, Fields>{4, {"two\r\n\nlines", "5", "6"}});
  CHECK(table.rows[2] == std::pair<std::uint64_t, Fields>{7, {"7", "8", "at\tthe\nend"}});
  CHECK(table.rows[3].second == Fields{"9", "\"10", "\"11"});
  CHECK(table.faults.empty());
}

TEST_CASE("a quote in TSV that another one far below could close takes no whole rows with it") {
  // Behind the quote: an empty line, a row that lacks fields, or rows alone.
  for (const std::string next : {"\n", "1\n", ""}) {
    for (const std::string opener : {"a\t\"open\n", "\"open\tb\n"}) {
      const Table table = read_text("x\ty\n" + opener + next + "c\td\ne\tf\ng\t5\"\n5\"\th\n");
      CAPTURE(next, opener);
      REQUIRE(table.rows.size() == 5);
      CHECK(table.rows[1].second == Fields{"c", "d"});
      CHECK(table.rows[4].second == Fields{"5\"", "h"});
      CHECK(table.faults.total() == (next == "1\n" ? 1 : 0));
    }
  }
}

TEST_CASE("a row of TSV that lacks fields takes none of the next rows, whatever quotes they have") {
  const Table table = read_text("a\tb\n1\n\"2\n3\t4\n\"5\" x\n6\t\"7\"\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].second == Fields{"3", "4"});
  CHECK(table.rows[1].second == Fields{"6", "7"});
  CHECK(table.faults.total() == 3);
}

TEST_CASE("a missing file, a folder and an empty file are faults that name the file") {
  const TemporaryFolder folder;
  const auto fault_of = [](const std::string& path) {
    const Table table = read(path);
    REQUIRE(table.faults.total() == 1);
    CHECK(table.columns.empty());
    return table.faults.front().text();
  };
  CHECK(fault_of(folder.file("none.csv")).find("none.csv: No such file") != std::string::npos);
  CHECK(fault_of(folder.path()).find("directory") != std::string::npos);
  CHECK(fault_of(folder.write("empty.csv", "")).find("empty.csv: the file is empty") !=
        std::string::npos);
}

TEST_CASE("the first faults are kept and all are counted; they hide no sound row") {
  std::string text = "a,b\n1\n2,\"\n3,3\n4,4,4\n";
  const Table few = read_text(text);
  CHECK(few.faults.total() == 3);
  REQUIRE(few.rows.size() == 1);
  CHECK(few.rows[0].first == 4);
  for (int i = 0; i < 100; ++i) text += "x\n";
  const Table many = read_text(text + "5,5\n");
  CHECK(many.faults.size() == InputFaults::kMostKept);
  CHECK(many.faults.total() == 103);
  CHECK(many.faults.texts().back() == "these are the first 20 of 103 faults");
  CHECK(many.rows.size() == 2);
}

TEST_CASE("a header that is broken or names a column twice makes no table") {
  const Table twice = read_text("id,time,id,x,time,id\n1,2,3,4,5,6\n");
  CHECK(twice.columns.empty());
  CHECK(twice.rows.empty());
  REQUIRE(twice.faults.total() == 2);
  CHECK(twice.faults[0].text().find("t.csv:1: the header names the column 'id' twice") !=
        std::string::npos);
  CHECK(twice.faults[1].text().find("'time' twice") != std::string::npos);
  const Table broken = read_text("id,\"time\n1,2\n");
  REQUIRE_FALSE(broken.faults.empty());
  CHECK(broken.faults.front().text().find("t.csv:1: a quote is misplaced") != std::string::npos);
}

// `compressor`: a filter of Boost.Iostreams.
template <class Compressor>
std::string packed(std::string_view text) {
  std::string out;
  boost::iostreams::filtering_ostream stream;
  stream.push(Compressor());
  stream.push(boost::iostreams::back_inserter(out));
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  boost::iostreams::close(stream);
  return out;
}

TEST_CASE("tables packed with gzip or zstd are read as they were; damage is a fault, not an end") {
  std::string text = "id,time\n";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "," + std::to_string(i * 7) + "\n";
  const auto plain = read_text(text);
  REQUIRE(plain.rows.size() == 200'000);
  for (const std::string& file : {packed<boost::iostreams::gzip_compressor>(text),
                                  packed<boost::iostreams::zstd_compressor>(text)}) {
    CAPTURE(file.size());
    const auto same = read_text(file);
    CHECK(same.faults.empty());
    CHECK(same.rows == plain.rows);
    const auto cut = read_text(std::string_view(file).substr(0, file.size() / 2));
    REQUIRE_FALSE(cut.faults.empty());
    CHECK(cut.faults.front().text().find("data is damaged or cut off") != std::string::npos);
    const auto twice = read_text(file + file);  // files that were appended to each other
    CHECK(twice.faults.empty());
    CHECK(twice.rows.size() == 400'001);
  }
  std::string damaged = packed<boost::iostreams::gzip_compressor>(text);  // it has a checksum
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  CHECK_FALSE(read_text(damaged).faults.empty());
}

}  // namespace
}  // namespace photon::models
