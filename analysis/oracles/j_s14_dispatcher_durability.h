// J-S14: dispatcher durability.
// When a persisted offset advances over a click, that click is finished at its pipeline (a success
// or a look-up's exists / too_old was delivered there) or durably in the retry store. When its
// entry leaves the store, it is finished. When the whole journal is rewritten, every unfinished
// click that it held and that the restated offsets cover is stated again. A click that verification
// brought back is a new click, in a file of its own: earlier answers do not finish it. No offset
// lies after the bytes that could be read. All are checked where the state changes (offsets and
// entries change by durable facts, "finished" only grows), so the invariant holds at every instant;
// a crash changes none of it. Only an operator that begins without state may skip clicks (C-32): a
// range that it names counts as finished there, and a loss by it has its class (accounting.h).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class DispatcherDurability final : public Oracle {
 public:
  explicit DispatcherDurability(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Covered {
    std::uint32_t pipeline = 0;
    std::uint32_t file = 0;
    std::uint32_t journal = 0;  // which states it
    std::uint64_t offset = 0;
    std::size_t clicks = 0;   // of the file's clicks, how many lie before `offset`
    std::size_t returns = 0;  // the same for a file of clicks brought back
  };
  // The last return of a click that an offset has passed.
  struct Passed {
    Return back{};
    std::uint32_t file = 0;
  };

  static std::uint64_t key_of(std::uint32_t pipeline, std::uint32_t number) {
    return (std::uint64_t{pipeline} << 32U) | number;
  }
  void on_offset(const Fact& fact, std::uint32_t pipeline);
  void on_removed(const Fact& fact, std::uint32_t pipeline);
  void on_replaced(const Fact& fact, std::uint32_t pipeline);
  void on_skipped(const Fact& fact);
  void on_restated(const Fact& fact, std::uint32_t pipeline);
  void cover_clicks(const Fact& fact, Covered& known);
  void cover_returns(const Fact& fact, Covered& known);
  // The return of the click that only the retry store of that journal holds; null if there is none.
  // Another journal may hold the click for the log in which it was first read.
  const Passed* unfinished_return(std::uint32_t click, std::uint32_t pipeline,
                                  std::uint32_t journal) const;
  void forget_later(Covered& known) const;
  Covered& covered(std::uint32_t pipeline, std::uint32_t file);

  boost::unordered_flat_map<std::uint64_t, Covered, Hasher> covered_;  // by (pipeline, file)
  boost::unordered_flat_map<std::uint64_t, Passed, Hasher> passed_;    // by (pipeline, click)
  static constexpr Interest kKinds[] = {
      durable(trace::Kind::offset_saved), durable(trace::Kind::retry_removed),
      durable(trace::Kind::journal_replaced), durable(trace::Kind::journal_restated),
      durable(trace::Kind::range_skipped)};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
