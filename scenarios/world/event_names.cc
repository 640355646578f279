#include "scenarios/world/event_names.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "models/tables/time_text.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/world/environment.h"
#include "scenarios/world/scripted_faults.h"

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;
using photon::EventId;
using photon::analysis::EventName;
using photon::analysis::EventNames;
using Role = models::TraceWorkload::Role;

constexpr std::string_view kPrimary = "primary:";
constexpr std::string_view kForeign = "foreign:";

// Reports, JSON and results files are UTF-8 without controls: other bytes of an id become \\xNN,
// and so does a backslash that would look like one of them.
std::string as_utf8(std::string_view id) {
  std::string text;
  for (std::size_t at = 0; at < id.size();) {
    const std::size_t length = utf8_length(id, at);
    const auto byte = static_cast<unsigned char>(id[at]);
    const bool looks_escaped = id.substr(at).starts_with("\\x");
    if (length > 0 && byte >= 0x20 && byte != 0x7F && !looks_escaped) {
      text += id.substr(at, length);
    } else {
      text += fmt::format("\\x{:02x}", byte);
    }
    at += std::max<std::size_t>(1, length);
  }
  return text;
}

std::uint64_t hash_of(std::string_view id) {
  return photon::hash_bytes(std::as_bytes(std::span(id)));
}

// Ascending.
std::vector<std::uint64_t> hashes_of(const models::TraceRows& rows) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) hashes.push_back(hash_of(rows.id(i)));
  std::ranges::sort(hashes);
  return hashes;
}

class RowNames final : public EventNames {
 public:
  explicit RowNames(const models::TraceWorkload& workload)
      : workload_(workload),
        primaries_(hashes_of(workload.log().primaries)),
        foreigns_(hashes_of(workload.log().foreigns)) {}

  std::optional<EventName> name_of(const EventId& event) const override {
    const auto place = workload_.row_of(event);
    if (!place) return std::nullopt;
    const bool primary = place->role == Role::primary;
    const models::TraceLog& log = workload_.log();
    const models::TraceRows& rows = primary ? log.primaries : log.foreigns;
    const std::string_view id = rows.id(place->row);
    const auto& others = primary ? foreigns_ : primaries_;
    std::string spoken;
    if (std::ranges::binary_search(others, hash_of(id))) spoken = primary ? kPrimary : kForeign;
    spoken += as_utf8(id);
    const models::TimeForm form = primary ? log.primary_form : log.foreign_form;
    return EventName{as_utf8(id), std::move(spoken),
                     models::time_text(rows[place->row].time, form)};
  }

  std::optional<std::string> key_of(const EventId& foreign) const override {
    const auto place = workload_.row_of(foreign);
    if (!place || place->role == Role::primary) return std::nullopt;
    const models::TraceLog& log = workload_.log();
    const std::uint32_t primary = log.foreigns[place->row].primary;
    if (primary == models::TraceRows::kNoKey) return std::nullopt;
    return as_utf8(primary == models::TraceRows::kUnknownKey ? log.foreigns.unknown_key(place->row)
                                                             : log.primaries.id(primary));
  }

  std::string time_text(photon::SimTime at) const override {
    return models::time_text(workload_.table_time(at), workload_.log().foreign_form);
  }

  std::vector<EventId> events_named(std::string_view id) const override {
    std::vector<EventId> events;
    for (const Role role : {Role::foreign, Role::primary}) {
      const std::string_view prefix = role == Role::primary ? kPrimary : kForeign;
      find(role, id, events);
      if (id.starts_with(prefix)) find(role, id.substr(prefix.size()), events);
    }
    return events;
  }

 private:
  void find(Role role, std::string_view id, std::vector<EventId>& events) const {
    const models::TraceRows& rows =
        role == Role::primary ? workload_.log().primaries : workload_.log().foreigns;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.id(i) == id) return events.push_back(workload_.id_of(role, i));
    }
    // As reports and exports show it.
    if (id.find("\\x") == std::string_view::npos) return;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (as_utf8(rows.id(i)) == id) return events.push_back(workload_.id_of(role, i));
    }
  }

  const models::TraceWorkload& workload_;
  std::vector<std::uint64_t> primaries_;
  std::vector<std::uint64_t> foreigns_;
};

// Names that keep the log that they are about.
class KeptNames final : public EventNames {
 public:
  explicit KeptNames(std::unique_ptr<Environment> environment)
      : environment_(std::move(environment)), names_(environment_->names()) {}

  std::optional<EventName> name_of(const EventId& event) const override {
    return names_->name_of(event);
  }
  std::optional<std::string> key_of(const EventId& foreign) const override {
    return names_->key_of(foreign);
  }
  std::string time_text(photon::SimTime at) const override { return names_->time_text(at); }
  std::vector<EventId> events_named(std::string_view id) const override {
    return names_->events_named(id);
  }

 private:
  std::unique_ptr<Environment> environment_;
  std::unique_ptr<EventNames> names_;
};

}  // namespace

std::unique_ptr<EventNames> names_of(const models::TraceWorkload& workload) {
  return std::make_unique<RowNames>(workload);
}

std::unique_ptr<EventNames> names_of(std::unique_ptr<Environment> environment) {
  if (environment->names() == nullptr) return nullptr;
  return std::make_unique<KeptNames>(std::move(environment));
}

photon::Result<std::unique_ptr<EventNames>, models::InputFaults> event_names(const Config& config,
                                                                             std::uint64_t seed) {
  if (config.workload.kind != WorkloadKind::kTrace) return std::unique_ptr<EventNames>();
  const Deployment deployment = deploy(config);
  auto environment =
      Environment::create(config, deployment, seed, model_faults(config, deployment));
  if (!environment) return std::move(environment).assume_error();
  return names_of(std::move(environment).assume_value());
}

}  // namespace photonsim::scenarios
