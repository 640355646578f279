// What the two checkers ask of a sequential object, and how they enumerate its next states.
//
//   struct Model {
//     using Input = ...; using Output = ...;                    // Output: ==
//     using State = ...;                                        // copyable, ==
//     static State initial();
//
//     // An object with one next state: its answer; the state changes accordingly.
//     static Output answer(State&, const Input&);
//     // An object that chooses: `visit(State after, Output)` for each of its outcomes.
//     template <class Visit>
//     static void outcomes(const State&, const Input&, Visit&& visit);  // instead of `answer`
//   };
//
// A weak specification is one with several outcomes: a bag that gives any of its items, a read that
// may be stale. Source: Herlihy and Wing 1990, section 2.2 (a sequential specification is a set of
// histories, not a function).
#pragma once

#include <cstdint>
#include <utility>

namespace photon::analysis {

// The limit that a check met before it had a verdict. `none`: it has one.
enum class SearchLimit : std::uint8_t { none, configurations, steps, bytes };

namespace detail {

template <class Model>
concept Deterministic = requires(typename Model::State& state, const typename Model::Input& input) {
  Model::answer(state, input);
};

// `visit(State after, Output)`; `state` must not change meanwhile.
template <class Model, class Visit>
void each_outcome(const typename Model::State& state, const typename Model::Input& input,
                  Visit&& visit) {
  if constexpr (Deterministic<Model>) {
    typename Model::State after = state;
    typename Model::Output output = Model::answer(after, input);
    visit(std::move(after), std::move(output));
  } else {
    Model::outcomes(state, input, visit);
  }
}

}  // namespace detail
}  // namespace photon::analysis
