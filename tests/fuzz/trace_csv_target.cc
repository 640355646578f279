// A workload of two CSV files. The first bytes say how the files are read; a zero byte separates
// the table of queries from that of clicks.
#include <algorithm>
#include <optional>
#include <string>

#include "models/trace_workload.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {
namespace {

// Hosts with an exact clock: a clock's effect on ids is not part of the file.
class RightClocks final : public sim::ClockModel {
 public:
  LocalTime wall(sim::HostId, SimTime at) const override {
    return from_nanoseconds<LocalTime>(nanoseconds_of(at));
  }
  MonotonicTime monotonic(sim::HostId, SimTime at) const override {
    return from_nanoseconds<MonotonicTime>(nanoseconds_of(at));
  }
  SimTime when(sim::HostId, MonotonicTime due, SimTime not_before) const override {
    return std::max(not_before, from_nanoseconds<SimTime>(nanoseconds_of(due)));
  }
  TrueTimeInterval true_time(sim::HostId, SimTime at) const override {
    const auto point = from_nanoseconds<TrueTimePoint>(nanoseconds_of(at));
    return {point, point};
  }
};

void check_faults(const models::InputFaults& faults) {
  require(!faults.empty(), "a refusal has a reason");
  for (const models::InputFault& each : faults) {
    require(!each.message.empty() && !each.remedy.empty(), "a fault has a cause and a remedy");
    require(!each.file.empty() && !each.text().empty(), "a fault has a place");
  }
}

// Each record of a log is where the log says, and arrives when it says.
std::uint64_t check_log(models::EventLog& log, SimTime end) {
  const std::uint64_t length = log.length_before(end);
  std::uint64_t records = 0;
  SimTime last = SimTime::min();
  for (std::uint64_t offset = 0; offset < length; ++records) {
    const auto record = log.record_at(offset);
    require(record.begin == offset && record.end > offset && record.end <= length,
            "records follow each other without gaps");
    require(record.at >= last && record.at < end, "a log is in order of time");
    last = record.at;
    Bytes bytes;
    log.read(record.begin, record.end - record.begin, bytes);
    require(view_record(bytes).status == RecordStatus::complete, "a record is whole");
    offset = record.end;
  }
  require(!log.next_generation(end).has_value(), "nothing follows the end");
  return records;
}

void check_workload(models::TraceWorkload& workload) {
  std::uint64_t records = 0;
  for (const auto& log : workload.logs()) records += check_log(*log, workload.end());
  std::uint64_t clicks = 0;
  SimTime last = SimTime::min();
  while (const auto click = workload.next_click()) {
    require(click->at >= last && click->at < workload.end(), "clicks come in order of time");
    last = click->at;
    ++clicks;
  }
  require(clicks > 0 && clicks <= records, "every click is in a log");
}

}  // namespace

Outcome trace_csv(std::span<const std::byte> bytes) {
  Input input(bytes);
  const std::uint8_t how = input.byte();
  const std::string_view text = text_of(input.rest());
  const std::size_t cut = std::min(text.find('\0'), text.size());
  const MemoryFile queries(text.substr(0, cut));
  const MemoryFile clicks(text.substr(std::min(cut + 1, text.size())));
  const auto form = (how & 16U) != 0  ? std::optional<models::TimeForm>()
                    : (how & 1U) != 0 ? models::TimeForm::nanoseconds
                                      : models::TimeForm::seconds;
  auto log = models::read_trace_log(
      {{queries.name()}, "query", "", "at", form}, {{clicks.name()}, "click", "query", "at", form},
      (how & 8U) != 0 ? models::Dangling::allowed : models::Dangling::error);
  if (!log) {
    check_faults(log.assume_error());
    return Outcome::refused;
  }
  models::TraceWorkload::Options options;
  options.primary_servers = options.foreign_servers = 1 + (how >> 1U) % 4;
  const RightClocks clocks;
  models::TraceWorkload workload(std::move(log).assume_value(), options, clocks);
  check_workload(workload);
  return Outcome::accepted;
}

}  // namespace photon::fuzz
