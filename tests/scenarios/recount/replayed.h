// The facts of a run that several recounts need, by their places in the raw trace: attempts to
// register, owners of ids, outputs, ends of lives. Each is a plain list; what held at some place is
// found by reading the list up to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/recount/recorded.h"

namespace photonsim::tests {

using Records = std::vector<photon::trace::Record>;
using Place = std::size_t;                                // of a record in the trace
using LifeKey = std::pair<std::uint32_t, std::uint32_t>;  // process and life
constexpr Place kNowhere = ~Place{0};

// One token that one life of a process sent for one click.
struct Try {
  struct Answer {  // that this life received
    Place place = 0;
    std::uint64_t request = 0;
    photon::trace::RegistryCode code{};
  };
  LifeKey life{};
  std::vector<Place> asked{};
  std::vector<Answer> answers{};   // `wrong_shard` and the definitive ones
  std::optional<Place> ok_sent{};  // by a replica, to any process
  Place durable = kNowhere;        // its output, in any cell

  // The first definitive answer that counts: none to a request that a shard had refused as wrong.
  // With `code` only such an answer.
  Place answered(std::optional<photon::trace::RegistryCode> code = {}) const;
  // The first refusal without an OK before it.
  Place refused() const;
};

// An id belonged to the sender of `token` from one place to another.
struct Owned {
  TokenKey token{};
  Place from = 0;
  Place until = kNowhere;  // its removal
};

// A joined record became durable in a cell, or a cell lost it.
struct Output {
  Place place = 0;
  TokenKey token{};
  std::uint32_t cell = 0;
  bool lost = false;
};

struct LifeEnd {
  Place place = 0;
  LifeKey life{};
  bool in_order = false;
  bool joiner = false;
};

struct Replayed {
  explicit Replayed(const Records& records);

  std::map<std::pair<Id, TokenKey>, Try> tries{};
  std::map<Id, std::vector<Owned>> owners{};
  std::map<Id, std::vector<Output>> outputs{};
  std::map<Id, photon::trace::ClickGenerated> clicks{};
  std::vector<LifeEnd> ends{};
  // First applications of clears and removals that changed what is stored, and of recovery's
  // deletes.
  std::uint64_t clears = 0, removals = 0;

  // Cells that hold a record of the click before that place.
  std::set<std::uint32_t> cells(const Id& click, Place before = kNowhere) const;
  bool joined(const Id& click, Place before = kNowhere) const {
    return !cells(click, before).empty();
  }
  // Places at which a click that was in no cell came into one.
  std::vector<Place> joins(const Id& click) const;
  // The owner before that place; null: none.
  const Owned* owner(const Id& click, Place before = kNowhere) const;
  // Null if that token was never sent for that click.
  const Try* find(const Id& click, const TokenKey& token) const;
  // Where the life ended after that place; kNowhere: it did not.
  Place death(const LifeKey& life, Place after) const;

 private:
  void on_message(const photon::trace::Record& record, Place place);
  void on_applied(const photon::trace::OperationApplied& applied, Place place);
  void on_output(const photon::trace::Record& record, Place place);

  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> applied_{};
  std::set<std::uint32_t> joiners_{};
};

}  // namespace photonsim::tests
