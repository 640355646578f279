#include "analysis/explain/mark_texts/mark_texts.h"

#include <algorithm>

namespace photon::analysis {

namespace {

const MarkText* find_in(std::span<const MarkText> table, std::string_view mark) {
  const auto row = std::ranges::lower_bound(table, mark, {}, &MarkText::mark);
  return row != table.end() && row->mark == mark ? &*row : nullptr;
}

}  // namespace

std::string_view sentence_of(std::string_view mark) {
  for (const std::span<const MarkText> table : mark_text_tables()) {
    if (const MarkText* const row = find_in(table, mark)) return row->sentence;
  }
  return {};
}

bool is_of_limit(std::string_view mark) { return find_in(limit_mark_texts(), mark) != nullptr; }

}  // namespace photon::analysis
