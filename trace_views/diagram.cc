#include "trace_views/diagram.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <generated/diagram_page.h>

#include "analysis/oracles/oracle_table.h"
#include "analysis/oracles/violation.h"
#include "trace_views/code_names.h"
#include "trace_views/page_text.h"
#include "trace_views/record_text.h"

namespace photonsim::trace_views {
namespace {

namespace json = boost::json;
namespace trace = photon::trace;
using photon::SimTime;

// Numbers strings in the order in which they first occur.
class Table {
 public:
  std::int64_t number_of(const std::string& text) {
    const auto [known, added] = numbers_.emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (added) texts_.emplace_back(text);
    return known->second;
  }
  json::array take() { return std::move(texts_); }

 private:
  std::map<std::string, std::int64_t> numbers_;
  json::array texts_;
};

class DiagramWriter {
 public:
  explicit DiagramWriter(const Window& window) : window_(window) {}

  json::object write() {
    json::object out;
    out["run"] = run();
    out["window"] = {{"from_ns", std::to_string(photon::nanoseconds_of(window_.span.from))},
                     {"length", relative(window_.span.until)},
                     {"processes", window_.processes}};
    out["lanes"] = lanes();
    out["records"] = records();
    out["messages"] = messages();
    out["faults"] = faults();
    out["violations"] = violations();
    out["focus"] = nullptr;
    if (focus_) out["focus"] = *focus_;
    out["event"] = nullptr;
    if (!window_.event.is_null()) out["event"] = event_number(window_.event);
    out["sources"] = sources();
    out["kinds"] = std::move(kinds_);
    out["datacenters"] = datacenters_.take();
    out["names"] = names_.take();
    out["events"] = events_.take();
    return out;
  }

 private:
  json::value relative(SimTime at) const {
    if (at == Span::kOpen) return nullptr;
    return (at - window_.span.from).count();
  }
  json::array relative(const Span& span) const {
    return {relative(span.from), relative(span.until)};
  }

  std::int64_t event_number(const photon::EventId& id) {
    return events_.number_of(photon::analysis::spoken(id, window_.run.names));
  }

  json::object run() const {
    json::array overrides;
    for (const std::string& each : window_.run.overrides) overrides.emplace_back(each);
    return {{"scenario", window_.run.scenario},   {"seed", std::to_string(window_.run.seed)},
            {"model", window_.run.model_version}, {"fingerprint", window_.run.fingerprint},
            {"overrides", std::move(overrides)},  {"violations", window_.run.violations_total}};
  }

  json::array lanes() {
    json::array lanes;
    for (const Lane& lane : window_.lanes) {
      json::array lives;
      for (const Life& life : lane.lives) {
        json::array each = relative(life.span);
        each.emplace_back(life.number);
        each.emplace_back(life.end == Life::End::crash  ? "crash"
                          : life.end == Life::End::stop ? "stop"
                                                        : "");
        lives.emplace_back(std::move(each));
      }
      json::array masterships;
      for (const Mastership& mastership : lane.masterships) {
        json::array each = relative(mastership.span);
        each.emplace_back(mastership.group);
        each.emplace_back(mastership.ballot);
        masterships.emplace_back(std::move(each));
      }
      json::array pauses;
      for (const Span& each : lane.pauses) pauses.emplace_back(relative(each));
      lanes.emplace_back(json::object{{"path", lane.path},
                                      {"datacenter", datacenters_.number_of(lane.datacenter)},
                                      {"environment", lane.environment()},
                                      {"lives", std::move(lives)},
                                      {"masterships", std::move(masterships)},
                                      {"pauses", std::move(pauses)}});
    }
    return lanes;
  }

  json::array sources() const {
    json::array names;
    for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(trace::Source::durable); ++i) {
      names.emplace_back(name_of(trace::Source{i}));
    }
    return names;
  }

  std::int64_t kind_number(const trace::Record& record, const Fields& fields) {
    const auto next = static_cast<std::int64_t>(kinds_.size());
    const auto [known, added] = kind_numbers_.emplace(record.header.kind, next);
    if (added) {
      json::array names;
      for (const Field& field : fields.list()) names.emplace_back(field.name);
      kinds_.emplace_back(json::object{{"title", title_of(record.header.kind)},
                                       {"family", name_of(family_of(record.header.kind))},
                                       {"fields", std::move(names)}});
    }
    return known->second;
  }

  json::value value_of(const Field& field) {
    switch (field.type) {
      case Field::Type::event:
        return json::array{event_number(field.id)};
      case Field::Type::number:
        if (field.count < kExact) return field.count;
        return json::string(std::to_string(field.count));
      case Field::Type::text:
        break;
    }
    return json::string(field.text);
  }

