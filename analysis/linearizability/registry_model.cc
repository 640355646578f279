#include "analysis/linearizability/registry_model.h"

namespace photon::analysis {
namespace {

using State = RegistryModel::State;
using Value = RegistryModel::Value;

bool holds(const State& state, const Token& token) {
  return state.value == Value::held && state.token == token;
}

RegistryAnswer insert(State& state, const Token& token) {
  if (state.value == Value::absent) {
    state.value = Value::held;
    state.token = token;
    return RegistryAnswer::ok;
  }
  return holds(state, token) ? RegistryAnswer::ok : RegistryAnswer::already_exists;
}

RegistryAnswer remove(State& state, const Token& token) {
  if (state.value == Value::absent) return RegistryAnswer::not_found;
  if (!holds(state, token)) return RegistryAnswer::no_match;
  state = {};
  return RegistryAnswer::ok;
}

RegistryAnswer clear(State& state, const Token& token) {
  if (state.value == Value::absent) return RegistryAnswer::not_found;
  if (state.value == Value::held && !holds(state, token)) return RegistryAnswer::no_match;
  state = {.value = Value::cleared};
  return RegistryAnswer::ok;
}

}  // namespace

RegistryModel::Output RegistryModel::answer(State& state, const Input& input) {
  if (input.action == RegistryAction::expire) {
    state = {.value = Value::absent, .age = Age::expired, .token = {}};
    return RegistryAnswer::ok;
  }
  if (state.age == Age::expired) return RegistryAnswer::too_old;
  switch (input.action) {
    case RegistryAction::insert:
      return insert(state, input.token);
    case RegistryAction::remove:
      return remove(state, input.token);
    case RegistryAction::clear:
      return clear(state, input.token);
    case RegistryAction::read_token:
      if (state.value == Value::cleared) return RegistryAnswer::cleared;
      if (state.value == Value::held) return {RegistryAnswer::exists, state.token};
      return RegistryAnswer::not_found;
    case RegistryAction::lookup:
    case RegistryAction::expire:
      break;
  }
  return state.value == Value::absent ? RegistryAnswer::not_found : RegistryAnswer::exists;
}

bool RegistryModel::step(State& state, const Input& input, const Output* output) {
  const Output given = answer(state, input);
  if (input.action == RegistryAction::expire) return true;  // nobody is told
  return output == nullptr || *output == given;
}

std::uint64_t RegistryModel::hash_state(const State& state) {
  const auto kind =
      static_cast<std::uint64_t>(state.value) * 2 + static_cast<std::uint64_t>(state.age);
  return combine(hash_of(state.token), kind);
}

}  // namespace photon::analysis
