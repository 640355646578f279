#include "analysis/explain/mark_texts/mark_texts.h"

#include <algorithm>

namespace photon::analysis {

std::string_view sentence_of(std::string_view mark) {
  for (const std::span<const MarkText> table : mark_text_tables()) {
    const auto row = std::ranges::lower_bound(table, mark, {}, &MarkText::mark);
    if (row != table.end() && row->mark == mark) return row->sentence;
  }
  return {};
}

}  // namespace photon::analysis