  // -1: none.
  std::int64_t other_end(const trace::Header& header) {
    switch (header.source) {
      case trace::Source::sent:
      case trace::Source::delivered:
        return names_.number_of(process_name(window_.run.places, header.peer));
      case trace::Source::issued:
      case trace::Source::durable:
        return names_.number_of(
            volume_name(window_.run.places, photon::VolumeId(header.peer.value())));
      case trace::Source::environment:
      case trace::Source::decision:
        break;
    }
    return -1;
  }

  json::array records() {
    json::array records;
    records.reserve(window_.records.size());
    for (const Shown& each : window_.records) {
      const trace::Header& header = each.record.header;
      const Fields fields = fields_of(each.record, window_.run.places);
      json::array values;
      for (const Field& field : fields.list()) values.emplace_back(value_of(field));
      json::value clock = nullptr;  // how far its host's clock is ahead
      if (header.node != photon::kNoNode) {
        clock = photon::nanoseconds_of(header.local) - photon::nanoseconds_of(header.at) -
                window_.run.calendar_epoch.count();
      }
      records.emplace_back(json::array{
          relative(header.at), each.lane, kind_number(each.record, fields),
          static_cast<std::int64_t>(header.source), header.incarnation.value(), other_end(header),
          json::string(fields.gist()), std::move(clock), std::move(values)});
    }
    return records;
  }

  json::array messages() const {
    const auto place = [](std::uint32_t index) {
      return index == kNoIndex ? std::int64_t{-1} : std::int64_t{index};
    };
    json::array messages;
    for (const Message& each : window_.messages) {
      messages.emplace_back(json::array{place(each.sent), place(each.delivered)});
    }
    return messages;
  }

  json::array faults() {
    json::array faults;
    for (const Fault& fault : window_.faults) {
      json::array places;
      for (const std::string& name : fault.datacenters) {
        places.emplace_back(datacenters_.number_of(name));
      }
      faults.emplace_back(json::object{{"number", fault.number},
                                       {"text", fault.description},
                                       {"from", relative(fault.span.from)},
                                       {"until", relative(fault.span.until)},
                                       {"datacenters", std::move(places)},
                                       {"effective", fault.effective},
                                       {"wide", fault.wide}});
    }
    return faults;
  }

  // Those of the window, and the one that the window is about.
  json::array violations() {
    json::array violations;
    for (std::size_t i = 0; i < window_.run.violations.size(); ++i) {
      const photon::analysis::Violation& violation = window_.run.violations[i];
      const bool focus = window_.focus == i;
      if (!focus && !window_.span.holds(violation.at)) continue;
      if (focus) focus_ = violations.size();
      const auto lane = std::ranges::find(window_.lanes, violation.node, &Lane::node);
      const bool shown = lane != window_.lanes.end() && violation.node != photon::kNoNode;
      const bool safety = violation.severity == photon::analysis::Severity::safety;
      violations.emplace_back(json::object{
          {"number", i + 1},
          {"oracle", violation.oracle},
          {"severity", safety ? "safety" : "liveness"},
          {"at", relative(violation.at)},
          {"lane", shown ? lane - window_.lanes.begin() : std::ptrdiff_t{-1}},
          {"process", process_name(window_.run.places, violation.node)},
          {"event", violation.event.is_null() ? std::int64_t{-1} : event_number(violation.event)},
          {"message", violation.message},
          {"rule", photon::analysis::rule_text(violation.oracle)}});
    }
    return violations;
  }

  static constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;  // whole numbers of a script

  const Window& window_;
  std::optional<std::size_t> focus_{};
  Table datacenters_;
  Table names_;
  Table events_;
  json::array kinds_;
  std::map<trace::Kind, std::int64_t> kind_numbers_;
};

}  // namespace

std::string diagram_json(const Window& window) {
  return json::serialize(DiagramWriter(window).write());
}

std::string diagram_page(std::string_view title, std::string json) {
  std::string script;
  for (const std::string_view part : kPageScripts) script += part;
  return filled(kPageHtml, {{"TITLE", for_html(title)},
                            {"STYLE", std::string(kPageStyle)},
                            {"SCRIPT", std::move(script)},
                            {"DATA", for_script(std::move(json))}});
}

std::string diagram_html(const Window& window) {
  return diagram_page(fmt::format("{}, seed {}", window.run.scenario, window.run.seed),
                      diagram_json(window));
}

}  // namespace photonsim::trace_views
