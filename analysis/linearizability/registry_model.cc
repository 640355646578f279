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

RegistryAnswer replace_if(State& state, const Token& token, Value value) {
  if (!holds(state, token)) return RegistryAnswer::no_match;
  state.value = value;
  state.token = {};
  return RegistryAnswer::ok;
}

RegistryAnswer apply(State& state, const RegistryModel::Input& input) {
  if (state.age == RegistryModel::Age::expired) return RegistryAnswer::too_old;
  switch (input.action) {
    case RegistryAction::insert:
      return insert(state, input.token);
    case RegistryAction::remove_if:
      return replace_if(state, input.token, Value::absent);
    case RegistryAction::clear_if:
      return replace_if(state, input.token, Value::cleared);
    case RegistryAction::lookup:
    case RegistryAction::expire:
      break;
  }
  return state.value == Value::absent ? RegistryAnswer::not_found : RegistryAnswer::exists;
}

}  // namespace

bool RegistryModel::step(State& state, const Input& input, const Output* output) {
  if (input.action == RegistryAction::expire) {
    state = {.value = Value::absent, .age = Age::expired, .token = {}};
    return true;
  }
  const RegistryAnswer answer = apply(state, input);
  return output == nullptr || *output == answer;
}

std::uint64_t RegistryModel::hash_state(const State& state) {
  const auto kind =
      static_cast<std::uint64_t>(state.value) * 2 + static_cast<std::uint64_t>(state.age);
  return combine(hash_of(state.token), kind);
}

}  // namespace photon::analysis
