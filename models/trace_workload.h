// A workload from a user's log (trace_log.h): real primaries and foreigns with their times.
//
// Rows are dealt to servers by the hash of their id and stamped by that server's clock, so a row's
// event id is generated as Photon generates ids (SPEC A-10). Records are encoded when they are
// read, and the truth about a click is computed when it happens: memory is that of the log, and 16
// bytes a row.
// Assumption: time zero of the run lies `lead` before the earliest row of both tables.
#pragma once

#include <memory>
#include <vector>

#include "models/reference_join.h"
#include "models/trace_log.h"
#include "models/workload.h"
#include "sim/ports.h"

namespace photon::models {

class TraceWorkload final : public Workload {
 public:
  struct Options {
    std::uint32_t primary_servers = 4;
    std::uint32_t foreign_servers = 4;
    Duration lead{std::chrono::seconds(1)};
    std::uint32_t first_host = 0;
    JoinRule join{};               // the join of the run's adapter
    Duration stamp_resolution{0};  // of the generating servers' clocks (server_ids.h)
  };

  // Requires a click. `clocks` is only used during the call.
  TraceWorkload(TraceLog log, const Options& options, const sim::ClockModel& clocks);
  ~TraceWorkload() override;

  std::span<const std::unique_ptr<EventLog>> logs() const override { return logs_; }
  std::optional<GeneratedClick> next_click() override;
  SimTime end() const override { return end_; }

  enum class Role : std::uint8_t { primary, foreign };
  struct RowPlace {
    Role role{};
    std::uint32_t row = 0;  // of its table

    bool operator==(const RowPlace&) const = default;
  };
  // Nothing for an event that is no row, the unknown primary of a dangling key among them.
  std::optional<RowPlace> row_of(const EventId& event) const;
  EventId id_of(Role role, std::uint32_t row) const;
  const TraceLog& log() const { return log_; }
  // The time of the run in ns of the tables' epoch.
  std::int64_t table_time(SimTime at) const {
    return nanoseconds_of(at) - options_.lead.count() + origin_;
  }

 private:
  class RowLog;
  class RowPayloads;

  TraceRows& rows_of(Role role) { return role == Role::primary ? log_.primaries : log_.foreigns; }
  SimTime at(const TraceRows::Row& row) const {
    return SimTime(Duration(row.time - origin_) + options_.lead);
  }
  void deal(Role role, const sim::ClockModel& clocks);
  EventId foreign_key(std::uint32_t click) const;
  PayloadView payload_of(Role role, std::uint32_t row) const;
  void encode(Role role, std::uint32_t row, Bytes& out) const;

  TraceLog log_;
  Options options_;
  std::int64_t origin_ = 0;  // ns in the tables' epoch
  std::unique_ptr<RowPayloads> primary_payloads_;
  std::unique_ptr<RowPayloads> foreign_payloads_;
  std::vector<std::unique_ptr<EventLog>> logs_;
  std::vector<RowLog*> click_logs_;
  std::vector<RowLog*> query_logs_;
  std::vector<std::uint32_t> clicks_;       // rows by time
  std::vector<std::uint32_t> next_in_log_;  // for each click log: its next click
  std::size_t next_ = 0;                    // click
  SimTime end_{};
};

}  // namespace photon::models
