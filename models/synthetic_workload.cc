#include "models/synthetic_workload.h"

#include <algorithm>
#include <tuple>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/base/samplers.h"
#include "models/payload.h"

namespace photon::models {
namespace {

constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kSizeField = 4;

// A log of records of one size: offset and event number are the same thing.
class FixedSizeLog : public EventLog {
 public:
  FixedSizeLog(logs::LogFile file, const Arrivals::Options& arrivals, std::size_t record,
               const sim::ClockModel& clocks)
      : file_(file), arrivals_(arrivals, clocks), record_(record) {}

  logs::LogFile file() const override { return file_; }
  std::uint64_t length_before(SimTime at) override { return arrivals_.count_before(at) * record_; }

  std::optional<SimTime> next_generation(SimTime at) override {
    const std::uint64_t ordinal = arrivals_.count_before(at);
    const auto next = try_arrival(ordinal, at);
    if (!next) return std::nullopt;
    return next->at;
  }

  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    const std::uint64_t first = offset / record_;
    const std::uint64_t last = (offset + length + record_ - 1) / record_;
    scratch_.clear();
    for (std::uint64_t ordinal = first; ordinal < last; ++ordinal) encode(ordinal, scratch_);
    const auto begin = scratch_.begin() + static_cast<std::ptrdiff_t>(offset - first * record_);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
  }

  EventId id(std::uint64_t ordinal) { return arrivals_.arrival(ordinal).id; }
  std::uint64_t end_of(std::uint64_t ordinal) const { return (ordinal + 1) * record_; }

  // The event of that number if the log has one, searching forward from `at` bucket by bucket.
  std::optional<Arrival> try_arrival(std::uint64_t ordinal, SimTime at) {
    const SimTime end = arrivals_.options().end;
    for (SimTime probe = at; arrivals_.count_before(probe) <= ordinal;) {
      if (probe >= end) return std::nullopt;
      probe = std::min(end, probe + Duration(std::chrono::seconds(1)));
    }
    return arrivals_.arrival(ordinal);
  }

 protected:
  virtual void encode(std::uint64_t ordinal, Bytes& out) = 0;
  Arrivals& arrivals() { return arrivals_; }

 private:
  logs::LogFile file_;
  Arrivals arrivals_;
  std::uint64_t record_;
  Bytes scratch_;
};

}  // namespace

class SyntheticWorkload::QueryLog final : public FixedSizeLog {
 public:
  QueryLog(logs::LogFile file, const Arrivals::Options& arrivals, const Options& options,
           const sim::ClockModel& clocks)
      : FixedSizeLog(file, arrivals, kRecordOverhead + kIdBytes + kSizeField + options.query_payload,
                     clocks),
        payload_(options.query_payload),
        words_(options.seed, Purpose::workload_payload, file.number()) {}

  std::uint64_t payload_word(std::uint64_t ordinal) const { return words_.word(ordinal); }
  std::uint32_t payload_size() const { return payload_; }

  // The last query generated at or before `at`, or the first one of all; none if there is none.
  std::optional<std::uint64_t> latest_at(SimTime at) {
    const std::uint64_t count = arrivals().count_before(at + Duration(1));
    if (count > 0) return count - 1;
    if (!try_arrival(0, arrivals().options().start)) return std::nullopt;
    return 0;
  }

 private:
  void encode(std::uint64_t ordinal, Bytes& out) override {
    const std::size_t start = out.size();
    out.resize(start + kRecordOverhead);
    Encoder encoder(out);
    encoder(id(ordinal), payload_);
    append_payload(payload_word(ordinal), payload_, out);
    seal_record(out, start);
  }

  std::uint32_t payload_;
  RandomStream words_;
};

class SyntheticWorkload::ClickLog final : public FixedSizeLog {
 public:
  struct Reference {
    QueryLog* log;  // null: no query exists at all, so the click refers to nothing
    std::uint64_t ordinal;

    EventId id() const { return log == nullptr ? EventId{} : log->id(ordinal); }
  };

  ClickLog(logs::LogFile file, const Arrivals::Options& arrivals, const Options& options,
           const std::vector<QueryLog*>& queries, const sim::ClockModel& clocks)
      : FixedSizeLog(file, arrivals,
                     kRecordOverhead + 2 * kIdBytes + kSizeField + options.click_payload, clocks),
        options_(options),
        queries_(queries),
        words_(options.seed, Purpose::workload_payload, file.number()),
        references_(options.seed, Purpose::workload_reference, file.number()) {}

  GeneratedClick describe(std::uint64_t ordinal) {
    const Arrival arrival = arrivals().arrival(ordinal);
    const Reference reference = reference_of(ordinal, arrival.at);
    GeneratedClick click;
    click.at = arrival.at;
    click.truth.click = id(ordinal);
    click.truth.click_file = file().number();
    click.truth.click_end = end_of(ordinal);
    click.truth.query_file = trace::ClickGenerated::kNoFile;
    if (reference.log != nullptr) describe_join(ordinal, reference, click.truth);
    return click;
  }

