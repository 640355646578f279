#include "scenarios/world/trace_input.h"

#include <optional>

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;

std::optional<models::TimeForm> form_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return models::TimeForm::seconds;
    case TimeUnit::kMilliseconds:
      return models::TimeForm::milliseconds;
    case TimeUnit::kMicroseconds:
      return models::TimeForm::microseconds;
    case TimeUnit::kNanoseconds:
      return models::TimeForm::nanoseconds;
    case TimeUnit::kIso8601:
      return models::TimeForm::iso8601;
    case TimeUnit::kAuto:
      break;
  }
  return std::nullopt;
}

}  // namespace

photon::Result<models::TraceLog, models::InputFaults> read_trace(const Config& config) {
  const PrimaryTrace& primary = config.workload.primary;
  const ForeignTrace& foreign = config.workload.foreign;
  return models::read_trace_log(
      {primary.files, primary.id, {}, primary.time, form_of(primary.unit)},
      {foreign.files, foreign.id, foreign.primary_id, foreign.time, form_of(foreign.unit)},
      foreign.dangling == DanglingPolicy::kAllow ? models::Dangling::allowed
                                                 : models::Dangling::error);
}

}  // namespace photonsim::scenarios
