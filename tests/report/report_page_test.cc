// Text of others shows as text: in the page, in its data, in Markdown.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "campaigns/outcome.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/report_data.h"
#include "tests/report/results.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;
using Catch::Contains;
using photon::testing::TemporaryFolder;
using testing::data_of;

const std::string kHostile = "<script>alert(\"1\")</script> | `x` [a](b) **b**\n# \x1b[2J";

json::object hostile_data(const TemporaryFolder& folder) {
  const std::string file = folder.file("r.sqlite");
  const auto identity = testing::fill(file, kHostile);
  analysis::RunRecord bad = testing::record(4, 1, 0);
  bad.exit_code = 3;
  bad.findings = {{"J-S1",
                   analysis::Severity::safety,
                   analysis::Standing::failing,
                   1,
                   kHostile,
                   kHostile,
                   kHostile,
                   {}}};
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.assume_value().append(identity, std::vector{bad}).has_value());
  const std::string diagram = json::serialize(json::object{{"scenario", kHostile}});
  REQUIRE(
      store.assume_value()
          .conclude(identity, campaigns::campaign_outcome(
                                  {.overrides = {kHostile}}, {{kHostile, 1, kHostile, kHostile}},
                                  {{kHostile, "repros/x.toml", kHostile, diagram}}, kHostile))
          .has_value());
  auto reader = analysis::ResultReader::open(file);
  REQUIRE(reader.has_value());
  auto data = report_data(reader.assume_value(), kHostile);
  REQUIRE(data.has_value());
  return std::move(data).assume_value();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("report: nothing in the data of a page can end an element, and it reads back equal") {
  const TemporaryFolder folder;
  const json::object data = hostile_data(folder);
  const std::string page = html_page(data);
  CHECK(count_of(page, "alert(") > 0);
  CHECK(count_of(page, "<script>alert") == 0);
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const auto begin = page.find(open) + open.size();
  const auto end = page.find("</script>", begin);
  std::string written = page.substr(begin, end - begin);
  CHECK(json::parse(written).is_object());
  for (auto at = written.find("\\u003c"); at != std::string::npos; at = written.find("\\u003c")) {
    written.replace(at, 6, "<");
  }
  const bool same = written == json::serialize(data);
  CHECK(same);
  // No address of another host is loaded: the policy of the page forbids it.
  CHECK_THAT(page, Contains("default-src 'none'"));
  CHECK(page.size() < 2'500'000);
}

TEST_CASE("report: Markdown shows hostile text as text, on one line") {
  const TemporaryFolder folder;
  const std::string text = markdown(hostile_data(folder));
  CHECK_THAT(text, !Contains("<script>") && !Contains("\x1b") && !Contains(" `x`"));
  CHECK_THAT(text, Contains("&lt;script&gt;alert\\(\"1\"\\)&lt;/script&gt; \\| \\`x\\`"));
  CHECK_THAT(text, Contains("7 runs, 1 failed"));
  // The rows of the table have the columns of its head.
  const auto rows = text.substr(text.find("| point"), text.find("\n\n*") - text.find("| point"));
  std::size_t columns = 0;
  std::stringstream lines(rows);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bars = count_of(line, "|") - count_of(line, "\\|");
    if (columns == 0) columns = bars;
    CHECK(bars == columns);
  }
  CHECK(columns > 3);
}

TEST_CASE("report: in Markdown oracles that one command shows are one failure") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  const auto identity = testing::fill(file, "s");
  std::vector<analysis::RunRecord> runs;
  // Seeds 4 and 5 violate two oracles, seed 6 a third one.
  for (std::uint64_t seed = 4; seed <= 6; ++seed) {
    analysis::RunRecord run = testing::record(seed, 1, 0);
    run.exit_code = 3;
    const std::vector<std::string> oracles =
        seed < 6 ? std::vector<std::string>{"J-S1", "J-S5"} : std::vector<std::string>{"J-S7"};
    for (const std::string& oracle : oracles) {
      run.findings.push_back({oracle,
                              analysis::Severity::safety,
                              analysis::Standing::failing,
                              1,
                              "message of " + oracle,
                              "",
                              "",
                              {}});
    }
    runs.push_back(std::move(run));
  }
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.assume_value().append(identity, runs).has_value());
  const std::string text = markdown(data_of(file));
  INFO(text);
  CHECK(count_of(text, "\n* J\\-S") == 2);
  CHECK_THAT(text, Contains("\n* J\\-S1, failing: 2 violations in 2 runs. message of J\\-S1\n"
                            "  The command shows also: J\\-S5 in 2 runs.\n"
                            "\n      photonsim run x --seed 4\n"));
  CHECK_THAT(text, Contains("\n* J\\-S7, failing: 1 violation in 1 run. message of J\\-S7\n"
                            "\n      photonsim run x --seed 6\n"));
}

