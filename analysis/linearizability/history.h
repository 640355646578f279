// A concurrent history: the requests of clients, their times, and the answers.
//
// An operation takes effect, if it does, at one instant between its call and its return. Its
// Completion is the client's knowledge about that:
//   returned    it took effect before `returned`, and `output` is what it answered
//   indefinite  no answer came (timed out, client died): it took effect at any time after the call,
//               possibly after everything else in the history, or never; `output` means nothing
//   failed      it certainly did not take effect
// Times are any monotone count; equal times count as concurrent.
//
// SPEC J-S4. Herlihy and Wing 1990 for the definition.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace photon::analysis {

enum class Completion : std::uint8_t { returned, indefinite, failed };

using HistoryTime = std::int64_t;
inline constexpr HistoryTime kNeverReturned = std::numeric_limits<HistoryTime>::max();

template <class Input, class Output>
struct Operation {
  Input input{};
  Output output{};
  HistoryTime called = 0;
  HistoryTime returned = kNeverReturned;  // >= called; kNeverReturned unless Completion::returned
  Completion completion = Completion::indefinite;
};

template <class Model>
using History = std::vector<Operation<typename Model::Input, typename Model::Output>>;

}  // namespace photon::analysis
