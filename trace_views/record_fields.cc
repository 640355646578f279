#include "trace_views/record_fields.h"

#include <fmt/format.h>

#include "analysis/oracles/violation.h"
#include "core_impl/base/time_text.h"

namespace photonsim::trace_views {

namespace analysis = photon::analysis;

Fields& Fields::gist(std::string_view name, std::string_view word) {
  gist_ = word;
  return text(name, word);
}

Fields& Fields::event(std::string_view name, const photon::EventId& id) {
  if (id.is_null()) return text(name, "none");
  list_.push_back({name, Field::Type::event, id, 0, {}});
  return *this;
}

Fields& Fields::token(std::string_view name, const photon::Token& token) {
  if (detail_ == Detail::events) return *this;
  if (token.is_empty()) return text(name, "none");
  return text(name, fmt::format("{} ({})", analysis::describe(token),
                                process_name(places_, photon::NodeId(token.address))));
}

Fields& Fields::number(std::string_view name, std::uint64_t value) {
  if (detail_ == Detail::events) return *this;
  list_.push_back({name, Field::Type::number, {}, value, {}});
  return *this;
}

Fields& Fields::hash(std::string_view name, std::uint64_t value) {
  if (detail_ == Detail::events) return *this;
  return text(name, fmt::format("{:016x}", value));
}

Fields& Fields::process(std::string_view name, photon::NodeId node) {
  if (detail_ == Detail::events) return *this;
  return text(name, process_name(places_, node));
}

Fields& Fields::datacenter(std::string_view name, photon::DatacenterId datacenter) {
  if (detail_ == Detail::events) return *this;
  return text(name, datacenter_name(places_, datacenter));
}

Fields& Fields::duration(std::string_view name, std::int64_t nanoseconds) {
  if (detail_ == Detail::events) return *this;
  return text(name, photon::in_seconds(photon::Duration(nanoseconds)));
}

Fields& Fields::text(std::string_view name, std::string_view text) {
  if (detail_ == Detail::events) return *this;
  list_.push_back({name, Field::Type::text, {}, 0, std::string(text)});
  return *this;
}

}  // namespace photonsim::trace_views
