#include "trace_views/window.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "trace_views/record_text.h"

namespace photonsim::trace_views {
namespace {

namespace trace = photon::trace;
namespace analysis = photon::analysis;
using photon::NodeId;
using photon::SimTime;

// Copies of one message: more are not expected.
constexpr std::uint32_t kCopiesMost = 32;

bool is_message(const trace::Record& record) {
  return record.header.source == trace::Source::sent ||
         record.header.source == trace::Source::delivered;
}

// Equal for the records of one fact at both ends of a message.
std::uint64_t message_key(const trace::Record& record, std::uint32_t number) {
  const bool sent = record.header.source == trace::Source::sent;
  const NodeId from = sent ? record.header.node : record.header.peer;
  const NodeId to = sent ? record.header.peer : record.header.node;
  const std::uint64_t ends = (std::uint64_t{from.value()} << 32U) | to.value();
  const std::uint64_t what =
      (std::uint64_t{number} << 32U) | static_cast<std::uint64_t>(record.header.kind);
  return photon::combine(photon::hash_bytes(record.payload, ends), what);
}

std::string datacenter_of(const std::string& path) { return path.substr(0, path.find('/')); }

}  // namespace

bool matches_path(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_LEADING_DIR) == 0;
}

WindowCollector::WindowCollector(WindowOptions options, const analysis::TracePlaces& places)
    : options_(std::move(options)), places_(places) {
  PHOTON_CHECK(options_.span.until != Span::kOpen, "a window has an end");
  if (options_.processes.empty()) return;
  for (const std::string& path : places_.processes) {
    chosen_.push_back(matches_path(options_.processes, path) ? 1 : 0);
  }
}

bool WindowCollector::is_chosen(NodeId node) const {
  return node.value() < chosen_.size() && chosen_[node.value()] != 0;
}

bool WindowCollector::is_of_interest(const trace::Record& record) const {
  const trace::Header& header = record.header;
  const bool chosen = options_.processes.empty() || is_chosen(header.node) ||
                      (is_message(record) && is_chosen(header.peer));
  return chosen && (options_.event.is_null() || is_about(record, options_.event));
}

void WindowCollector::record(const trace::Record& record) {
  const trace::Header& header = record.header;
  last_ = header.at;
  follow_process(record);
  follow_mastership(record);
  follow_fault(record);
  const bool inside = options_.span.holds(header.at);
  const bool early = header.at < options_.span.from;
  if (inside) {
    keep(record);
  } else if (early && header.source == trace::Source::sent) {
    if (header.at >= options_.span.from - kSentBefore) note_sending(record, false);
  } else if (!early && header.source == trace::Source::delivered) {
    note_delivery(record, false);
  }
}

void WindowCollector::keep(const trace::Record& record) {
  if (!is_of_interest(record)) return;
  ++matching_;
  if (too_many()) return;
  if (record.header.source == trace::Source::sent) return note_sending(record, true);
  if (record.header.source == trace::Source::delivered) return note_delivery(record, true);
  add(record);
}

std::uint32_t WindowCollector::add(const trace::Record& record) {
  records_.push_back(record);
  return static_cast<std::uint32_t>(records_.size() - 1);
}

void WindowCollector::note_sending(const trace::Record& record, bool inside) {
  const std::uint32_t number = record.header.message;
  if (inside) {
    const std::uint32_t index = add(record);
    if (number == 0) return;
    // The last send with a number is the one that the network took.
    sent_[message_key(record, number)] = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back({index, kNoIndex});
  } else if (number != 0 && is_of_interest(record)) {
    sent_earlier_[message_key(record, number)] = static_cast<std::uint32_t>(earlier_.size());
    earlier_.push_back(record);
    adopted_.push_back(kNoIndex);
  }
}

