// Every name in a report is explained, in self-contained sentences.
#include "analysis/explain/explain.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "analysis/accounting/accounting.h"
#include "analysis/corner_cases/corner_case.h"
#include "analysis/explain/mark_texts/mark_texts.h"
#include "analysis/oracles/oracle_table.h"
#include "core_impl/base/mark.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Ends like a sentence, and has more than a few characters.
bool is_prose(std::string_view text) {
  return text.size() > 20 && (text.ends_with('.') || text.ends_with('?'));
}

TEST_CASE("DESIGN-6 explain: each oracle has its rule in two sentences, and where to start") {
  for (const OracleRow& row : oracle_rows()) {
    INFO(row.name);
    CHECK(!row.title.empty());
    CHECK(is_prose(row.invariant));
    const std::string_view rule = row.invariant;
    std::size_t sentences = 0;
    for (std::size_t at = 0; at < rule.size(); ++at) {
      if (rule[at] == '.' && (at + 1 == rule.size() || rule[at + 1] == ' ')) ++sentences;
    }
    CHECK(sentences == 2);
    CHECK(is_prose(row.evidence));
    CHECK(is_prose(row.look_first));
    CHECK(row.source.find(row.name) != std::string_view::npos);
    const auto text = explain(row.name);
    REQUIRE(text);
    CHECK(text->starts_with(row.name));
    CHECK(rule_text(row.name).find(row.look_first) != std::string::npos);
  }
  CHECK(rule_text("J-S17").empty());
}

TEST_CASE("DESIGN-6 explain: corner cases, fates and marks have a text, and lines are short") {
  for (const std::string& name : explained_names()) {
    INFO(name);
    const auto text = explain(name);
    REQUIRE(text);
    for (std::size_t begin = 0; begin < text->size();) {
      const std::size_t end = text->find('\n', begin);
      REQUIRE(end != std::string::npos);
      CHECK(end - begin <= 100);
      begin = end + 1;
    }
  }
  for (const CornerRow& row : corner_rows()) CHECK(is_prose(row.expected));
  for (const FateRow& row : loss_rows()) CHECK((is_prose(row.meaning) && is_prose(row.advice)));
  for (const FateRow& row : never_joinable_rows()) {
    CHECK((is_prose(row.meaning) && is_prose(row.advice)));
  }
}

TEST_CASE("explain: every verdict of a report says what to do") {
  for (const char* name : {"not stationary", "PERHAPS NOT STATIONARY", "stationarity not known",
                           "cannot keep up", "may not keep up", "undecided", "n too small"}) {
    CAPTURE(name);
    const auto text = explain(name);
    REQUIRE(text);
    CHECK_THAT(*text, Catch::Contains("What it says") && Catch::Contains("What to do"));
  }
}

TEST_CASE("DESIGN-6 explain: each coverage mark has one plain sentence of its own") {
  std::set<std::string_view> sentences;
  for (const auto table : mark_text_tables()) {
    CHECK(std::ranges::adjacent_find(table, std::ranges::greater_equal{}, &MarkText::mark) ==
          table.end());
    for (const MarkText& row : table) {
      INFO(row.mark);
      const std::string_view sentence = row.sentence;
      CHECK(is_prose(sentence));
      CHECK(sentence.size() <= 120);
      CHECK((sentence.front() >= 'A' && sentence.front() <= 'Z'));
      CHECK(sentence.find('.') == sentence.size() - 1);
      CHECK(sentences.insert(sentence).second);
      CHECK(sentence_of(row.mark) == sentence);
    }
  }
  CHECK(sentence_of("test.of_no_mark").empty());
  CHECK(sentence_of("").empty());
}

TEST_CASE("DESIGN-6 explain: case does not matter, and a case stands for its halves") {
  CHECK(explain("j-s5") == explain("J-S5"));
  CHECK(explain("l-CRASH") == explain("L-crash"));
  const auto both = explain("BC-05");
  REQUIRE(both);
  CHECK(both->find("BC-05 before") != std::string::npos);
  CHECK(both->find("BC-05 after") != std::string::npos);
  CHECK(!explain("BC-5"));
  CHECK(!explain("J-S"));
  CHECK(!explain(""));
}

}  // namespace
}  // namespace photon::analysis
