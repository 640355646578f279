#include "analysis/linearizability/registry_model.h"

namespace photon::analysis {
namespace {

using State = RegistryModel::State;
using Value = RegistryModel::Value;

bool holds(const State& state, const Token& token) {
  return state.value == Value::held && state.token == token;
}

ModelAnswer insert(State& state, const Token& token) {
  if (state.value == Value::absent) {
    state.value = Value::held;
    state.token = token;
    return ModelAnswer::ok;
  }
  return holds(state, token) ? ModelAnswer::ok : ModelAnswer::already_exists;
}

ModelAnswer remove(State& state, const Token& token) {
  if (state.value == Value::absent) return ModelAnswer::not_found;
  if (!holds(state, token)) return ModelAnswer::no_match;
  state = {};
  return ModelAnswer::ok;
}

ModelAnswer clear(State& state, const Token& token) {
  if (state.value == Value::absent) return ModelAnswer::not_found;
  if (state.value == Value::held && !holds(state, token)) return ModelAnswer::no_match;
  state = {.value = Value::cleared};
  return ModelAnswer::ok;
}

}  // namespace

RegistryModel::Output RegistryModel::answer(State& state, const Input& input) {
  if (input.action == ModelAction::expire) {
    state = {.value = Value::absent, .age = Age::expired, .token = {}};
    return ModelAnswer::ok;
  }
  if (state.age == Age::expired) return ModelAnswer::too_old;
  switch (input.action) {
    case ModelAction::insert:
      return insert(state, input.token);
    case ModelAction::remove:
      return remove(state, input.token);
    case ModelAction::clear:
      return clear(state, input.token);
    case ModelAction::read_token:
      if (state.value == Value::cleared) return ModelAnswer::cleared;
      if (state.value == Value::held) return {ModelAnswer::exists, state.token};
      return ModelAnswer::not_found;
    case ModelAction::lookup:
    case ModelAction::expire:
      break;
  }
  return state.value == Value::absent ? ModelAnswer::not_found : ModelAnswer::exists;
}

std::uint64_t RegistryModel::hash_state(const State& state) {
  const auto kind =
      static_cast<std::uint64_t>(state.value) * 2 + static_cast<std::uint64_t>(state.age);
  return combine(hash_of(state.token), kind);
}

}  // namespace photon::analysis
