// The names that a user's log gives its events, in place of the ids that the run gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/evidence/event_text.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

struct Summary;

class EventNames {
 public:
  EventNames() = default;
  EventNames(const EventNames&) = delete;
  EventNames& operator=(const EventNames&) = delete;
  virtual ~EventNames() = default;

  // Nothing for an event that is no row of the log.
  virtual std::optional<EventName> name_of(const EventId& event) const = 0;
  // The key of a foreign as the user wrote it; nothing if it is empty.
  virtual std::optional<std::string> key_of(const EventId& foreign) const = 0;
  // A time of the run in the unit of the log's foreigns.
  virtual std::string time_text(SimTime at) const = 0;
  // The events of that id, with or without "primary:" or "foreign:": at most one of each table.
  virtual std::vector<EventId> events_named(std::string_view id) const = 0;
};

// The text with a name in place of each event id that has one.
std::string with_names(std::string_view text, const EventNames& names);

// The name, or else the id as describe() spells it. `names` may be null.
std::string spoken(const EventId& event, const EventNames* names);

// Names the events of a summary: losses, violations, and the ids in their sentences.
void name_events(Summary& summary, const EventNames& names);

}  // namespace photon::analysis
