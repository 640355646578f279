// Which readers the judge calls for a record: a list for each kind, source, and whether the record
// names an event. Built once; a look-up is an index.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/evidence/fact.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

template <class Reader>
class Subscriptions {
 public:
  // Readers are called in the order in which they subscribe; each once for a record.
  void add(std::span<const Interest> interests, Reader* reader) {
    for (const Interest& interest : interests) {
      for (std::size_t source = 0; source < kSources; ++source) {
        for (const bool named : {false, true}) {
          if (!interest.holds(static_cast<trace::Source>(source), named)) continue;
          std::vector<Reader*>& to = lists_[place(interest.kind, source, named)];
          if (std::ranges::find(to, reader) == to.end()) to.push_back(reader);
        }
      }
    }
  }
  // Empty for a kind that no reader knows.
  std::span<Reader* const> of(const Fact& fact) const {
    const trace::Header& header = fact.header();
    return lists_[place(header.kind, Interest::number_of(header.source), fact.event != kNoIndex)];
  }

 private:
  static constexpr std::size_t kKinds = 512;
  static constexpr std::size_t kSources = 8;
  static std::size_t place(trace::Kind kind, std::size_t source, bool named) {
    const auto number = std::min(static_cast<std::size_t>(kind), kKinds);  // beyond: the last one
    return (number * kSources + source) * 2 + (named ? 1 : 0);
  }

  std::array<std::vector<Reader*>, (kKinds + 1) * kSources * 2> lists_{};
};

}  // namespace photon::analysis
