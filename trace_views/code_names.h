// The codes of trace records in words.
#pragma once

#include <string_view>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"

namespace photonsim::trace_views {

// Of a code that this program does not know: "unknown".
std::string_view name_of(photon::trace::Source source);
std::string_view name_of(photon::trace::Phase phase);
std::string_view name_of(photon::trace::RegistryOperation operation);
std::string_view name_of(photon::trace::LookupMode mode);
std::string_view name_of(photon::trace::ShardingAction action);
std::string_view name_of(photon::trace::JoinOutcome outcome);
std::string_view name_of(photon::trace::DoneReason reason);
std::string_view name_of(photon::trace::QueryStatus status);
std::string_view name_of(photon::trace::QueryTier tier);
std::string_view name_of(photon::trace::Verified verdict);
std::string_view name_of(photon::trace::Presence presence);
// As an outage's component is numbered (trace::OutageBegan).
std::string_view component_name(std::uint32_t component);

}  // namespace photonsim::trace_views
