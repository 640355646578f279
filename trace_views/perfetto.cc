#include "trace_views/perfetto.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <protozero/pbf_builder.hpp>

#include "analysis/oracles/violation.h"
#include "core_impl/base/time_text.h"
#include "trace_views/code_names.h"
#include "trace_views/perfetto_fields.h"
#include "trace_views/record_text.h"

namespace photonsim::trace_views {
namespace {

namespace trace = photon::trace;
namespace pf = perfetto;
using photon::SimTime;

template <class Fields>
using Builder = protozero::pbf_builder<Fields>;

constexpr std::uint32_t kSequence = 1;  // all packets are of one writer
constexpr std::int32_t kRunPid = 1;     // pid
constexpr std::uint64_t kRunTrack = 1;
constexpr std::uint64_t kViolationsTrack = 2;
constexpr std::uint64_t kEnvironmentTrack = 3;
constexpr std::uint64_t kFaultTracks = std::uint64_t{1} << 32U;
constexpr std::uint64_t kProcessTracks = std::uint64_t{2} << 32U;
constexpr std::uint64_t kDatacenterTracks = std::uint64_t{3} << 32U;
// Thread numbers must be none of the process numbers, or they would be main threads.
constexpr std::int32_t kFirstThread = 1'000'000;

struct Slice {
  Span span{};
  std::string name{};
};

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const Window& window) : window_(window), shown_(window.span) {
    for (const Shown& each : window.records) {
      shown_.from = std::min(shown_.from, each.record.header.at);
      shown_.until = std::max(shown_.until, each.record.header.at);
    }
    by_lane_.resize(window.lanes.size());
    for (std::uint32_t i = 0; i < window.records.size(); ++i) {
      by_lane_[window.records[i].lane].push_back(i);
    }
    starts_.resize(window.records.size());
    ends_.resize(window.records.size());
    for (std::uint64_t i = 0; i < window.messages.size(); ++i) {
      const Message& message = window.messages[i];
      if (message.sent == kNoIndex || message.delivered == kNoIndex) continue;
      starts_[message.sent].push_back(i + 1);
      ends_[message.delivered].push_back(i + 1);
    }
  }

  std::string write() {
    describe_run();
    for (const Fault& fault : window_.faults) write_fault(fault);
    write_violations();
    for (std::uint32_t lane = 0; lane < window_.lanes.size(); ++lane) write_lane(lane);
    return std::move(bytes_);
  }

 private:
  // ---- packets

  template <class Fill>
  void packet(Fill&& fill) {
    Builder<pf::Trace> trace(bytes_);
    Builder<pf::Packet> packet(trace, pf::Trace::packet);
    packet.add_uint32(pf::Packet::trusted_packet_sequence_id, kSequence);
    if (first_) packet.add_uint32(pf::Packet::sequence_flags, pf::kIncrementalStateCleared);
    first_ = false;
    fill(packet);
  }

  template <class Fill>
  void event(SimTime at, std::uint64_t track, pf::Type type, Fill&& fill) {
    packet([&](Builder<pf::Packet>& packet) {
      packet.add_uint64(pf::Packet::timestamp,
                        static_cast<std::uint64_t>(photon::nanoseconds_of(at)));
      Builder<pf::Event> event(packet, pf::Packet::track_event);
      event.add_enum(pf::Event::type, static_cast<std::int32_t>(type));
      event.add_uint64(pf::Event::track_uuid, track);
      fill(event);
    });
  }

  static void annotate(Builder<pf::Event>& event, std::string_view name, std::string_view text) {
    Builder<pf::Annotation> annotation(event, pf::Event::debug_annotations);
    annotation.add_string(pf::Annotation::name, name.data(), name.size());
    annotation.add_string(pf::Annotation::string_value, text.data(), text.size());
  }
  static void annotate(Builder<pf::Event>& event, std::string_view name, std::uint64_t value) {
    Builder<pf::Annotation> annotation(event, pf::Event::debug_annotations);
    annotation.add_string(pf::Annotation::name, name.data(), name.size());
    annotation.add_uint64(pf::Annotation::uint_value, value);
  }

  void begin(SimTime at, std::uint64_t track, std::string_view category, std::string_view name) {
    event(at, track, pf::Type::slice_begin, [&](Builder<pf::Event>& event) {
      event.add_string(pf::Event::categories, category.data(), category.size());
      event.add_string(pf::Event::name, name.data(), name.size());
    });
  }
  void end(SimTime at, std::uint64_t track) {
    event(at, track, pf::Type::slice_end, [](Builder<pf::Event>&) {});
  }

  // ---- tracks

