#include "trace_views/window_choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"

namespace photonsim::trace_views {
namespace {

using photon::Duration;
using photon::SimTime;
using photon::analysis::describe;
using photon::analysis::Violation;

// The time before a violation explains more than the time after it.
constexpr int kPartsBefore = 4;
constexpr int kPartsAfter = 1;
constexpr Duration kUsualLength = std::chrono::seconds(5);
// Around the records of an event, so that none stands at the edge.
constexpr Duration kMargin = std::chrono::milliseconds(1);

Span span_around(SimTime at, Duration length, int before, int after) {
  const Duration part = length / (before + after);
  const Duration first = std::min(before * part, at - SimTime{});
  return {at - first, at + after * part};
}

template <class Condition>
std::optional<std::size_t> first_violation(const std::vector<Violation>& violations,
                                           const Condition& condition) {
  const auto found = std::ranges::find_if(violations, condition);
  if (found == violations.end()) return std::nullopt;
  return static_cast<std::size_t>(found - violations.begin());
}

std::string no_such_violation(const WindowRequest& request, std::uint64_t number,
                              std::uint64_t kept, std::uint64_t total) {
  if (kept == 0) {
    return request.input +
           ": no violation was found; name a time with --around TIME or an event with --event ID";
  }
  return fmt::format("--violation {}: there are {}", number,
                     total == kept
                         ? fmt::format("violations 1 to {}", kept)
                         : fmt::format("{} violations, and 1 to {} are kept", total, kept));
}

}  // namespace

std::variant<WindowOptions, std::string> choose_window(const WindowRequest& request,
                                                       const TraceSurvey& survey,
                                                       const std::vector<Violation>& violations,
                                                       std::uint64_t violations_total) {
  if (!request.event.is_null() && survey.event().records() == 0) {
    return fmt::format("--event {}: no record is about this event; name one as a violation does",
                       request.event_text);
  }
  WindowOptions options;
  options.event = request.event;
  options.processes = request.processes;
  const Duration length = request.length.value_or(kUsualLength);
  if (request.around) {
    const SimTime at = SimTime{} + *request.around;
    if (at > survey.last()) {
      return fmt::format("--around {}: the run ended at {}", describe(at), describe(survey.last()));
    }
    options.span = span_around(at, length, 1, 1);
    options.focus = first_violation(
        violations, [&](const Violation& each) { return options.span.holds(each.at); });
  } else if (request.violation || request.event.is_null()) {
    const std::uint64_t number = request.violation.value_or(1);
    if (number < 1 || number > violations.size()) {
      return no_such_violation(request, number, violations.size(), violations_total);
    }
    options.focus = number - 1;
    options.span = span_around(violations[number - 1].at, length, kPartsBefore, kPartsAfter);
  } else {
    const Span& all = survey.event().span();
    options.span = {std::max(SimTime{}, all.from - kMargin), all.until + kMargin};
    options.focus = first_violation(
        violations, [&](const Violation& each) { return each.event == request.event; });
  }
  options.span.until =
      std::min(options.span.until, std::max(survey.last(), options.span.from + kMargin));
  return options;
}

}  // namespace photonsim::trace_views
