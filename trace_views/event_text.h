// Parses event ids in the spelling of violations and of all other texts.
#pragma once

#include <optional>
#include <string_view>

#include "core_impl/base/event_id.h"

namespace photonsim::trace_views {

// "23:1048577@1600000139.173665459s", as analysis::describe spells it; nothing if it is invalid.
std::optional<photon::EventId> parse_event_id(std::string_view text);

}  // namespace photonsim::trace_views
