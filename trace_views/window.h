// The contents of a picture of a trace: everything that happened in a window of time, by process.
//
//   WindowCollector collector(options, head.places);   // then every record of the trace, in order
//   Window window = collector.finish(run);             // lanes, records, messages, faults
//
// A message is one pair of records, its send and its delivery; two records pair up if sender,
// addressee, number (trace::Header::message) and facts are equal. Messages without facts are not in
// a trace, so there is no arrow for them; nor is there one where a trace has no numbers. The
// records at the other ends of messages that cross the border of the window belong to it as well.
//
// Memory follows the window, and the messages of the kSentBefore before it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/oracles/violation.h"
#include "analysis/reports/event_names.h"
#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/record.h"

namespace photonsim::trace_views {

inline constexpr std::uint32_t kNoIndex = 0xffffffffU;

// [from, until]; until = kOpen: up to the end of the trace.
struct Span {
  static constexpr photon::SimTime kOpen = photon::SimTime::max();
  photon::SimTime from{};
  photon::SimTime until = kOpen;

  bool holds(photon::SimTime at) const { return from <= at && at <= until; }
  bool meets(const Span& other) const { return from <= other.until && other.from <= until; }
  bool operator==(const Span&) const = default;
};

struct Life {
  enum class End : std::uint8_t { none, crash, stop };
  std::uint32_t number = 0;  // incarnation
  Span span{};
  End end = End::none;
};

// The process was master of a consensus group.
struct Mastership {
  Span span{};
  std::uint32_t group = 0;
  std::uint64_t ballot = 0;
};

// The actions of one process, or, with kNoNode, the events of the environment.
struct Lane {
  photon::NodeId node{photon::kNoNode};
  std::string path{};        // "us-east1/joiner/3"
  std::string datacenter{};  // "us-east1"; empty for the environment
  std::vector<Life> lives{};
  std::vector<Span> pauses{};
  std::vector<Mastership> masterships{};

  bool environment() const { return node == photon::kNoNode; }
};

struct Shown {
  photon::trace::Record record{};
  std::uint32_t lane = 0;
};

struct Message {
  std::uint32_t sent = kNoIndex;       // index of a record; kNoIndex: too long ago
  std::uint32_t delivered = kNoIndex;  // kNoIndex: it never was
};

struct Fault {
  std::uint32_t number = 0;
  std::string description{};
  Span span{};                             // as recorded, or else as planned
  std::vector<std::string> datacenters{};  // where it took effect
  bool effective = false;
  bool wide = false;  // whole parts of these datacenters: an outage, a partition
};

// Facts about the run besides its records.
struct Run {
  std::string scenario{};
  std::uint64_t seed = 0;
  std::string model_version{};
  std::vector<std::string> overrides{};
  std::string fingerprint{};
  photon::Duration calendar_epoch{0};  // as in analysis::JudgeConfig
  photon::analysis::TracePlaces places{};
  std::vector<photon::analysis::TracedFault> faults{};
  std::vector<photon::analysis::Violation> violations{};  // as the judge numbers them, from 1
  std::uint64_t violations_total = 0;                     // the judge keeps the first ones only
  // Of the events of a replayed log; null: none. Outlives this object.
  const photon::analysis::EventNames* names = nullptr;
};

struct Window {
  Run run{};
  Span span{};                         // closed
  std::optional<std::size_t> focus{};  // number, from 0, of the violation shown
  photon::EventId event{};             // only records about this event; null: everything
  std::string processes{};             // only records of processes of this pattern; empty: all
  std::vector<Lane> lanes{};        // the environment, then by datacenter and number of the process
  std::vector<Shown> records{};     // by time, in the order of the trace
  std::vector<Message> messages{};  // by their first record
  std::vector<Fault> faults{};      // those of the window, by their beginning
};

struct WindowOptions {
  Span span{};
  std::optional<std::size_t> focus{};
  photon::EventId event{};  // null: everything
  std::string processes{};  // empty: all; else a pattern of paths, see matches_path
  std::uint64_t most_records = 2'000'000;
};

// True if `path` lies at or below `pattern`, component by component; `*`, `?` and [a-z] stand for
// characters of one component: "us-east1", "*/joiner", "us-*/joiner/[12]".
bool matches_path(const std::string& pattern, const std::string& path);

class WindowCollector final : public photon::trace::Sink {
 public:
  // A message that takes longer has no known send.
  static constexpr photon::Duration kSentBefore = std::chrono::minutes(1);

  // Requires options.span.until != kOpen. `places` must outlive this object.
  WindowCollector(WindowOptions options, const photon::analysis::TracePlaces& places);

  void record(const photon::trace::Record& record) override;

  // How many records the window has; if more than most_records, only that many were kept.
  std::uint64_t matching() const { return matching_; }
  bool too_many() const { return matching_ > options_.most_records; }
  photon::SimTime last() const { return last_; }  // of the whole trace

  // Called once, after the last record.
  Window finish(Run run);

 private:
  struct ProcessState {
    std::vector<Life> lives{};
    std::vector<Span> pauses{};
    std::vector<Mastership> masterships{};
  };
  struct FaultState {
    Span span{};
    std::vector<photon::DatacenterId> datacenters{};
    bool recorded = false;  // records tell when it began and ended
  };
  using BySending = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;

  bool is_of_interest(const photon::trace::Record& record) const;
  bool is_chosen(photon::NodeId node) const;
  void follow_process(const photon::trace::Record& record);
  void follow_mastership(const photon::trace::Record& record);
  void follow_fault(const photon::trace::Record& record);
  void fault_at(std::uint32_t number, photon::DatacenterId datacenter);
  void keep(const photon::trace::Record& record);
  void note_sending(const photon::trace::Record& record, bool inside);
  void note_delivery(const photon::trace::Record& record, bool inside);
  std::uint32_t add(const photon::trace::Record& record);
  void sort_by_time();
  void add_lanes(Window& window);
  void add_faults(Window& window);

  WindowOptions options_;
  const photon::analysis::TracePlaces& places_;
  std::vector<std::uint8_t> chosen_{};  // by process; empty: all
  std::map<photon::NodeId, ProcessState> processes_{};
  std::map<std::uint32_t, FaultState> faults_{};
  std::optional<photon::SimTime> faults_ended_{};
  std::vector<photon::trace::Record> records_{};
  std::vector<Message> messages_{};
  std::vector<photon::trace::Record> earlier_{};  // sent before the window
  BySending sent_earlier_{};                      // -> index in earlier_
  BySending sent_{};                              // -> index in messages_
  std::vector<std::uint32_t> adopted_{};          // of earlier_ -> index in records_
  std::uint64_t matching_ = 0;
  photon::SimTime last_{};
};

// When an event was seen first and last, and how often.
class EventSpan final : public photon::trace::Sink {
 public:
  explicit EventSpan(const photon::EventId& event) : event_(event) {}
  void record(const photon::trace::Record& record) override;

  std::uint64_t records() const { return records_; }
  const Span& span() const { return span_; }  // requires records() > 0

 private:
  photon::EventId event_;
  Span span_{};
  std::uint64_t records_ = 0;
};

}  // namespace photonsim::trace_views
