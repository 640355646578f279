// The text of a trace record: a title and named fields.
//
// One row per kind of record in record_text.cc; tests/trace_views compares the table with kinds.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/event_id.h"
#include "core_impl/trace/record.h"
#include "trace_views/record_fields.h"

namespace photonsim::trace_views {

enum class Family : std::uint8_t { environment = 0, consensus = 1, registry = 2, pipeline = 3 };
inline constexpr std::size_t kFamilies = 4;
std::string_view name_of(Family family);
Family family_of(photon::trace::Kind kind);  // by its range in kinds.h

// "join request"; of a kind without a row "record of kind 399".
std::string title_of(photon::trace::Kind kind);
bool has_row(photon::trace::Kind kind);
Fields fields_of(const photon::trace::Record& record, const photon::analysis::TracePlaces& places);
// True if one of its fields is that event id.
bool is_about(const photon::trace::Record& record, const photon::EventId& event);
// The first event id that it names; the null id if it names none.
photon::EventId event_of(const photon::trace::Record& record);

}  // namespace photonsim::trace_views