  void process_track(std::uint64_t uuid, std::int32_t pid, const std::string& name) {
    packet([&](Builder<pf::Packet>& packet) {
      Builder<pf::Descriptor> track(packet, pf::Packet::track_descriptor);
      track.add_uint64(pf::Descriptor::uuid, uuid);
      Builder<pf::Process> process(track, pf::Descriptor::process);
      process.add_int32(pf::Process::pid, pid);
      process.add_string(pf::Process::process_name, name);
    });
  }

  void child_track(std::uint64_t uuid, std::uint64_t parent, const std::string& name) {
    packet([&](Builder<pf::Packet>& packet) {
      Builder<pf::Descriptor> track(packet, pf::Packet::track_descriptor);
      track.add_uint64(pf::Descriptor::uuid, uuid);
      track.add_string(pf::Descriptor::name, name);
      track.add_uint64(pf::Descriptor::parent_uuid, parent);
    });
  }

  void thread_track(std::uint64_t uuid, std::int32_t pid, std::int32_t tid,
                    const std::string& name) {
    packet([&](Builder<pf::Packet>& packet) {
      Builder<pf::Descriptor> track(packet, pf::Packet::track_descriptor);
      track.add_uint64(pf::Descriptor::uuid, uuid);
      Builder<pf::Thread> thread(track, pf::Descriptor::thread);
      thread.add_int32(pf::Thread::pid, pid);
      thread.add_int32(pf::Thread::tid, tid);
      thread.add_string(pf::Thread::thread_name, name);
    });
  }

  void describe_run() {
    process_track(kRunTrack, kRunPid,
                  fmt::format("{}, seed {}", window_.run.scenario, window_.run.seed));
    child_track(kViolationsTrack, kRunTrack, "violations");
    child_track(kEnvironmentTrack, kRunTrack, "environment");
  }

  std::int32_t process_of(const std::string& datacenter) {
    const auto next = static_cast<std::int32_t>(datacenters_.size()) + kRunPid + 1;
    const auto [known, added] = datacenters_.emplace(datacenter, next);
    if (added) {
      process_track(kDatacenterTracks + static_cast<std::uint64_t>(next), next, datacenter);
    }
    return known->second;
  }

  std::uint64_t track_of(const Lane& lane) {
    if (lane.environment()) return kEnvironmentTrack;
    const std::uint64_t track = kProcessTracks + lane.node.value();
    const auto slash = lane.path.find('/');
    thread_track(track, process_of(lane.datacenter),
                 kFirstThread + static_cast<std::int32_t>(lane.node.value()),
                 slash == std::string::npos ? lane.path : lane.path.substr(slash + 1));
    return track;
  }

  // ---- what happened

  Span clipped(const Span& span) const {
    return {std::clamp(span.from, shown_.from, shown_.until),
            std::clamp(span.until, shown_.from, shown_.until)};
  }

  void write_fault(const Fault& fault) {
    const std::uint64_t track = kFaultTracks + fault.number;
    child_track(track, kRunTrack, fmt::format("fault {}", fault.number));
    const Span span = clipped(fault.span);
    begin(span.from, track, "fault", fault.description);
    end(span.until, track);
  }

  void write_violations() {
    for (std::size_t i = 0; i < window_.run.violations.size(); ++i) {
      const auto& violation = window_.run.violations[i];
      if (window_.span.holds(violation.at)) write_violation(i, kViolationsTrack);
    }
  }

  void write_violation(std::size_t number, std::uint64_t track) {
    const auto& violation = window_.run.violations[number];
    event(violation.at, track, pf::Type::instant, [&](Builder<pf::Event>& event) {
      event.add_string(pf::Event::categories, "violation");
      event.add_string(pf::Event::name,
                       fmt::format("VIOLATION {}: {}", violation.oracle, violation.message));
      annotate(event, "number", number + 1);
      annotate(event, "process", process_name(window_.run.places, violation.node));
      if (!violation.event.is_null()) {
        annotate(event, "event", photon::analysis::spoken(violation.event, window_.run.names));
      }
    });
  }

  void write_record(std::uint32_t index, std::uint64_t track) {
    const trace::Record& record = window_.records[index].record;
    const trace::Header& header = record.header;
    const Fields fields = fields_of(record, window_.run.places);
    const bool message =
        header.source == trace::Source::sent || header.source == trace::Source::delivered;
    event(header.at, track, pf::Type::instant, [&](Builder<pf::Event>& event) {
      event.add_string(pf::Event::categories, std::string(name_of(family_of(header.kind))));
      std::string name = title_of(header.kind);
      if (!fields.gist().empty()) name += fmt::format(": {}", fields.gist());
      event.add_string(pf::Event::name, name);
      for (const std::uint64_t flow : starts_[index]) {
        event.add_fixed64(pf::Event::flow_ids, flow);
      }
      for (const std::uint64_t flow : ends_[index]) {
        event.add_fixed64(pf::Event::terminating_flow_ids, flow);
      }
      annotate(event, "source", name_of(header.source));
      if (message) annotate(event, "peer", process_name(window_.run.places, header.peer));
      if (header.node != photon::kNoNode) annotate(event, "life", header.incarnation.value());
      for (const Field& field : fields.list()) annotate_field(event, field);
    });
  }