void WindowCollector::note_delivery(const trace::Record& record, bool inside) {
  const std::uint32_t number = record.header.message;
  const auto found_in = [&](const BySending& sendings) {
    auto found = sendings.find(message_key(record, number));
    // Further copies have the next numbers, which no other message has.
    for (std::uint32_t back = 1; back < kCopiesMost && found == sendings.end(); ++back) {
      found = sendings.find(message_key(record, number - back));
    }
    return found;
  };
  if (number == 0) {
    if (inside) add(record);
    return;
  }
  if (const auto sending = found_in(sent_); sending != sent_.end()) {
    Message& message = messages_[sending->second];
    const std::uint32_t sent = message.sent;
    const std::uint32_t index = add(record);
    if (message.delivered == kNoIndex) {
      message.delivered = index;
    } else {
      messages_.push_back({sent, index});
    }
    return;
  }
  if (!inside) return;
  std::uint32_t sent = kNoIndex;
  if (const auto sending = found_in(sent_earlier_); sending != sent_earlier_.end()) {
    std::uint32_t& adopted = adopted_[sending->second];
    if (adopted == kNoIndex) adopted = add(earlier_[sending->second]);
    sent = adopted;
  }
  messages_.push_back({sent, add(record)});
}

// ---- states that last

void WindowCollector::follow_process(const trace::Record& record) {
  const trace::Header& header = record.header;
  switch (header.kind) {
    case trace::Kind::process_started:
      processes_[header.node].lives.push_back(
          {header.incarnation.value(), {header.at, Span::kOpen}, Life::End::none});
      break;
    case trace::Kind::process_crashed: {
      ProcessState& state = processes_[header.node];
      const bool in_order = record.as<trace::ProcessCrashed>().in_order != 0;
      if (!state.lives.empty()) {
        state.lives.back().span.until = header.at;
        state.lives.back().end = in_order ? Life::End::stop : Life::End::crash;
      }
      for (Mastership& each : state.masterships) {
        each.span.until = std::min(each.span.until, header.at);
      }
      if (!state.pauses.empty()) {
        state.pauses.back().until = std::min(state.pauses.back().until, header.at);
      }
      break;
    }
    case trace::Kind::process_paused: {
      std::vector<Span>& pauses = processes_[header.node].pauses;
      const auto length = photon::Duration(record.as<trace::ProcessPaused>().nanoseconds);
      const bool ends = length < Span::kOpen - std::max(header.at, SimTime{});
      const SimTime until = ends ? header.at + length : Span::kOpen;
      if (!pauses.empty() && pauses.back().until >= header.at) {
        pauses.back().until = std::max(pauses.back().until, until);
      } else {
        pauses.push_back({header.at, until});
      }
      break;
    }
    case trace::Kind::process_resumed:
      if (std::vector<Span>& pauses = processes_[header.node].pauses; !pauses.empty()) {
        pauses.back().until = std::min(pauses.back().until, header.at);
      }
      break;
    default:
      break;
  }
}

void WindowCollector::follow_mastership(const trace::Record& record) {
  const trace::Header& header = record.header;
  if (header.kind == trace::Kind::master_elected) {
    const auto& elected = record.as<trace::MasterElected>();
    processes_[header.node].masterships.push_back(
        {{header.at, Span::kOpen}, elected.group.value(), elected.ballot});
  } else if (header.kind == trace::Kind::master_ended) {
    const auto& ended = record.as<trace::MasterEnded>();
    for (Mastership& each : processes_[header.node].masterships) {
      const bool meant = each.group == ended.group.value() && each.ballot == ended.ballot;
      if (meant) each.span.until = std::min(each.span.until, header.at);
    }
  }
}

void WindowCollector::fault_at(std::uint32_t number, photon::DatacenterId datacenter) {
  std::vector<photon::DatacenterId>& places = faults_[number].datacenters;
  if (std::ranges::find(places, datacenter) == places.end()) places.push_back(datacenter);
}

void WindowCollector::follow_fault(const trace::Record& record) {
  const trace::Header& header = record.header;
  const auto begins = [&](std::uint32_t number) {
    FaultState& state = faults_[number];
    if (!state.recorded) state.span.from = header.at;
    state.recorded = true;
    fault_at(number, header.datacenter);
  };
  switch (header.kind) {
    case trace::Kind::partition_began:
      begins(record.as<trace::PartitionBegan>().fault);
      break;
    case trace::Kind::partition_healed:
      faults_[record.as<trace::PartitionHealed>().fault].span.until = header.at;
      break;
    case trace::Kind::outage_began:
      begins(record.as<trace::OutageBegan>().fault);
      break;
    case trace::Kind::outage_ended:
      faults_[record.as<trace::OutageEnded>().fault].span.until = header.at;
      break;
    case trace::Kind::fault_effect:
      fault_at(record.as<trace::FaultEffect>().fault, header.datacenter);
      break;
    case trace::Kind::run_phase:
      if (record.as<trace::RunPhase>().phase == trace::Phase::faults_ended) {
        faults_ended_ = header.at;
      }
      break;
    default:
      break;
  }
}

