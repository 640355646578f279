// A reader of the trace, and the records that it is given: by kind, by source, and by whether they
// name an event. The judge (../judge/) calls no reader for a record that it did not subscribe to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analysis/evidence/fact.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// Records of one kind. A kind alone stands for all its records; the functions below narrow it.
struct Interest {
  static constexpr std::uint8_t kEverySource = 0xff;

  trace::Kind kind{};
  std::uint8_t sources = kEverySource;  // bit n: records of the source with that number
  bool named = false;                   // only records with an event (Fact::event)

  // NOLINTNEXTLINE(google-explicit-constructor): a list of interests reads as a list of kinds
  constexpr Interest(trace::Kind of) : kind(of) {}
  constexpr Interest(trace::Kind of, trace::Source source) : kind(of), sources(bit_of(source)) {}

  constexpr bool holds(trace::Source source, bool is_named) const {
    return (sources & bit_of(source)) != 0 && (is_named || !named);
  }

  // Sources that no record of this program has share the last number.
  static constexpr std::size_t kSources = 8;
  static constexpr std::size_t number_of(trace::Source source) {
    return std::min(static_cast<std::size_t>(source), kSources - 1);
  }

 private:
  static constexpr std::uint8_t bit_of(trace::Source source) {
    return static_cast<std::uint8_t>(1U << number_of(source));
  }
};

constexpr Interest sent(trace::Kind kind) { return {kind, trace::Source::sent}; }
constexpr Interest delivered(trace::Kind kind) { return {kind, trace::Source::delivered}; }
constexpr Interest durable(trace::Kind kind) { return {kind, trace::Source::durable}; }
// Of operations: the first application of each, about an id.
constexpr Interest naming(trace::Kind kind) {
  Interest interest = kind;
  interest.named = true;
  return interest;
}

class FactReader {
 public:
  FactReader() = default;
  FactReader(const FactReader&) = delete;
  FactReader& operator=(const FactReader&) = delete;
  virtual ~FactReader() = default;

  // Asked once, before the first record; a kind may stand in it several times.
  virtual std::span<const Interest> kinds() const { return {}; }
  // Takes one record in; called before the evidence takes it.
  virtual void on_fact(const Fact&) {}
};

}  // namespace photon::analysis
