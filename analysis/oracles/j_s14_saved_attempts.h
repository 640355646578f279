// J-S14, how often a saved click was tried (C-21, C-22).
// While a journal keeps a click in its retry store, the number of attempts that it states never
// falls. A new owner of the journal goes on from the number that it finds there: otherwise a click
// that is restarted again and again never becomes unjoinable, and its pauses begin anew.
//
// A rewrite of the journal is judged as a whole, when it has been restated: what had been pending
// may stand in it after a newer statement. An operator who begins without state begins with other
// numbers (C-32). A click that verification brought back is exempt: the journal may keep two copies
// of it, each with a number of its own.
//
// Cannot see: attempts that were not saved when their dispatcher died.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class SavedAttempts final : public Oracle {
 public:
  explicit SavedAttempts(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Place {  // a click in one journal
    std::uint32_t pipeline = 0;
    std::uint32_t journal = 0;
    std::uint32_t click = 0;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHasher {
    using is_avalanching = void;
    std::uint64_t operator()(const Place& place) const {
      return combine(mix((std::uint64_t{place.pipeline} << 32U) | place.journal), place.click);
    }
  };
  struct Attempts {
    std::uint32_t saved = 0;
    std::uint32_t restated = 0;
    bool is_restated = false;  // in the rewrite that is under way
  };
  using Clicks = std::vector<std::uint32_t>;

  void on_saved(const Fact& fact, std::uint32_t pipeline);
  void on_replaced(const Fact& fact, std::uint32_t pipeline);
  void on_restated(const Fact& fact, std::uint32_t pipeline);
  void compare(const Fact& fact, const Place& place, std::uint32_t before, std::uint32_t now);

  static std::uint64_t journal_key(std::uint32_t pipeline, std::uint32_t journal) {
    return (std::uint64_t{pipeline} << 32U) | journal;
  }

  boost::unordered_flat_map<Place, Attempts, PlaceHasher> attempts_;
  // By (pipeline, journal): the clicks that a rewrite has stated so far.
  boost::unordered_flat_map<std::uint64_t, Clicks, Hasher> rewrites_;
  static constexpr std::array kKinds = {trace::Kind::retry_saved, trace::Kind::retry_removed,
                                        trace::Kind::journal_replaced,
                                        trace::Kind::journal_restated};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
