// A workload: the input logs of all servers, and the stream of clicks with the truth about each.
//
// Paper: Photon section 1.1 (N:1 join), 3.1 (ids); SPEC A-01..A-15.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core_impl/trace/environment.h"
#include "models/event_log.h"

namespace photon::models {

// A click with everything an oracle must know about it (the trace record carries the same fields).
struct GeneratedClick {
  SimTime at{};
  trace::ClickGenerated truth{};
};

// Events that did not happen because their server issued no id (SPEC A-33).
struct UnnamedEvents {
  std::uint64_t queries = 0;
  std::uint64_t clicks = 0;
};

class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  virtual std::span<const std::unique_ptr<EventLog>> logs() const = 0;
  // The next click in order of generation time (ties: server order); none when there are no more.
  virtual std::optional<GeneratedClick> next_click() = 0;
  // Virtual time at which the last event has been generated.
  virtual SimTime end() const = 0;
  virtual UnnamedEvents unnamed() { return {}; }  // in the whole run
  // When events happen that nothing has looked at yet is drawn from another seed; what they are,
  // and a log that is replayed, stay.
  virtual void renew(std::uint64_t /*seed*/) {}
};

}  // namespace photon::models
