#include "models/synthetic_workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <tuple>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/base/samplers.h"
#include "models/payload.h"
#include "models/purposes.h"

namespace photon::models {
namespace {

constexpr std::size_t kIdBytes = sizeof(EventId);
constexpr std::size_t kSizeField = sizeof(std::uint32_t);

// Writes fields as base/codec.h does, into memory that is already there.
class FieldWriter {
 public:
  explicit FieldWriter(std::span<std::byte> out) : out_(out) {}

  void id(const EventId& id) {
    word(id.server);
    word(id.process);
    word(nanoseconds_of(id.stamp));
  }
  // It fills the rest.
  void payload(const PayloadView& payload) {
    word(payload.size());
    payload.write(out_);
  }

 private:
  template <class Word>
  void word(Word value) {
    std::memcpy(out_.data(), &value, sizeof value);
    out_ = out_.subspan(sizeof value);
  }
  std::span<std::byte> out_;
};

// The log of one server as one endless file: records of one size, so that an offset gives the
// event number. It is the source of its payloads, by those numbers.
class FixedSizeLog : public PayloadSource {
 public:
  struct Layout {
    EventKind kind = EventKind::primary;
    std::uint32_t payload = 0;  // bytes
  };
  FixedSizeLog(const logs::LogFile& first, const Arrivals::Options& arrivals, const Layout& layout,
               const HostClocks& clocks)
      : PayloadSource(first.number()),
        arrivals_(arrivals, clocks),
        layout_(layout),
        record_(kRecordOverhead + (layout.kind == EventKind::primary ? 1 : 2) * kIdBytes +
                kSizeField + layout.payload),
        words_(arrivals.seed, purpose::kWorkloadPayload, first.number()) {}

  std::uint64_t count_before(SimTime at) { return arrivals_.count_before(at); }
  std::optional<Arrival> find(std::uint64_t ordinal) { return arrivals_.find(ordinal); }
  const Arrival& arrival(std::uint64_t ordinal) { return arrivals_.arrival(ordinal); }
  std::uint64_t record_size() const { return record_; }
  std::uint64_t unnamed() { return arrivals_.unnamed(); }
  void renew(std::uint64_t seed) {
    arrivals_.renew(seed);
    forget();
  }

  void fill(std::uint64_t ordinal, StoredEvent& event) {
    // A reference: the copy took half of the time of RotatedFile::event_at.
    const Arrival& happened = arrivals_.arrival(ordinal);
    event.begin = ordinal * record_;
    event.end = event.begin + record_;
    event.id = happened.id;
    event.kind = layout_.kind;
    event.primary = layout_.kind == EventKind::foreign ? primary_of(ordinal, happened) : EventId{};
    event.payload = PayloadView(*this, ordinal, layout_.payload);
  }

  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) {
    const std::size_t before = out.size();
    out.resize(before + length);
    std::span<std::byte> rest = std::span(out).subspan(before);
    while (!rest.empty()) {
      const std::uint64_t ordinal = offset / record_;
      const std::uint64_t skipped = offset - ordinal * record_;
      const std::size_t count = std::min<std::size_t>(rest.size(), record_ - skipped);
      if (count == record_) {
        write_record(ordinal, rest.first(count));
      } else {
        partial_.resize(record_);
        write_record(ordinal, partial_);
        std::memcpy(rest.data(), partial_.data() + skipped, count);
      }
      rest = rest.subspan(count);
      offset += count;
    }
  }

  // What the payload is made from.
  std::uint64_t payload_seed(std::uint64_t ordinal) const { return words_.word(ordinal); }
  std::uint32_t payload_size() const { return layout_.payload; }
  void write(std::uint64_t ordinal, std::span<std::byte> out) const override {
    write_payload(payload_seed(ordinal), out);
  }

 protected:
  // What a foreign event refers to.
  virtual EventId primary_of(std::uint64_t /*ordinal*/, const Arrival& /*event*/) { return {}; }
  // Drops what it remembers of events: some are others now.
  virtual void forget() {}
  Arrivals& arrivals() { return arrivals_; }

 private:
  void write_record(std::uint64_t ordinal, std::span<std::byte> record) {
    StoredEvent event;
    fill(ordinal, event);
    FieldWriter fields(record.subspan(kRecordOverhead));
    fields.id(event.id);
    if (event.kind == EventKind::foreign) fields.id(event.primary);
    fields.payload(event.payload);
    seal_record(record);
  }

  Arrivals arrivals_;
  Layout layout_;
  std::uint64_t record_;  // bytes
  RandomStream words_;
  Bytes partial_;  // scratch
};

// How the records of a server are dealt to its files.
struct Rotation {
  std::uint64_t per_file = ~std::uint64_t{0};  // records

