#include "models/trace_workload.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/event_id_generator.h"
#include "models/payload.h"
#include "models/server_ids.h"

namespace photon::models {
namespace {

const std::uint32_t kProcess = logs::process_field(1, Incarnation(1));

std::uint64_t hash_of(std::string_view text) { return hash_bytes(std::as_bytes(std::span(text))); }

}  // namespace

// The payloads of the rows of one table; their words are the rows.
class TraceWorkload::RowPayloads final : public PayloadSource {
 public:
  explicit RowPayloads(const TraceRows& rows, Role role)
      : PayloadSource(static_cast<std::uint64_t>(role)), rows_(rows) {}

  PayloadView of(std::uint32_t row) const {
    return {*this, row, narrow<std::uint32_t>(kCampaignBytes + rows_.text(row).size())};
  }
  void write(std::uint64_t word, std::span<std::byte> out) const override {
    const auto row = narrow<std::uint32_t>(word);
    const std::string_view text = rows_.text(row);
    PHOTON_CHECK(out.size() == kCampaignBytes + text.size(), "a row's payload is written whole");
    const std::uint32_t campaign = campaign_of(hash_of(rows_.id(row)));
    std::memcpy(out.data(), &campaign, sizeof campaign);
    if (!text.empty()) std::memcpy(out.data() + sizeof campaign, text.data(), text.size());
  }

 private:
  const TraceRows& rows_;
};

// Rows of one server, in order of time.
class TraceWorkload::RowLog final : public EventLog {
 public:
  RowLog(const TraceWorkload& workload, Role role, logs::LogFile file)
      : workload_(workload),
        rows_(role == Role::primary ? workload.log_.primaries : workload.log_.foreigns),
        role_(role),
        file_(file) {}

  // Returns its index.
  std::uint32_t add(std::uint32_t row, std::uint64_t bytes) {
    order_.push_back(row);
    ends_.push_back((ends_.empty() ? 0 : ends_.back()) + bytes);
    return static_cast<std::uint32_t>(order_.size() - 1);
  }
  std::uint64_t end_of(std::uint32_t index) const { return ends_[index]; }

  // The row of this stamp. Stamps of a server strictly increase.
  std::optional<std::uint32_t> stamped(Stamp stamp) const {
    const std::int64_t at = nanoseconds_of(stamp);
    const auto found = std::ranges::lower_bound(
        order_, at, {}, [this](std::uint32_t row) { return rows_[row].stamp; });
    if (found == order_.end() || rows_[*found].stamp != at) return std::nullopt;
    return *found;
  }

  logs::LogFile file() const override { return file_; }
  std::uint64_t length_before(SimTime at) override { return begin_of(first_from(at)); }
  std::optional<SimTime> next_generation(SimTime at) override {
    const std::size_t next = first_from(at);
    if (next == order_.size()) return std::nullopt;
    return time_of(next);
  }
  LoggedRecord record_at(std::uint64_t offset) override {
    const std::size_t index = index_at(offset);
    return {begin_of(index), ends_[index], time_of(index), workload_.id_of(role_, order_[index])};
  }
  void event_at(std::uint64_t offset, StoredEvent& event) override {
    const std::size_t index = index_at(offset);
    const std::uint32_t row = order_[index];
    event.begin = begin_of(index);
    event.end = ends_[index];
    event.id = workload_.id_of(role_, row);
    event.kind = role_ == Role::primary ? EventKind::primary : EventKind::foreign;
    event.primary = role_ == Role::foreign ? workload_.foreign_key(row) : EventId{};
    event.payload = workload_.payload_of(role_, row);
  }
  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    Bytes record;
    for (std::size_t index = index_at(offset); length > 0; ++index) {
      record.clear();
      workload_.encode(role_, order_[index], record);
      const std::uint64_t skipped = offset - begin_of(index);
      const std::uint64_t count = std::min<std::uint64_t>(length, record.size() - skipped);
      const auto part = std::span<const std::byte>(record).subspan(skipped, count);
      out.insert(out.end(), part.begin(), part.end());
      offset += count;
      length -= count;
    }
  }

 private:
  SimTime time_of(std::size_t index) const { return workload_.at(rows_[order_[index]]); }
  std::uint64_t begin_of(std::size_t index) const { return index == 0 ? 0 : ends_[index - 1]; }
  std::size_t first_from(SimTime at) const {
    const auto found = std::ranges::lower_bound(
        order_, at, {}, [this](std::uint32_t row) { return workload_.at(rows_[row]); });
    return static_cast<std::size_t>(found - order_.begin());
  }
  std::size_t index_at(std::uint64_t offset) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
  }

  const TraceWorkload& workload_;
  const TraceRows& rows_;
  Role role_;
  logs::LogFile file_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> ends_;
};

TraceWorkload::TraceWorkload(TraceLog log, const Options& options, const sim::ClockModel& clocks)
    : log_(std::move(log)),
      options_(options),
      primary_payloads_(std::make_unique<RowPayloads>(log_.primaries, Role::primary)),
      foreign_payloads_(std::make_unique<RowPayloads>(log_.foreigns, Role::foreign)) {
  PHOTON_CHECK(options.primary_servers > 0 && options.foreign_servers > 0, "rows have servers");
  PHOTON_CHECK(log_.foreigns.size() > 0, "a trace has a click");
  origin_ = std::numeric_limits<std::int64_t>::max();
  for (const TraceRows* rows : {&log_.primaries, &log_.foreigns}) {
    for (std::uint32_t i = 0; i < rows->size(); ++i) origin_ = std::min(origin_, (*rows)[i].time);
  }
  deal(Role::primary, clocks);
  deal(Role::foreign, clocks);
}