TEST_CASE("report: no text of a study ends its line or its block of code in Markdown") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  const auto identity = testing::fill(file, "s");
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  const json::object outcome{{"question", "why?\r# Verdict <img>"},
                             {"complete", false},
                             {"answer", "answer: a\r<img src=x>\r\r# all met\n  price"},
                             {"metrics", json::array{}},
                             {"gates", json::object{{"gate", json::array{"lost < 1"}},
                                                    {"point", json::array{"a\r# b"}},
                                                    {"result", json::array{"missed"}},
                                                    {"measured", json::array{"lost is 2"}}}}};
  REQUIRE(store.assume_value().conclude(identity, json::serialize(outcome)).has_value());
  const std::string text = markdown(data_of(file));
  INFO(text);
  CHECK_THAT(text,
             !Contains("\r") && Contains("\n    answer: a <img src=x>  # all met\n      price\n"));
  CHECK_THAT(text, Contains("why? \\# Verdict &lt;img&gt;") && Contains("not complete"));
  CHECK_THAT(text, Contains("0 of 1 gates met\n* missed: lost &lt; 1 at a \\# b"));
}

TEST_CASE("report: Markdown lists twenty gates that are not met, and counts the others") {
  for (const std::size_t missed : {20U, 21U}) {
    const TemporaryFolder folder;
    const std::string file = folder.file("r.sqlite");
    const auto identity = testing::fill(file, "s");
    auto store = analysis::ResultStore::open(file);
    REQUIRE(store.has_value());
    json::array gates, points, results, measured;
    for (std::size_t i = 0; i <= missed; ++i) {
      gates.emplace_back("lost < 1");
      points.emplace_back("a");
      results.emplace_back(i == 0 ? "met" : "missed");
      measured.emplace_back("lost is 2");
    }
    const json::object outcome{
        {"question", "why?"},
        {"complete", true},
        {"metrics", json::array{}},
        {"gates",
         json::object{
             {"gate", gates}, {"point", points}, {"result", results}, {"measured", measured}}}};
    REQUIRE(store.assume_value().conclude(identity, json::serialize(outcome)).has_value());
    const std::string text = markdown(data_of(file));
    const std::string line = "\n* missed: lost &lt; 1 at a; lost is 2";
    std::size_t lines = 0;
    for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) {
      ++lines;
    }
    CHECK(lines == 20);
    CHECK((text.find(line + "\n* and 1 other\n") != std::string::npos) == (missed == 21));
  }
}

TEST_CASE("report: a study that only began has its question, and how many runs are to come") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  const auto identity = testing::fill(file, "s");
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  const json::object outcome{
      {"question", "why?"}, {"wanted", 480}, {"complete", false}, {"metrics", json::array{}}};
  REQUIRE(store.assume_value().conclude(identity, json::serialize(outcome)).has_value());
  CHECK_THAT(markdown(data_of(file)),
             Contains("why?\n\n**The study is not complete: these are the runs so far**, of 480 "
                      "that it needs\n"));
}

TEST_CASE("report: a long text is cut in Markdown") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  testing::fill(file, std::string(5'000, 'x'));
  auto reader = analysis::ResultReader::open(file);
  REQUIRE(reader.has_value());
  auto data = report_data(reader.assume_value(), std::string(5'000, 'y'));
  REQUIRE(data.has_value());
  CHECK(markdown(data.assume_value()).size() < 2'000);
}

}  // namespace photonsim::report
