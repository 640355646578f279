// What the head of a stored trace tells about its run: its configuration, and the names of its
// events if it replayed a log.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/reports/event_names.h"
#include "analysis/trace_files/trace_file.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// The configuration of the run; nothing if this program cannot read it, or the trace holds none.
std::optional<scenarios::Config> config_of(const photon::analysis::TraceHead& head);

struct TraceNames {
  std::unique_ptr<photon::analysis::EventNames> names{};  // null: there are none
  std::string why_not{};  // the log cannot be read any more, or has changed; empty: no log
};
TraceNames names_of_trace(const photon::analysis::TraceHead& head);

}  // namespace photonsim::campaigns