  std::uint16_t sequence_of(std::uint64_t ordinal) const {
    return static_cast<std::uint16_t>(ordinal / per_file);
  }
  std::uint64_t first_of(std::uint16_t sequence) const { return sequence * per_file; }
  // Where the record ends in its file.
  std::uint64_t end_of(std::uint64_t ordinal, std::uint64_t record) const {
    return (ordinal % per_file + 1) * record;
  }
};

// One file of a server: the records [first, first + per_file) of its log.
class RotatedFile final : public EventLog {
 public:
  RotatedFile(logs::LogFile file, FixedSizeLog& log, const Rotation& rotation)
      : file_(file),
        log_(log),
        first_(rotation.first_of(file.sequence)),
        most_(rotation.per_file) {}

  logs::LogFile file() const override { return file_; }
  std::uint64_t length_before(SimTime at) override {
    const std::uint64_t count = log_.count_before(at);
    return count <= first_ ? 0 : std::min(count - first_, most_) * log_.record_size();
  }
  std::optional<SimTime> next_generation(SimTime at) override {
    const std::uint64_t next = std::max(log_.count_before(at), first_);
    if (next - first_ >= most_) return std::nullopt;
    const auto arrival = log_.find(next);
    if (!arrival) return std::nullopt;
    return arrival->at;
  }
  LoggedRecord record_at(std::uint64_t offset) override {
    const std::uint64_t place = offset / log_.record_size();
    const Arrival& arrival = log_.arrival(first_ + place);
    return {place * log_.record_size(), (place + 1) * log_.record_size(), arrival.at, arrival.id};
  }
  void event_at(std::uint64_t offset, StoredEvent& event) override {
    log_.fill(first_ + offset / log_.record_size(), event);
    event.begin -= first_ * log_.record_size();
    event.end -= first_ * log_.record_size();
  }
  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    log_.read(first_ * log_.record_size() + offset, length, out);
  }

 private:
  logs::LogFile file_;
  FixedSizeLog& log_;
  std::uint64_t first_;
  std::uint64_t most_;
};

Rotation rotation_of(std::uint64_t file_bytes, std::uint64_t record) {
  if (file_bytes == 0) return {};
  return {std::max<std::uint64_t>(1, file_bytes / record)};
}

// A number of files that is enough for a Poisson number of records with that mean.
std::uint64_t files_for(double mean, const Rotation& rotation) {
  const double most = mean + 12 * std::sqrt(mean) + 64;
  return static_cast<std::uint64_t>(most / static_cast<double>(rotation.per_file)) + 1;
}

}  // namespace

class SyntheticWorkload::QueryLog final : public FixedSizeLog {
 public:
  QueryLog(logs::LogFile file, const Arrivals::Options& arrivals, const Options& options,
           const HostClocks& clocks)
      : FixedSizeLog(file, arrivals, {EventKind::primary, options.query_payload}, clocks),
        rotation(rotation_of(options.file_bytes, record_size())),
        first_file_(file) {}

  const Rotation rotation;
  logs::LogFile file_of(std::uint64_t ordinal) const {
    return {first_file_.type, first_file_.server, rotation.sequence_of(ordinal)};
  }

  // The last query generated at or before `target`; failing that, the first one of all if it was
  // generated at or before `limit`. A query precedes its click, so `limit` is the click's
  // time.
  std::optional<std::uint64_t> latest_at(SimTime target, SimTime limit) {
    const std::uint64_t count = arrivals().count_before(target + Duration(1));
    if (count > 0) return count - 1;
    if (arrivals().count_before(limit + Duration(1)) > 0) return 0;
    return std::nullopt;
  }

 private:
  logs::LogFile first_file_;
};

class SyntheticWorkload::ClickLog final : public FixedSizeLog {
 public:
  struct Reference {
    QueryLog* log = nullptr;  // null: no query has been generated yet: the click refers to nothing
    std::uint64_t ordinal = 0;
    EventId id{};
  };

  ClickLog(logs::LogFile file, const Arrivals::Options& arrivals, const Options& options,
           const std::vector<QueryLog*>& queries, const HostClocks& clocks)
      : FixedSizeLog(file, arrivals, {EventKind::foreign, options.click_payload}, clocks),
        rotation(rotation_of(options.file_bytes, record_size())),
        first_file_(file),
        options_(options),
        queries_(queries),
        fast_(options.fast_fraction),
        peak_(options.shape == nullptr ? 1
                                       : options.shape->peak(options.queries_start, options.end)),
        references_(options.seed, purpose::kWorkloadReference, file.number()),
        remembered_(remembered_clicks(options.clicks_per_second / options.click_servers)) {}