 private:
  void describe_join(std::uint64_t ordinal, const Reference& reference,
                     trace::ClickGenerated& truth) {
    truth.query = reference.id();
    truth.query_file = reference.log->file().number();
    truth.query_end = reference.log->end_of(reference.ordinal);
    const std::uint64_t query_word = reference.log->payload_word(reference.ordinal);
    click_bytes_.clear();
    query_bytes_.clear();
    append_payload(words_.word(ordinal), options_.click_payload, click_bytes_);
    append_payload(query_word, reference.log->payload_size(), query_bytes_);
    truth.joined_hash = expected_join_hash(truth.click, truth.query, click_bytes_, query_bytes_);
    const bool skip =
        options_.skip_modulo != 0 && campaign_of(query_word) % options_.skip_modulo == 0;
    truth.expect_skip = skip ? 1 : 0;
  }

  Reference reference_of(std::uint64_t ordinal, SimTime at) {
    const auto words = references_.block(ordinal, 0);
    const auto more = references_.block(ordinal, 1);
    const std::size_t first = uniform_below(words[0], queries_.size());
    const Duration delay =
        Chance(options_.fast_fraction).happens(words[1])
            ? exponential(more[0], options_.fast_mean)
            : lognormal(more[0], options_.slow_median, options_.slow_sigma);
    const SimTime target = delay < at - SimTime{} ? at - delay : SimTime{};
    // A server that never generated a query passes the reference on to its neighbour.
    for (std::size_t tried = 0; tried < queries_.size(); ++tried) {
      QueryLog* log = queries_[(first + tried) % queries_.size()];
      if (const auto query = log->latest_at(target)) return {log, *query};
    }
    return {nullptr, 0};
  }

  void encode(std::uint64_t ordinal, Bytes& out) override {
    const Reference reference = reference_of(ordinal, arrivals().arrival(ordinal).at);
    const std::size_t start = out.size();
    out.resize(start + kRecordOverhead);
    Encoder encoder(out);
    encoder(id(ordinal), reference.id(), options_.click_payload);
    append_payload(words_.word(ordinal), options_.click_payload, out);
    seal_record(out, start);
  }

  const Options& options_;
  const std::vector<QueryLog*>& queries_;
  RandomStream words_;
  RandomStream references_;
  Bytes click_bytes_;
  Bytes query_bytes_;
};

SyntheticWorkload::SyntheticWorkload(const Options& options, const sim::ClockModel& clocks)
    : options_(options) {
  PHOTON_CHECK(options.query_servers > 0 && options.click_servers > 0, "a workload has servers");
  PHOTON_CHECK(options.query_servers + options.click_servers < 0xffff, "addresses fit 16 bits");
  std::uint32_t host = options.first_host;
  std::uint16_t address = 1;
  const auto arrivals = [&](Purpose purpose, SimTime start, double rate) {
    return Arrivals::Options{options.seed, purpose,     address, sim::HostId(host),
                             start,        options.end, rate};
  };
  for (std::uint32_t i = 0; i < options.query_servers; ++i, ++host, ++address) {
    auto log = std::make_unique<QueryLog>(
        logs::LogFile{logs::LogType::primary, address, 0},
        arrivals(Purpose::workload_primary, options.queries_start,
                 options.queries_per_second / options.query_servers),
        options_, clocks);
    queries_.push_back(log.get());
    logs_.push_back(std::move(log));
  }
  for (std::uint32_t i = 0; i < options.click_servers; ++i, ++host, ++address) {
    auto log = std::make_unique<ClickLog>(
        logs::LogFile{logs::LogType::foreign, address, 0},
        arrivals(Purpose::workload_foreign, options.clicks_start,
                 options.clicks_per_second / options.click_servers),
        options_, queries_, clocks);
    clicks_.push_back(log.get());
    logs_.push_back(std::move(log));
    push_cursor(i, 0);
  }
}

SyntheticWorkload::~SyntheticWorkload() = default;

void SyntheticWorkload::push_cursor(std::uint32_t log, std::uint64_t ordinal) {
  const SimTime from = heap_.empty() ? options_.clicks_start : heap_.front().at;
  const auto next = clicks_[log]->try_arrival(ordinal, from);
  if (!next) return;
  heap_.push_back({next->at, log, ordinal});
  std::ranges::push_heap(heap_, [](const Cursor& left, const Cursor& right) {
    return std::tie(left.at, left.log) > std::tie(right.at, right.log);
  });
}

std::optional<GeneratedClick> SyntheticWorkload::next_click() {
  if (heap_.empty()) return std::nullopt;
  const Cursor cursor = heap_.front();
  std::ranges::pop_heap(heap_, [](const Cursor& left, const Cursor& right) {
    return std::tie(left.at, left.log) > std::tie(right.at, right.log);
  });
  heap_.pop_back();
  const GeneratedClick click = clicks_[cursor.log]->describe(cursor.ordinal);
  push_cursor(cursor.log, cursor.ordinal + 1);
  return click;
}

}  // namespace photon::models
