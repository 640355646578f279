// The registry as a sequential object: one id is absent, or holds a token, or held one that was
// cleared; and it may be older than the boundary, after which the only answer is TOO_OLD.
//
//   insert      absent -> holds the token: `ok`; same token again: `ok`; else `already_exists`
//   lookup      `exists` or `not_found`
//   read_token  `exists` with the stored token, `cleared` or `not_found`
//   remove      holds exactly this token -> absent: `ok`; absent: `not_found`;
//               else `no_match` (F-09)
//   clear       holds exactly this token -> cleared: `ok`; cleared: `ok`; absent: `not_found`;
//               else `no_match` (F-12, B-45)
//   expire      the boundary passes the id (B-65): no client asks for it and none is answered. A
//               history holds one: called and returned when the boundary was first seen to pass,
//               or without return where only the earliest moment is known.
//               Its answer is `ok`.
//
// For check_linearizable and OnlineCheck. SPEC J-S4, B-02, B-03, B-41..B-45, B-65..B-67.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

enum class ModelAction : std::uint8_t { insert, lookup, read_token, remove, clear, expire };
enum class ModelAnswer : std::uint8_t {
  ok,
  already_exists,
  exists,
  not_found,
  too_old,
  no_match,
  cleared,
  never,  // never an answer of this object
};

struct RegistryModel {
  struct Input {
    ModelAction action = ModelAction::lookup;
    EventId id{};
    Token token{};  // insert, remove, clear
    friend bool operator==(const Input&, const Input&) = default;
  };
  struct Output {
    ModelAnswer answer = ModelAnswer::ok;
    Token stored{};  // read_token that `exists`

    Output() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): most answers consist of their code.
    Output(ModelAnswer code, Token token = {}) : answer(code), stored(token) {}
    friend bool operator==(const Output&, const Output&) = default;
  };
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
  // The answer of the object in this state; the state changes accordingly.
  static Output answer(State& state, const Input& input);
  static bool is_read(const Input& input) {
    return input.action == ModelAction::lookup || input.action == ModelAction::read_token;
  }
  static std::uint64_t hash_state(const State& state);
};

}  // namespace photon::analysis