  const Rotation rotation;

  GeneratedClick describe(std::uint64_t ordinal) {
    const Arrival arrival = arrivals().arrival(ordinal);
    const Reference& reference = reference_of(ordinal, arrival.at);
    GeneratedClick click;
    click.at = arrival.at;
    click.truth.click = arrival.id;
    click.truth.click_file =
        logs::LogFile{first_file_.type, first_file_.server, rotation.sequence_of(ordinal)}.number();
    click.truth.click_end = rotation.end_of(ordinal, record_size());
    click.truth.query_file = trace::ClickGenerated::kNoFile;
    if (reference.log != nullptr) describe_join(ordinal, reference, click.truth);
    return click;
  }

 private:
  // Blocks of a click's random words: two for each delay, and from here on one for each decision.
  static constexpr std::uint32_t kFirstOfAcceptance = 1U << 16;

  struct Remembered {
    std::uint64_t click = ~std::uint64_t{0};
    Reference reference{};
  };

  void describe_join(std::uint64_t ordinal, const Reference& reference,
                     trace::ClickGenerated& truth) {
    truth.query = reference.id;
    const QueryLog& queries = *reference.log;
    truth.query_file = queries.file_of(reference.ordinal).number();
    truth.query_end = queries.rotation.end_of(reference.ordinal, queries.record_size());
    const std::uint64_t query_seed = reference.log->payload_seed(reference.ordinal);
    click_bytes_.resize(payload_size());
    query_bytes_.resize(reference.log->payload_size());
    write_payload(payload_seed(ordinal), click_bytes_);
    write_payload(query_seed, query_bytes_);
    state_join(options_.join, {click_bytes_, query_bytes_, campaign_of(query_seed)}, truth);
  }

  // A click is described when it happens and read some seconds later in every datacenter: its
  // reference is remembered: to draw it again means to generate a bucket of old queries.
  const Reference& reference_of(std::uint64_t ordinal, SimTime at) {
    Remembered& place = remembered_[ordinal & (remembered_.size() - 1)];
    if (place.click != ordinal) place = {ordinal, draw_reference(ordinal, at)};
    return place.reference;
  }

  Reference draw_reference(std::uint64_t ordinal, SimTime at) {
    const std::size_t first = uniform_below(references_.block(ordinal, 0)[0], queries_.size());
    const SimTime target = draw_query_time(ordinal, at);
    // A server that had no query yet passes the reference on to its neighbour.
    for (std::size_t tried = 0; tried < queries_.size(); ++tried) {
      QueryLog* log = queries_[(first + tried) % queries_.size()];
      if (const auto query = log->latest_at(target, at))
        return {log, *query, log->arrival(*query).id};
    }
    return {};
  }

  // Rejection: it is drawn until it falls into the share of the greatest load that its query has.
  SimTime draw_query_time(std::uint64_t ordinal, SimTime at) {
    constexpr std::uint32_t kMostDraws = 1'000;  // of queries that are nearly all elsewhere
    SimTime target = target_of(ordinal, at, 0);
    if (!options_.clicks_follow_queries || options_.shape == nullptr) return target;
    for (std::uint32_t draw = 1; draw < kMostDraws; ++draw) {
      const double share = options_.shape->factor(target) / peak_;
      const std::uint64_t word = references_.block(ordinal, kFirstOfAcceptance + draw)[0];
      if (Chance(std::min(share, 1.0)).happens(word)) break;
      target = target_of(ordinal, at, draw);
    }
    return target;
  }

  SimTime target_of(std::uint64_t ordinal, SimTime at, std::uint32_t draw) {
    const auto words = references_.block(ordinal, 2 * draw);
    const auto more = references_.block(ordinal, 2 * draw + 1);
    const Duration delay = fast_.happens(words[1])
                               ? exponential(more[0], options_.fast_mean)
                               : lognormal(more[0], options_.slow_median, options_.slow_sigma);
    // A delay that reaches back before the first query is cut to a uniform one: all such clicks on
    // the first query of a server would be an unrealistic hot spot.
    const Duration history = std::max(Duration::zero(), Duration(at - options_.queries_start));
    return at - (delay <= history ? delay : uniform_duration(more[1], Duration::zero(), history));
  }

  void forget() override {
    for (Remembered& each : remembered_) each.click = ~std::uint64_t{0};
  }
  EventId primary_of(std::uint64_t ordinal, const Arrival& event) override {
    return reference_of(ordinal, event.at).id;
  }