// ---- the window

// Other ends of messages came when they were needed.
void WindowCollector::sort_by_time() {
  std::vector<std::uint32_t> order(records_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return records_[i].header.at; });
  std::vector<std::uint32_t> place(order.size());
  std::vector<trace::Record> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t index : order) {
    place[index] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(records_[index]);
  }
  records_ = std::move(sorted);
  const auto moved = [&](std::uint32_t index) {
    return index == kNoIndex ? kNoIndex : place[index];
  };
  for (Message& each : messages_) each = {moved(each.sent), moved(each.delivered)};
  std::ranges::stable_sort(messages_, {}, [](const Message& message) {
    return std::pair(std::min(message.sent, message.delivered), message.delivered);
  });
}

void WindowCollector::add_lanes(Window& window) {
  std::set<NodeId> nodes;
  for (const trace::Record& record : records_) nodes.insert(record.header.node);
  if (options_.focus) nodes.insert(window.run.violations[*options_.focus].node);
  for (const NodeId node : nodes) {
    Lane lane;
    lane.node = node;
    lane.path = process_name(places_, node);
    if (node != photon::kNoNode) {
      lane.datacenter = datacenter_of(lane.path);
      ProcessState& state = processes_[node];
      const auto elsewhere = [&](const auto& each) { return !each.span.meets(window.span); };
      std::erase_if(state.lives, elsewhere);
      std::erase_if(state.masterships, elsewhere);
      std::erase_if(state.pauses, [&](const Span& each) { return !each.meets(window.span); });
      lane.lives = std::move(state.lives);
      lane.masterships = std::move(state.masterships);
      lane.pauses = std::move(state.pauses);
    }
    window.lanes.push_back(std::move(lane));
  }
  const auto rank = [&](const Lane& lane) {
    const auto& names = places_.datacenters;
    const auto place = std::ranges::find(names, lane.datacenter) - names.begin();
    return std::tuple(!lane.environment(), place, lane.node);
  };
  std::ranges::sort(window.lanes, {}, rank);
  std::map<NodeId, std::uint32_t> lane_of;
  for (const Lane& lane : window.lanes) {
    lane_of.emplace(lane.node, static_cast<std::uint32_t>(lane_of.size()));
  }
  window.records.reserve(records_.size());
  for (const trace::Record& record : records_) {
    window.records.push_back({record, lane_of.at(record.header.node)});
  }
}

void WindowCollector::add_faults(Window& window) {
  for (const analysis::TracedFault& each : window.run.faults) {
    FaultState state = faults_[each.number];
    if (!state.recorded) {
      const bool ends = each.until_ns != analysis::TracedFault::kNever;
      state.span.from = photon::from_nanoseconds<SimTime>(each.at_ns);
      state.span.until = ends ? photon::from_nanoseconds<SimTime>(each.until_ns) : Span::kOpen;
      if (faults_ended_) state.span.until = std::min(state.span.until, *faults_ended_);
    }
    if (!state.span.meets(window.span)) continue;
    Fault fault{each.number, each.description, state.span, {}, each.effective, state.recorded};
    for (const photon::DatacenterId place : state.datacenters) {
      fault.datacenters.push_back(datacenter_name(places_, place));
    }
    window.faults.push_back(std::move(fault));
  }
  std::ranges::stable_sort(window.faults, {}, [](const Fault& fault) { return fault.span.from; });
}

Window WindowCollector::finish(Run run) {
  Window window;
  window.run = std::move(run);
  window.span = options_.span;
  window.focus = options_.focus;
  window.event = options_.event;
  window.processes = options_.processes;
  sort_by_time();
  add_lanes(window);
  window.messages = std::move(messages_);
  add_faults(window);
  return window;
}

void EventSpan::record(const trace::Record& record) {
  if (!is_about(record, event_)) return;
  if (records_ == 0) span_.from = record.header.at;
  span_.until = record.header.at;
  ++records_;
}

}  // namespace photonsim::trace_views
