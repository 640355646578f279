// Which readers the judge calls for a record: a list for each kind, source, and whether the record
// names an event. A look-up is an index.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/evidence/fact.h"
#include "analysis/evidence/fact_reader.h"
#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"

namespace photon::analysis {

template <class Reader>
class Subscriptions {
 public:
  struct Subscriber {
    Reader* reader = nullptr;
    std::span<const Interest> interests{};
  };

  Subscriptions() = default;
  // Readers are called in the order given here; each once for a record.
  explicit Subscriptions(std::span<const Subscriber> subscribers) {
    std::vector<std::pair<std::size_t, std::size_t>> wanted;  // list, number of the subscriber
    for (std::size_t number = 0; number < subscribers.size(); ++number) {
      for (const Interest& interest : subscribers[number].interests) {
        PHOTON_CHECK(static_cast<std::size_t>(interest.kind) < kKinds, "a kind has a list");
        for (std::size_t source = 0; source < Interest::kSources; ++source) {
          for (const bool named : {false, true}) {
            if (!interest.holds(static_cast<trace::Source>(source), named)) continue;
            wanted.emplace_back(list_of(interest.kind, source, named), number);
          }
        }
      }
    }
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const auto& [place, number] : wanted) {
      List& list = lists_[place];
      if (list.size == 0) list.begin = narrow<std::uint16_t>(readers_.size());
      ++list.size;
      readers_.push_back(subscribers[number].reader);
    }
  }

  // Empty for a kind that no reader knows.
  std::span<Reader* const> of(const Fact& fact) const {
    const trace::Header& header = fact.header();
    const List list =
        lists_[list_of(header.kind, Interest::number_of(header.source), fact.event != kNoIndex)];
    return {readers_.data() + list.begin, list.size};
  }

 private:
  struct List {
    std::uint16_t begin = 0;  // in readers_
    std::uint16_t size = 0;
  };
  static constexpr std::size_t kKinds = 512;
  static std::size_t list_of(trace::Kind kind, std::size_t source, bool named) {
    const auto number = std::min(static_cast<std::size_t>(kind), kKinds);  // beyond: the empty one
    return (number * Interest::kSources + source) * 2 + (named ? 1 : 0);
  }

  std::array<List, (kKinds + 1) * Interest::kSources * 2> lists_{};
  std::vector<Reader*> readers_{};
};

}  // namespace photon::analysis
