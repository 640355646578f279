#include "trace_views/code_names.h"

#include <array>
#include <cstddef>

namespace photonsim::trace_views {
namespace {

namespace trace = photon::trace;

constexpr std::string_view kUnknown = "unknown";

// `names` by number; an empty name stands for an unused number.
template <std::size_t size, class Code>
constexpr std::string_view pick(const std::array<std::string_view, size>& names, Code code) {
  const auto number = static_cast<std::size_t>(code);
  return number < size && !names[number].empty() ? names[number] : kUnknown;
}

}  // namespace

std::string_view name_of(trace::Source source) {
  static constexpr std::array<std::string_view, 6> kNames{"environment", "decision", "sent",
                                                          "delivered",   "issued",   "durable"};
  return pick(kNames, source);
}

std::string_view name_of(trace::Phase phase) {
  static constexpr std::array<std::string_view, 4> kNames{"started", "generation ended",
                                                          "faults ended", "finished"};
  return pick(kNames, phase);
}

std::string_view name_of(trace::RegistryOperation operation) {
  static constexpr std::array<std::string_view, 7> kNames{
      "lookup", "insert", "move_boundary", "collect", "clear", "remove", "read_token"};
  return pick(kNames, operation);
}

std::string_view name_of(trace::LookupMode mode) {
  static constexpr std::array<std::string_view, 3> kNames{"queue_ordered", "bypass", "replica"};
  return pick(kNames, mode);
}

std::string_view name_of(trace::ShardingAction action) {
  static constexpr std::array<std::string_view, 6> kNames{"",       "announce",       "confirm",
                                                          "cancel", "extend_horizon", "forget"};
  return pick(kNames, action);
}

std::string_view name_of(trace::JoinOutcome outcome) {
  static constexpr std::array<std::string_view, 22> kNames{"joined",
                                                           "already_exists",
                                                           "too_old",
                                                           "skipped",
                                                           "unjoinable",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "",
                                                           "query_not_found",
                                                           "too_many_in_flight",
                                                           "registry_throttled",
                                                           "event_store_error",
                                                           "internal",
                                                           "stopping"};
  return pick(kNames, outcome);
}

std::string_view name_of(trace::DoneReason reason) {
  static constexpr std::array<std::string_view, 10> kNames{
      "joined", "already_exists", "too_old",       "skipped", "unjoinable", "", "",
      "",       "lookup_exists",  "lookup_too_old"};
  return pick(kNames, reason);
}

std::string_view name_of(trace::QueryStatus status) {
  static constexpr std::array<std::string_view, 3> kNames{"found", "not_found", "error"};
  return pick(kNames, status);
}

std::string_view name_of(trace::QueryTier tier) {
  static constexpr std::array<std::string_view, 2> kNames{"cache", "logs"};
  return pick(kNames, tier);
}

std::string_view name_of(trace::Verified verdict) {
  static constexpr std::array<std::string_view, trace::kVerifiedVerdicts> kNames{
      "present", "output_lost", "too_old", "unregistered", "indeterminate"};
  return pick(kNames, verdict);
}

std::string_view name_of(trace::Presence presence) {
  static constexpr std::array<std::string_view, 4> kNames{"absent", "indeterminate", "unknown",
                                                          "present"};
  return pick(kNames, presence);
}

std::string_view component_name(std::uint32_t component) {
  static constexpr std::array<std::string_view, 5> kNames{"registry", "pipeline", "cell", "logs",
                                                          "other"};
  return pick(kNames, component);
}

}  // namespace photonsim::trace_views
