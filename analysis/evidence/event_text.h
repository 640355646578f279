// The texts of an event: its id, and the name that a user's log gives it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core_impl/base/event_id.h"

namespace photon::analysis {

// "23:1048577@1600000139.173665459s", as describe() spells it; nothing if it is invalid.
std::optional<EventId> parse_event_id(std::string_view text);

// One row of a log.
struct EventName {
  std::string id{};      // as the user wrote it
  std::string spoken{};  // the same; where both tables use it, after "primary:" or "foreign:"
  std::string time{};    // in the unit of the log

  bool operator==(const EventName&) const = default;
};

// "r8791 of 2013-06-22T08:30:00Z"; without a name the id as describe() spells it.
std::string dated(const EventId& event, const std::optional<EventName>& name);
// The same without the time.
std::string spoken(const EventId& event, const std::optional<EventName>& name);

}  // namespace photon::analysis
