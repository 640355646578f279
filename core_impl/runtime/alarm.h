// One timer of a process that serves many deadlines, re-armed lazily.
//
// The runtime sees one pending timer, whatever the number of operations in flight (DESIGN 3): a
// deadline that is later than the armed one costs nothing, and a deadline that is dropped is not
// cancelled. The owner checks its deadlines when the timer fires and asks for the next one.
#pragma once

#include <optional>

#include "core_impl/runtime/context.h"

namespace photon {

class Alarm {
 public:
  explicit Alarm(TimerKind kind) : kind_(kind) {}

  // The timer fires at `due` or earlier.
  void no_later_than(Context& context, MonotonicTime due) {
    if (armed_.has_value() && *armed_ <= due) return;
    armed_ = due;
    context.set_timer(kind_, due);
  }

  // To be called when the timer has fired; nothing is armed until the next no_later_than.
  void fired() { armed_.reset(); }

 private:
  TimerKind kind_;
  std::optional<MonotonicTime> armed_;
};

}  // namespace photon
