// A workload from two CSV files: real primaries and foreigns with their times.
//
// Rows are dealt to servers by the hash of their id and stamped by that server's clock, so a row's
// event id is generated as Photon generates ids (SPEC A-10). An empty foreign key is a valid click
// that can never be joined; an unknown or malformed one is an error unless Dangling::allowed.
// Assumption: time zero of the run lies `lead` before the earliest row of both files.
#pragma once

#include <string>
#include <vector>

#include "models/csv_table.h"
#include "models/reference_join.h"
#include "models/workload.h"
#include "sim/ports.h"

namespace photon::models {

class TraceWorkload final : public Workload {
 public:
  enum class Dangling : std::uint8_t { error, allowed };

  struct Table {
    std::string file;
    std::string id;          // column names
    std::string primary_id;  // foreign table only
    std::string time;
    std::int64_t unit_ns = 1'000'000;  // nanoseconds per unit of the time column
    std::uint32_t servers = 4;
  };

  struct Options {
    Table primary;
    Table foreign;
    Dangling dangling = Dangling::error;
    Duration lead{std::chrono::seconds(1)};
    std::uint32_t first_host = 0;
    JoinRule join{};  // the join of the run's adapter
  };

  // `clocks` is only used during the call.
  static Result<std::unique_ptr<TraceWorkload>, InputFaults> load(const Options& options,
                                                                  const sim::ClockModel& clocks);
  ~TraceWorkload() override;

  std::span<const std::unique_ptr<EventLog>> logs() const override { return logs_; }
  std::optional<GeneratedClick> next_click() override;
  SimTime end() const override { return end_; }

 private:
  class RowLog;
  class Loader;
  TraceWorkload();

  std::vector<std::unique_ptr<EventLog>> logs_;
  std::vector<GeneratedClick> clicks_;  // by time
  std::size_t next_ = 0;
  SimTime end_{};
};

}  // namespace photon::models
