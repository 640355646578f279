// A raw trace, read and judged. The first byte says which part of the file the fuzzer writes:
//   0  every byte of it
//   1  the head; its digest is right, and there are no records
//   2  the judge's configuration, and records
//   3  records, with a configuration of the usual kind
// Then records have right digests and come as numbers (input.h): the fuzzer searches not the
// framing, but how the judge treats records that contradict each other.
#include <cstring>
#include <string>
#include <vector>

#include "analysis/judge/judge.h"
#include "analysis/reports/summary.h"
#include "analysis/reports/traced_run.h"
#include "analysis/trace_files/trace_check.h"
#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/hash.h"
#include "core_impl/trace/all_payloads.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {
namespace {

using namespace std::chrono_literals;
using namespace photon::analysis;

constexpr std::size_t kMostTraceRecords = 2000;

// The layout of trace_file.h.
class Image {
 public:
  void head(std::span<const std::byte> encoded) {
    text("photontr");
    put(kTraceFormatVersion);
    put(static_cast<std::uint32_t>(sizeof(trace::Record)));
    put(static_cast<std::uint32_t>(encoded.size()));
    put(std::uint32_t{0});
    put(hash_bytes(encoded));
    raw(encoded);
  }
  void records(const std::vector<trace::Record>& all) {
    count_ = all.size();
    // Digested in batches of the writer's size; there are never more here.
    if (!all.empty()) digest_ = hash_bytes(std::as_bytes(std::span(all)), 0);
    raw(std::as_bytes(std::span(all)));
  }
  void end() {
    const Bytes last = encoding_of(TraceEnd{});
    raw(last);
    text("photonen");
    put(count_);
    put(digest_);
    put(static_cast<std::uint32_t>(last.size()));
    put(std::uint32_t{0});
    put(hash_bytes(last));
  }
  std::string_view view() const { return text_of(bytes_); }

 private:
  void text(std::string_view letters) { raw(std::as_bytes(std::span(letters))); }
  void raw(std::span<const std::byte> bytes) { append_bytes(bytes, bytes_); }
  template <class T>
  void put(T value) {
    Encoder encode(bytes_);
    encode(value);
  }

  Bytes bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t digest_ = 0;
};
static_assert(kMostTraceRecords <= 4096);

trace::Kind kind_from(Input& input) {
  const std::uint64_t number = input.number();
  if (number >= trace::AllPayloads::kSize) return static_cast<trace::Kind>(number);
  trace::Kind kind{};
  std::uint64_t place = 0;
  trace::AllPayloads::for_each([&]<class P>() {
    if (place++ == number) kind = P::kKind;
  });
  return kind;
}

std::vector<trace::Record> records_from(Input& input) {
  std::vector<trace::Record> records;
  SimTime now{};
  while (!input.is_empty() && records.size() < kMostTraceRecords) {
    trace::Record record{};
    record.header.kind = kind_from(input);
    record.header.source = static_cast<trace::Source>(input.byte());
    record.header.node = NodeId(static_cast<std::uint32_t>(input.number()));
    record.header.peer = NodeId(static_cast<std::uint32_t>(input.number()));
    record.header.incarnation = Incarnation(static_cast<std::uint32_t>(input.number()));
    record.header.datacenter = DatacenterId(input.byte());
    // Sums wrap, since the fuzzer chooses any values.
    now = from_nanoseconds<SimTime>(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(nanoseconds_of(now)) + input.number()));
    record.header.at = now;
    record.header.local = from_nanoseconds<LocalTime>(input.signed_number());
    const std::size_t words = input.below(record.payload.size() / 4 + 1);
    for (std::size_t word = 0; word < words; ++word) {
      const auto value = static_cast<std::uint32_t>(input.number());
      std::memcpy(record.payload.data() + 4 * word, &value, sizeof value);
    }
    records.push_back(record);
  }
  return records;
}

// Options that vary between runs.
JudgeConfig usual_config(Input& input) {
  const std::uint8_t first = input.byte();
  const std::uint8_t second = input.byte();
  JudgeConfig config;
  if ((first & 1U) == 0) config.pipelines = {DatacenterId{0}, DatacenterId{1}};
  if ((first & 2U) != 0) config.recovery_bound = 60s;
  if ((first & 4U) != 0) config.lease = 2s;
  if ((first & 8U) != 0) config.output_copies = true;
  config.corner_cases = (first & 16U) != 0;
  config.tokens = (first & 32U) == 0;
  if ((first & 64U) != 0) config.boundary_bound = config.collect_bound = 60s;
  if ((first & 128U) != 0) config.retry_time_limit = config.retry_turn = 1s;
  config.shards = 1 + input.below(16);
  config.first_shards = 1;
  if (config.shards > 1 && (second & 4U) != 0) config.sharding_group = config.shards - 1;
  if ((second & 8U) != 0) {
    config.joiner_max_in_flight = config.joiner_window_bound = 2;
    config.joiner_max_outstanding_registry = config.joiner_max_outstanding_per_shard = 2;
    config.dispatcher_max_outstanding = config.dispatcher_max_lookups = 2;
    config.dispatcher_send_timeout = config.dispatcher_lookup_timeout = 2s;
  }
  config.replicas_per_group = 1 + 2 * ((second >> 4U) % 3);
  config.gc_age = 1h;
  config.unjoinable_age = 10s;
  config.unjoinable_attempts = 2;
  config.dispatch_rate_milli = 1000;
  return config;
}

TraceHead head_of(const JudgeConfig& config) {
  TraceHead head;
  head.scenario = "fuzzed";
  head.judge = config;
  return head;
}

Outcome judge_file(std::string_view image) {
  const MemoryFile file(image);
  auto opened = TraceReader::open(file.name());
  if (!opened) {
    require(!opened.assume_error().message().empty(), "a refusal has a reason");
    return Outcome::refused;
  }
  TraceReader& reader = opened.assume_value();
  Judge judge(reader.head().judge);
  if (auto replayed = reader.replay(judge); !replayed) {
    require(judge.records() == 0, "nothing of a damaged trace is judged");
    return Outcome::refused;
  }
  judge.finish();
  Summary summary;
  describe_run(reader.head(), reader.end(), summary);
  summarise(judge, summary);
  require(!to_text(summary).empty() && !to_json(summary).empty(), "a judgement can be printed");
  return Outcome::accepted;
}

}  // namespace

Outcome raw_trace(std::span<const std::byte> bytes) {
  Input input(bytes);
  const std::uint32_t mode = input.below(4);
  if (mode == 0) return judge_file(text_of(input.rest()));
  Image image;
  if (mode == 1) {
    image.head(input.rest());
  } else {
    const JudgeConfig config = mode == 2 ? value_from<JudgeConfig>(input) : usual_config(input);
    image.head(encoding_of(head_of(config)));
    image.records(records_from(input));
  }
  image.end();
  return judge_file(image.view());
}

}  // namespace photon::fuzz
