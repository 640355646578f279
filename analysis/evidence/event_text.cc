#include "analysis/evidence/event_text.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include "analysis/evidence/describe.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kDigits = 9;  // of a second's fraction

// All of `text` is a whole number.
template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

// "139.25" in nanoseconds.
std::optional<std::int64_t> nanoseconds(std::string_view seconds) {
  const bool negative = seconds.starts_with('-');
  if (negative) seconds.remove_prefix(1);
  const auto point = seconds.find('.');
  std::string fraction;
  if (point != std::string_view::npos) fraction = seconds.substr(point + 1);
  if (fraction.size() > kDigits || (point != std::string_view::npos && fraction.empty())) {
    return std::nullopt;
  }
  fraction.resize(kDigits, '0');
  const auto before = whole<std::uint64_t>(seconds.substr(0, point));
  const auto after = whole<std::uint64_t>(fraction);
  constexpr std::uint64_t kSecond = 1'000'000'000;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / kSecond;
  if (!before || !after || *before >= kMost) return std::nullopt;
  const auto size = static_cast<std::int64_t>(*before * kSecond + *after);
  return negative ? -size : size;
}

}  // namespace

std::optional<EventId> parse_event_id(std::string_view text) {
  const auto colon = text.find(':');
  const auto at = text.find('@');
  if (colon == std::string_view::npos || at == std::string_view::npos || at < colon) return {};
  if (!text.ends_with('s') || at + 2 > text.size()) return {};
  const auto server = whole<std::uint32_t>(text.substr(0, colon));
  const auto process = whole<std::uint32_t>(text.substr(colon + 1, at - colon - 1));
  const auto stamp = nanoseconds(text.substr(at + 1, text.size() - at - 2));
  if (!server || !process || !stamp) return {};
  return EventId{*server, *process, from_nanoseconds<Stamp>(*stamp)};
}

std::string dated(const EventId& event, const std::optional<EventName>& name) {
  return name ? name->spoken + " of " + name->time : describe(event);
}

std::string spoken(const EventId& event, const std::optional<EventName>& name) {
  return name ? name->spoken : describe(event);
}

}  // namespace photon::analysis