  void annotate_field(Builder<pf::Event>& event, const Field& field) const {
    switch (field.type) {
      case Field::Type::event:
        return annotate(event, field.name, photon::analysis::spoken(field.id, window_.run.names));
      case Field::Type::number:
        return annotate(event, field.name, field.count);
      case Field::Type::text:
        return annotate(event, field.name, field.text);
    }
  }

  // Each life takes its own records and slices, so that a life that ends when the next one begins
  // does not hold records of that one.
  void write_lane(std::uint32_t number) {
    const Lane& lane = window_.lanes[number];
    const std::uint64_t track = track_of(lane);
    std::vector<std::uint32_t> rest = by_lane_[number];
    for (const Life& life : lane.lives) {
      const auto of_life = [&](std::uint32_t index) {
        const trace::Header& header = window_.records[index].record.header;
        return header.incarnation.value() == life.number && life.span.holds(header.at);
      };
      const auto others = std::stable_partition(rest.begin(), rest.end(), of_life);
      write_life(lane, life, {rest.begin(), others}, track);
      rest.erase(rest.begin(), others);
    }
    for (const std::uint32_t index : rest) write_record(index, track);
    if (lane.environment()) return;  // has them on a track of their own
    for (std::size_t i = 0; i < window_.run.violations.size(); ++i) {
      const auto& violation = window_.run.violations[i];
      const bool here = violation.node == lane.node && window_.span.holds(violation.at);
      if (here) write_violation(i, track);
    }
  }

  // Outermost first.
  std::vector<Slice> slices_of(const Lane& lane, const Life& life) const {
    std::vector<Slice> slices;
    const auto add = [&](const Span& span, std::string name) {
      slices.push_back(
          {clipped({span.from, std::min(span.until, life.span.until)}), std::move(name)});
    };
    // A life that ends as the next one begins holds none of its records.
    const auto inside = [&](const Span& span) {
      return life.span.from <= span.from && span.from < life.span.until;
    };
    add(life.span, fmt::format("life {}", life.number));
    for (const Mastership& each : lane.masterships) {
      if (!inside(each.span)) continue;
      add(each.span, fmt::format("master, ballot {}", each.ballot));
    }
    for (const Span& each : lane.pauses) {
      if (inside(each)) add(each, "paused");
    }
    std::stable_sort(slices.begin() + 1, slices.end(), [](const Slice& left, const Slice& right) {
      return std::pair(left.span.from, right.span.until) <
             std::pair(right.span.from, left.span.until);
    });
    return slices;
  }

  void write_life(const Lane& lane, const Life& life, const std::vector<std::uint32_t>& records,
                  std::uint64_t track) {
    std::vector<SimTime> open;  // ends of the slices that are open, innermost last
    auto record = records.begin();
    const auto go_to = [&](SimTime at, bool including) {
      // Instants up to `at`, and the ends of slices that are over before these.
      const auto due = [&](SimTime time) { return time < at || (including && time == at); };
      while (record != records.end() || !open.empty()) {
        const SimTime next =
            record == records.end() ? SimTime::max() : window_.records[*record].record.header.at;
        if (!open.empty() && open.back() < next) {
          if (!due(open.back())) return;
          end(open.back(), track);
          open.pop_back();
        } else {
          if (!due(next)) return;
          write_record(*record++, track);
        }
      }
    };
    for (const Slice& slice : slices_of(lane, life)) {
      go_to(slice.span.from, false);
      while (open.size() > 1 && open.back() <= slice.span.from) {
        end(open.back(), track);
        open.pop_back();
      }
      const SimTime until =
          open.empty() ? slice.span.until : std::min(slice.span.until, open.back());
      begin(std::min(slice.span.from, until), track, "process", slice.name);
      open.push_back(until);
    }
    go_to(shown_.until, true);
  }

  const Window& window_;
  Span shown_;  // the window and the other ends of its messages
  std::string bytes_;
  bool first_ = true;
  std::vector<std::vector<std::uint32_t>> by_lane_;
  std::vector<std::vector<std::uint64_t>> starts_;  // flows, by record
  std::vector<std::vector<std::uint64_t>> ends_;
  std::map<std::string, std::int32_t> datacenters_;
};

}  // namespace

std::string perfetto_trace(const Window& window) { return PerfettoWriter(window).write(); }

}  // namespace photonsim::trace_views
