// The clicks of one datacenter: of its growing foreign logs, and those that verification brings
// back.
//
// One record source (logs/record_source.h) for each log. In files at the front, clicks of the logs
// named first come first; in files of the lane `backlog` they come last.
// Files are named by their numbers (logs::LogFile), as in everything that is persisted about them.
//
// Paper: Photon section 3.2; SPEC C-02..C-09, F-08.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/logs/record_source.h"
#include "core_impl/trace/record.h"

namespace photon {

// Names one click handed out.
struct ClickPlace {
  std::uint32_t log = 0;
  logs::RecordSource::Place record{};
};

struct TakenClick {
  logs::ForeignEvent event;
  ClickPlace place;
  std::uint64_t removed_at = 0;  // brought back: see logs::ReinjectedEvent
};

class ClickSource {
 public:
  struct Log {
    logs::LogType type = logs::LogType::foreign;  // or reinjected
    logs::RecordSource::Options options{};
    logs::ServerShare share{};  // which of its files
    Duration min_age{};         // younger clicks wait; zero: none waits, whatever the clocks say
  };

  // At most one log of each type.
  explicit ClickSource(std::initializer_list<Log> logs);

  // Before the first scan: the file was settled up to `offset` by an earlier life. A file of a log
  // that is not read here is left alone.
  void restore(std::uint32_t file, std::uint64_t offset);

  void scan(Context& context);
  void pump(Context& context);
  // True if the completion was for this object.
  bool on_io(Context& context, Ticket ticket, IoResult& result);

  // The next click, if one is at hand; traces ClickRead. Records that are damaged or no click are
  // counted and skipped. The files of clicks that must wait are read again by a later scan.
  std::optional<TakenClick> next(Context& context);
  // The same, of files in one lane alone.
  using Lane = logs::RecordSource::Lane;
  std::optional<TakenClick> next(Context& context, Lane lane);
  // Assigns the lane of the file whose click was just taken.
  void put(const ClickPlace& taken, Lane lane) {
    PHOTON_CHECK(taken.log < logs_.size(), "a place names a log of this source");
    logs_[taken.log].records.put(taken.record, lane);
  }

  // Was it brought back by verification?
  bool is_returned(const ClickPlace& taken) const {
    return logs_[taken.log].type == logs::LogType::reinjected;
  }

  // The click handed out with `place` is finished or saved. Once per place.
  void settle(const ClickPlace& place) {
    PHOTON_CHECK(place.log < logs_.size(), "a place names a log of this source");
    logs_[place.log].records.settle(place.record);
  }

  // Visits (file number, offset) of every file whose settled prefix grew since the last call.
  template <class Visitor>
  void take_advanced(Visitor&& visit) {
    for (Source& log : logs_) log.records.take_advanced(by_number(visit));
  }
  // Visits (file number, offset) of every file with a settled prefix, in order of discovery.
  template <class Visitor>
  void for_each_offset(Visitor&& visit) const {
    for (const Source& log : logs_) log.records.for_each_offset(by_number(visit));
  }

  std::uint32_t files() const;
  std::uint64_t damaged_records() const;
  // Adds the reads under way of all logs, their limit, and the files that wait for one.
  void add_reads(ResourceUse& to) const;

 private:
  struct Source {
    logs::LogType type;
    logs::RecordSource records;
    Duration min_age{};
  };

  template <class Visitor>
  static auto by_number(Visitor& visit) {
    return [&visit](const FileName& name, std::uint64_t offset) {
      visit(logs::log_file_of(name).number(), offset);
    };
  }
  std::optional<TakenClick> next_of(Context& context, std::uint32_t log, Lane lane);

  PooledVector<Source> logs_;
};

// States the facts of every complete record in bytes written at `offset` of a file of re-injected
// clicks: ClickReinjected. Stops at the first incomplete or damaged record.
void reinjected_facts(logs::LogFile file, std::uint64_t offset, std::span<const std::byte> bytes,
                      trace::FactSink& sink);

}  // namespace photon
