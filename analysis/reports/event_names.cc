#include "analysis/reports/event_names.h"

#include <cctype>

#include "analysis/evidence/describe.h"
#include "analysis/evidence/event_text.h"
#include "analysis/reports/summary.h"

namespace photon::analysis {
namespace {

bool is_part_of_id(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '@' || c == '.' ||
         c == '-';
}

}  // namespace

std::string with_names(std::string_view text, const EventNames& names) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_part_of_id(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::size_t whole = end < text.size() && text[end] == 's' ? end + 1 : end;
    const auto event = parse_event_id(text.substr(at, whole - at));
    const auto name = event ? names.name_of(*event) : std::nullopt;
    out += name ? name->spoken : std::string(text.substr(at, whole - at));
    at = whole;
  }
  return out;
}

std::string spoken(const EventId& event, const EventNames* names) {
  return spoken(event, names == nullptr ? std::nullopt : names->name_of(event));
}

void name_events(Summary& summary, const EventNames& names) {
  const auto give = [&](const EventId& event, std::optional<EventName>& name,
                        std::string& sentence) {
    if (!event.is_null()) name = names.name_of(event);
    sentence = with_names(sentence, names);
  };
  for (Loss& loss : summary.losses) give(loss.click, loss.name, loss.evidence);
  for (Violation& each : summary.violations) give(each.event, each.name, each.message);
}

}  // namespace photon::analysis
