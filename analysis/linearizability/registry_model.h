// The registry as a sequential object: one id is absent, or holds a token, or held one that was
// cleared; and it may be older than the boundary, after which nothing but TOO_OLD is answered.
//
//   insert      absent -> holds the token: `ok`; same token again: `ok`; else `already_exists`
//   lookup      `exists` or `not_found`
//   remove_if   holds exactly this token -> absent: `ok`; else `no_match`   (F-09)
//   clear_if    holds exactly this token -> cleared: `ok`; else `no_match`  (F-12, B-45)
//   expire      the boundary passes the id (B-65): nobody is answered; give it to a history as an
//               indefinite operation called when the boundary could first have passed
//
// For check_linearizable. SPEC B-02, B-03, B-41..B-45, B-65..B-67.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

enum class RegistryAction : std::uint8_t { insert, lookup, remove_if, clear_if, expire };
enum class RegistryAnswer : std::uint8_t {
  ok,
  already_exists,
  exists,
  not_found,
  too_old,
  no_match,
};

struct RegistryModel {
  struct Input {
    RegistryAction action = RegistryAction::lookup;
    EventId id{};
    Token token{};  // insert, remove_if, clear_if
  };
  using Output = RegistryAnswer;
  using Key = EventId;

  enum class Value : std::uint8_t { absent, held, cleared };
  enum class Age : std::uint8_t { young, expired };
  struct State {
    Value value = Value::absent;
    Age age = Age::young;
    Token token{};  // of `held`
    friend bool operator==(const State&, const State&) = default;
  };

  static Key key(const Input& input) { return input.id; }
  static State initial() { return {}; }
  static bool step(State& state, const Input& input, const Output* output);
  static std::uint64_t hash_state(const State& state);
};

}  // namespace photon::analysis
