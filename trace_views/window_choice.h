// Which window of a trace a picture shows: around a time, a violation or an event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/oracles/violation.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/record.h"
#include "trace_views/window.h"

namespace photonsim::trace_views {

// What the user asks to see. Without a time, violation or event: the first violation.
struct WindowRequest {
  std::string input{};                       // the file, for messages
  std::optional<photon::Duration> around{};  // since the start of the run
  std::optional<std::uint64_t> violation{};  // from 1, in the order of `judge`
  std::optional<photon::Duration> length{};
  photon::EventId event{};   // null: every event
  std::string event_text{};  // as the user named it
  std::string processes{};   // pattern of paths; empty: all
};

// Collects what a choice needs to know of the whole trace.
class TraceSurvey final : public photon::trace::Sink {
 public:
  explicit TraceSurvey(const photon::EventId& event) : selects_(!event.is_null()), event_(event) {}
  void record(const photon::trace::Record& record) override {
    last_ = record.header.at;
    if (selects_) event_.record(record);
  }
  photon::SimTime last() const { return last_; }  // when the last record was
  const EventSpan& event() const { return event_; }

 private:
  bool selects_;
  EventSpan event_;
  photon::SimTime last_{};
};

// The window, or why there is none: cause and remedy.
std::variant<WindowOptions, std::string> choose_window(
    const WindowRequest& request, const TraceSurvey& survey,
    const std::vector<photon::analysis::Violation>& violations, std::uint64_t violations_total);

}  // namespace photonsim::trace_views
