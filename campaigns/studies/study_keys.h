// The keys of a study file, each with what it means: for the readers of its tables, for
// `photonsim explain KEY`, and for docs/reference/study_keys.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace photonsim::campaigns {

struct StudyKey {
  std::string_view table;     // empty: the top of the file
  std::string_view name;      // in that table
  std::string_view variant;   // the design or method that alone has it; empty: all have it
  std::string_view fallback;  // its value where the file does not state it
  std::string_view meaning;   // a sentence
};

// In the order of the reference.
std::span<const StudyKey> study_keys();

// The names that a table may have: with a variant, those of other variants are left out.
std::vector<std::string> keys_of(std::string_view table, std::string_view variant = {});

// "search.points", or "base".
std::string full_name(const StudyKey& key);
std::vector<std::string> study_key_names();

// What a key means, in some lines; nothing: study files have no such key.
std::optional<std::string> explain_study_key(std::string_view name);
// All of them, three lines each: name, value if not stated, sentence.
std::string study_keys_text();

}  // namespace photonsim::campaigns