TraceWorkload::~TraceWorkload() = default;

// Gives every row its event id and its place in its server's log.
void TraceWorkload::deal(Role role, const sim::ClockModel& clocks) {
  const bool primary = role == Role::primary;
  const std::uint32_t servers = primary ? options_.primary_servers : options_.foreign_servers;
  const std::uint32_t first = primary ? 0 : options_.primary_servers;
  const auto type = primary ? logs::LogType::primary : logs::LogType::foreign;
  std::vector<logs::EventIdGenerator> generators;
  std::vector<RowLog*>& files = primary ? query_logs_ : click_logs_;
  for (std::uint32_t i = 0; i < servers; ++i) {
    const auto address = static_cast<std::uint16_t>(first + i + 1);
    auto log = std::make_unique<RowLog>(*this, role, logs::LogFile{type, address, 0});
    files.push_back(log.get());
    generators.emplace_back(address, kProcess);
    logs_.push_back(std::move(log));
  }
  TraceRows& rows = rows_of(role);
  std::vector<std::uint32_t> order = rows.in_order();
  Bytes record;
  for (const std::uint32_t i : order) {
    TraceRows::Row& row = rows[i];
    row.server = static_cast<std::uint16_t>(hash_of(rows.id(i)) % servers);
    const SimTime when = at(row);
    const sim::HostId host(options_.first_host + first + row.server);
    clocks.wall_used(host, when);
    row.stamp = nanoseconds_of(
        generators[row.server].next(coarse(clocks.wall(host, when), options_.stamp_resolution)));
    record.clear();
    encode(role, i, record);
    const std::uint32_t index = files[row.server]->add(i, record.size());
    if (primary) row.primary = index;
    end_ = std::max(end_, when + Duration(1));
  }
  if (primary) return;
  clicks_ = std::move(order);
  next_in_log_.assign(servers, 0);
}

EventId TraceWorkload::id_of(Role role, std::uint32_t row) const {
  const bool primary = role == Role::primary;
  const TraceRows::Row& of = (primary ? log_.primaries : log_.foreigns)[row];
  const std::uint32_t first = primary ? 0 : options_.primary_servers;
  return {first + of.server + 1, kProcess, from_nanoseconds<Stamp>(of.stamp)};
}

std::optional<TraceWorkload::RowPlace> TraceWorkload::row_of(const EventId& event) const {
  if (event.process != kProcess || event.server == 0 || event.server > logs_.size()) return {};
  const bool primary = event.server <= options_.primary_servers;
  const RowLog& log = *(primary ? query_logs_[event.server - 1]
                                : click_logs_[event.server - 1 - options_.primary_servers]);
  const auto row = log.stamped(event.stamp);
  if (!row) return std::nullopt;
  return RowPlace{primary ? Role::primary : Role::foreign, *row};
}

// The id of the click's primary. A dangling key names an event that no log holds.
EventId TraceWorkload::foreign_key(std::uint32_t click) const {
  const std::uint32_t primary = log_.foreigns[click].primary;
  if (primary == TraceRows::kNoKey) return EventId{};
  if (primary != TraceRows::kUnknownKey) return id_of(Role::primary, primary);
  const std::uint64_t hash = hash_of(log_.foreigns.unknown_key(click));
  return {0, kProcess, Stamp(Duration(static_cast<std::int64_t>(hash >> 1U)))};
}

PayloadView TraceWorkload::payload_of(Role role, std::uint32_t row) const {
  return (role == Role::primary ? primary_payloads_ : foreign_payloads_)->of(row);
}

void TraceWorkload::encode(Role role, std::uint32_t row, Bytes& out) const {
  const EventId id = id_of(role, row);
  if (role == Role::primary) {
    append_encoded(logs::PrimaryEvent{id, Payload(payload_of(role, row))}, out);
  } else {
    append_encoded(logs::ForeignEvent{id, foreign_key(row), Payload(payload_of(role, row))}, out);
  }
}

std::optional<GeneratedClick> TraceWorkload::next_click() {
  if (next_ == clicks_.size()) return std::nullopt;
  const std::uint32_t click = clicks_[next_++];
  const TraceRows::Row& row = log_.foreigns[click];
  const RowLog& log = *click_logs_[row.server];
  GeneratedClick generated;
  generated.at = at(row);
  trace::ClickGenerated& truth = generated.truth;
  truth.click = id_of(Role::foreign, click);
  truth.query = foreign_key(click);
  truth.click_end = log.end_of(next_in_log_[row.server]++);
  truth.click_file = log.file().number();
  truth.query_file = trace::ClickGenerated::kNoFile;
  if (row.primary < TraceRows::kUnknownKey) {
    const TraceRows::Row& primary = log_.primaries[row.primary];
    const RowLog& queries = *query_logs_[primary.server];
    truth.query_end = queries.end_of(primary.primary);
    truth.query_file = queries.file().number();
    Bytes of_click;
    Bytes of_query;
    const auto click_payload = payload_of(Role::foreign, click).bytes(of_click);
    const auto query_payload = payload_of(Role::primary, row.primary).bytes(of_query);
    const std::uint32_t campaign = campaign_of(hash_of(log_.primaries.id(row.primary)));
    state_join(options_.join, {click_payload, query_payload, campaign}, truth);
  }
  return generated;
}

}  // namespace photon::models
