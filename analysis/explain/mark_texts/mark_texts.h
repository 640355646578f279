// One sentence for each coverage mark (PHOTON_MARK, core_impl/base/mark.h): what happens when its
// branch is taken. One table per folder of core_impl, in the order of names; core_impl/photon has
// two: registry.cc for its folders registry, registry_client and sharding, pipeline.cc for the
// others. limits.cc has those of PHOTON_LIMIT, of all folders. tests/campaigns/mark_texts_test.cc
// compares the tables with the program's marks.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace photon::analysis {

struct MarkText {
  std::string_view mark;      // its name
  std::string_view sentence;  // present tense, the actor first; ends with a full stop
};

std::span<const MarkText> limit_mark_texts();
std::span<const MarkText> logs_mark_texts();
std::span<const MarkText> paxos_mark_texts();
std::span<const MarkText> pipeline_mark_texts();
std::span<const MarkText> registry_mark_texts();
std::span<const MarkText> rpc_mark_texts();
std::span<const MarkText> runtime_mark_texts();

// All tables.
inline std::array<std::span<const MarkText>, 7> mark_text_tables() {
  return {limit_mark_texts(),    logs_mark_texts(), paxos_mark_texts(),  pipeline_mark_texts(),
          registry_mark_texts(), rpc_mark_texts(),  runtime_mark_texts()};
}

// The sentence of a mark; empty if it has none, as marks of tests.
std::string_view sentence_of(std::string_view mark);

// Does it stand for a side of a comparison (PHOTON_LIMIT)?
bool is_of_limit(std::string_view mark);

}  // namespace photon::analysis
