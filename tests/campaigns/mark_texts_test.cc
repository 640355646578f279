// Each coverage mark of the program has its sentence. This program is linked with all of them.
#include "analysis/explain/mark_texts/mark_texts.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/explain.h"
#include "core_impl/base/mark.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using Names = std::vector<std::string_view>;

Names marks_of_the_program() {
  Names names;
  for (const MarkPlace& place : all_marks()) {
    if (!place.file.starts_with("tests/")) names.push_back(place.name);
  }
  return names;
}

// Names of `left` that `right` lacks. Both may have a name more than once.
Names without(Names left, Names right) {
  std::ranges::sort(left);
  std::ranges::sort(right);
  Names rest;
  std::ranges::set_difference(left, right, std::back_inserter(rest));
  return rest;
}

Names marks_with_a_sentence() {
  Names names;
  for (const std::span<const MarkText> table : mark_text_tables()) {
    for (const MarkText& row : table) names.push_back(row.mark);
  }
  return names;
}

}  // namespace

TEST_CASE("DESIGN-6 explain: each mark of the program has one sentence, and each sentence a mark") {
  const Names marks = marks_of_the_program();
  const Names explained = marks_with_a_sentence();
  CHECK(marks.size() > 400);
  {
    INFO("add a row for each of these to a table of analysis/explain/mark_texts");
    CHECK(without(marks, explained) == Names{});
  }
  INFO("no mark has these names, or their rows occur twice");
  CHECK(without(explained, marks) == Names{});
}

TEST_CASE("DESIGN-6 explain: a missing, an unknown and a repeated mark are found") {
  const Names marks = marks_of_the_program();
  Names wrong = marks;
  wrong.front() = "test.of_no_mark";
  CHECK(without(marks, wrong) == Names{marks.front()});
  CHECK(without(wrong, marks) == Names{"test.of_no_mark"});
  wrong = marks;
  wrong.push_back(marks.back());
  CHECK(without(wrong, marks) == Names{marks.back()});
}

TEST_CASE("DESIGN-6 explain: the text of a mark has its sentence and its place") {
  for (const MarkPlace& place : all_marks()) {
    if (place.file.starts_with("tests/")) continue;
    INFO(place.name);
    const auto text = explain(place.name);
    REQUIRE(text);
    const std::string_view sentence = sentence_of(place.name);
    const std::size_t begin = text->find("\nWhat happens\n  ");
    REQUIRE(begin != std::string::npos);
    // The first words: the text breaks its lines.
    CHECK(text->substr(begin).find(sentence.substr(0, 30)) != std::string::npos);
    CHECK(text->find("\nPart of the code\n  ") != std::string::npos);
    CHECK(text->find(place.file) != std::string::npos);
  }
}

}  // namespace photon::analysis::testing