  // Those of the last eight seconds and more: 2.5 MiB at most. A power of two.
  static std::size_t remembered_clicks(double per_second) {
    constexpr double kSeconds = 8;
    return std::bit_ceil(
        static_cast<std::size_t>(std::clamp(kSeconds * per_second, 64.0, 65536.0)));
  }
  logs::LogFile first_file_;
  const Options& options_;
  const std::vector<QueryLog*>& queries_;
  Chance fast_;
  double peak_;  // of the load
  RandomStream references_;
  std::vector<Remembered> remembered_;  // direct-mapped by click
  Bytes click_bytes_;
  Bytes query_bytes_;
};

SyntheticWorkload::SyntheticWorkload(const Options& options, const HostClocks& clocks)
    : options_(options) {
  PHOTON_CHECK(options.query_servers > 0 && options.click_servers > 0, "a workload has servers");
  PHOTON_CHECK(options.query_servers + options.click_servers < 0xffff, "addresses fit 16 bits");
  PHOTON_CHECK(options.query_payload >= kCampaignBytes && options.click_payload >= kCampaignBytes,
               "a payload holds at least its campaign");
  std::uint32_t host = options.first_host;
  std::uint16_t address = 1;
  const auto arrivals = [&](Purpose purpose, SimTime start, double rate) {
    Arrivals::Options all;
    all.seed = options.seed;
    all.purpose = purpose;
    all.server = address;
    all.host = sim::HostId(host);
    all.start = start;
    all.end = options.end;
    all.per_second = rate;
    all.disorder = options.disorder;
    all.bound = options.bound;
    all.shape = options.shape;
    all.tick = options.tick;
    all.processes = options.processes;
    all.stamp_resolution = options.stamp_resolution;
    return all;
  };
  const auto add_files = [&](logs::LogType type, FixedSizeLog& log, const Rotation& rotation,
                             const Arrivals::Options& of) {
    const double seconds = of.shape == nullptr
                               ? static_cast<double>((of.end - of.start).count()) / 1e9
                               : of.shape->integral(of.start, of.end);
    const double mean = of.per_second * seconds;
    const std::uint64_t files = files_for(mean, rotation);
    for (std::uint64_t i = 0; i < files; ++i) {
      const logs::LogFile file{type, address, static_cast<std::uint16_t>(i)};
      logs_.push_back(std::make_unique<RotatedFile>(file, log, rotation));
    }
  };
  for (std::uint32_t i = 0; i < options.query_servers; ++i, ++host, ++address) {
    const auto when = arrivals(purpose::kWorkloadPrimary, options.queries_start,
                               options.queries_per_second / options.query_servers);
    own_queries_.push_back(std::make_unique<QueryLog>(
        logs::LogFile{logs::LogType::primary, address, 0}, when, options_, clocks));
    queries_.push_back(own_queries_.back().get());
    add_files(logs::LogType::primary, *queries_.back(), queries_.back()->rotation, when);
  }
  for (std::uint32_t i = 0; i < options.click_servers; ++i, ++host, ++address) {
    const auto when = arrivals(purpose::kWorkloadForeign, options.clicks_start,
                               options.clicks_per_second / options.click_servers);
    clicks_.push_back(std::make_unique<ClickLog>(logs::LogFile{logs::LogType::foreign, address, 0},
                                                 when, options_, queries_, clocks));
    add_files(logs::LogType::foreign, *clicks_.back(), clicks_.back()->rotation, when);
    push_cursor(i, 0);
  }
}

SyntheticWorkload::~SyntheticWorkload() = default;

bool SyntheticWorkload::Later::operator()(const Cursor& left, const Cursor& right) const {
  return std::tie(left.at, left.log) > std::tie(right.at, right.log);
}

void SyntheticWorkload::push_cursor(std::uint32_t log, std::uint64_t ordinal) {
  const auto next = clicks_[log]->find(ordinal);
  if (!next) return;
  heap_.push_back({next->at, log, ordinal});
  std::ranges::push_heap(heap_, Later{});
}

std::optional<GeneratedClick> SyntheticWorkload::next_click() {
  if (heap_.empty()) return std::nullopt;
  const Cursor cursor = heap_.front();
  std::ranges::pop_heap(heap_, Later{});
  heap_.pop_back();
  const GeneratedClick click = clicks_[cursor.log]->describe(cursor.ordinal);
  push_cursor(cursor.log, cursor.ordinal + 1);
  return click;
}

void SyntheticWorkload::renew(std::uint64_t seed) {
  for (const auto& log : own_queries_) log->renew(seed);
  for (const auto& log : clicks_) log->renew(seed);
}

UnnamedEvents SyntheticWorkload::unnamed() {
  UnnamedEvents count;
  for (const auto& log : own_queries_) count.queries += log->unnamed();
  for (const auto& log : clicks_) count.clicks += log->unnamed();
  return count;
}

}  // namespace photon::models
