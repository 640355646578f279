// J-S14, how often a saved click was tried (C-21, C-22).
// While a journal keeps a click in its retry store, the numbers that it states never decrease:
// neither the attempts that reached a joiner, nor the tries that failed. A new owner of the journal
// continues from the stored numbers. Otherwise a click whose dispatcher restarts again and again
// would never become unjoinable, and its pauses would start again.
//
// A rewrite of the journal is judged as a whole, when it is complete: an older statement may follow
// a newer one in it. A new owner reads the journal up to the first damaged record, so it may
// restate an older state, but only one that the journal has held: it must not restate an offset or
// an entry that is newer than an attempt it lacks. An operator that begins without state begins
// with other numbers (C-32). A click that verification brought back is exempt: the journal may keep
// two copies of it, each with its own number.
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
  std::span<const Interest> kinds() const override { return kKinds; }
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
  struct Counts {
    std::uint32_t attempts = 0;
    std::uint32_t tries = 0;
    bool operator==(const Counts&) const = default;
    bool lacks_some_of(const Counts& other) const {
      return attempts < other.attempts || tries < other.tries;
    }
  };
  // What the journal stated, numbered in the order of its records. What a rewrite states has 0.
  struct Statement {
    std::uint64_t ordinal = 0;
    Counts counts{};
  };
  struct Attempts {
    std::vector<Statement> stated{};  // each counts more than the one before
    Counts restated{};
    bool is_restated = false;  // in the rewrite that is under way
  };
  struct Offset {
    std::uint64_t ordinal = 0;
    std::uint64_t offset = 0;
  };
  struct Journal {
    std::uint64_t records = 0;                                           // since the last rewrite
    std::uint64_t epoch = 0;                                             // of its owner
    boost::unordered_flat_map<std::uint32_t, Offset, Hasher> offsets{};  // by file
    // The rewrite that is under way.
    bool rewriting = false;
    bool new_owner = false;
    std::uint64_t newest = 0;             // the newest statement that it repeats
    std::vector<std::uint32_t> clicks{};  // that it has stated so far
  };

  void on_owned(const Fact& fact, std::uint32_t pipeline);
  void on_offset(const Fact& fact, std::uint32_t pipeline);
  void on_saved(const Fact& fact, std::uint32_t pipeline);
  void on_replaced(const Fact& fact, std::uint32_t pipeline);
  void on_restated(const Fact& fact, std::uint32_t pipeline);
  void check_restated(const Fact& fact, const Journal& journal, const Place& place,
                      const Attempts& attempts);
  bool is_exempt(const Place& place) const;
  void compare(const Fact& fact, const Place& place, const Counts& before, const Counts& now);

  Journal& journal_at(std::uint32_t pipeline, std::uint32_t journal) {
    return journals_[journal_key(pipeline, journal)];
  }
  static std::uint64_t journal_key(std::uint32_t pipeline, std::uint32_t journal) {
    return (std::uint64_t{pipeline} << 32U) | journal;
  }

  boost::unordered_flat_map<Place, Attempts, PlaceHasher> attempts_;
  boost::unordered_flat_map<std::uint64_t, Journal, Hasher> journals_;  // by (pipeline, journal)
  static constexpr Interest kKinds[] = {
      durable(trace::Kind::offset_saved),     durable(trace::Kind::retry_saved),
      durable(trace::Kind::retry_removed),    durable(trace::Kind::journal_replaced),
      durable(trace::Kind::journal_restated), durable(trace::Kind::journal_owned)};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
