#include "analysis/trace_files/trace_check.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "core_impl/trace/all_payloads.h"

namespace photon::analysis {
namespace {

constexpr std::uint32_t kMostDatacenters = 64;  // oracles keep a bit of each in a word
constexpr std::uint32_t kMostGroups = (1U << 16U) + 1;
constexpr std::uint32_t kMostReplicas = 32;

template <class Time>
bool is_far(Time time) {
  const std::int64_t count = nanoseconds_of(time);
  return count > TraceCheck::kFarthest.count() || count < -TraceCheck::kFarthest.count();
}

// The largest value of an enumeration without gaps; those with gaps have a function below.
template <class Enum>
struct Last;
template <>
struct Last<trace::Phase> {
  static constexpr auto kValue = trace::Phase::finished;
};
template <>
struct Last<trace::RegistryOperation> {
  static constexpr auto kValue = trace::RegistryOperation::read_token;
};
template <>
struct Last<trace::LookupMode> {
  static constexpr auto kValue = trace::LookupMode::replica;
};
template <>
struct Last<trace::QueryStatus> {
  static constexpr auto kValue = trace::QueryStatus::error;
};
template <>
struct Last<trace::QueryTier> {
  static constexpr auto kValue = trace::QueryTier::logs;
};
template <>
struct Last<trace::Verified> {
  static constexpr auto kValue = trace::Verified::indeterminate;
};

template <class Enum>
bool is_known(Enum value) {
  return value <= Last<Enum>::kValue;
}
bool is_known(trace::RegistryCode value) {
  return trace::is_definitive(value) ||
         (value >= trace::RegistryCode::not_master && value <= trace::RegistryCode::future);
}
bool is_known(trace::ShardingCode value) {
  return value <= trace::ShardingCode::refused || value == trace::ShardingCode::not_master;
}
bool is_known(trace::ShardingAction value) {
  return value >= trace::ShardingAction::announce && value <= trace::ShardingAction::forget;
}
bool is_known(trace::JoinOutcome value) {
  return trace::is_success(value) ||
         (value >= trace::JoinOutcome::query_not_found && value <= trace::JoinOutcome::stopping);
}
bool is_known(trace::DoneReason value) {
  return value <= trace::DoneReason::unjoinable || value == trace::DoneReason::lookup_exists ||
         value == trace::DoneReason::lookup_too_old;
}

// By the names that payloads give their fields: a new payload is checked like the others.
template <class P>
bool has_known_values(const P& payload) {
  bool known = true;
  if constexpr (requires { payload.phase; }) known = known && is_known(payload.phase);
  if constexpr (requires { payload.operation; }) known = known && is_known(payload.operation);
  if constexpr (requires { payload.lookups; }) known = known && is_known(payload.lookups);
  if constexpr (requires { payload.code; }) known = known && is_known(payload.code);
  if constexpr (requires { payload.action; }) known = known && is_known(payload.action);
  if constexpr (requires { payload.outcome; }) known = known && is_known(payload.outcome);
  if constexpr (requires { payload.reason; }) known = known && is_known(payload.reason);
  if constexpr (requires { payload.status; }) known = known && is_known(payload.status);
  if constexpr (requires { payload.tier; }) known = known && is_known(payload.tier);
  if constexpr (requires { payload.verdict; }) known = known && is_known(payload.verdict);
  return known;
}

template <class P>
bool has_known_places(const P& payload, const JudgeConfig& config) {
  bool known = true;
  if constexpr (requires { payload.group; }) known = known && payload.group.value() < config.shards;
  if constexpr (requires { payload.shard; }) known = known && payload.shard.value() < config.shards;
  if constexpr (requires { payload.replica; }) {
    known = known && payload.replica < config.replicas_per_group;
  }
  if constexpr (requires { payload.from.value(); }) {
    known = known && payload.from.value() < kMostDatacenters;
    known = known && payload.to.value() < kMostDatacenters;
  }
  if constexpr (requires { payload.joiner; }) {
    known = known && payload.joiner.value() < TraceCheck::kMostNodes;
  }
  return known;
}

// Of the times in payloads, stamps of ids come from unchecked clocks: any value is valid.
template <class P>
bool has_times_in_range(const P& payload) {
  bool in_range = true;
  if constexpr (requires { payload.due; }) in_range = in_range && !is_far(payload.due);
  if constexpr (requires { payload.moment; }) in_range = in_range && !is_far(payload.moment);
  return in_range;
}

template <class P>
std::optional<std::string> fault_of_payload(const trace::Record& record,
                                            const JudgeConfig& config) {
  const auto* const end = record.payload.data() + record.payload.size();
  if (std::any_of(record.payload.data() + sizeof(P), end, [](auto b) { return b != std::byte{}; }))
    return "its payload is longer than its kind has it";
  const P& payload = record.as<P>();
  if (!has_known_values(payload)) return "one of its values is unknown";
  if (!has_known_places(payload, config)) return "it is about a group, replica or place unknown";
  if (!has_times_in_range(payload)) return "one of its times is out of range";
  return std::nullopt;
}

using PayloadCheck = std::optional<std::string> (*)(const trace::Record&, const JudgeConfig&);
constexpr std::size_t kKinds = 512;

// By kind; null where there is none. A trace has millions of records.
constexpr std::array<PayloadCheck, kKinds> kPayloadChecks = [] {
  std::array<PayloadCheck, kKinds> checks{};
  trace::AllPayloads::for_each([&]<class P>() {
    static_assert(static_cast<std::size_t>(P::kKind) < kKinds);
    checks[static_cast<std::size_t>(P::kKind)] = fault_of_payload<P>;
  });
  return checks;
}();

std::optional<std::string> fault_of_header(const trace::Header& header) {
  const auto is_node = [](NodeId node) {
    return node.value() < TraceCheck::kMostNodes || node == kNoNode;
  };
  if (header.source > trace::Source::durable) return "its source is unknown";
  if (!is_node(header.node) || !is_node(header.peer)) return "it is about no process";
  if (header.datacenter.value() >= kMostDatacenters) return "it is about no datacenter";
  if (std::ranges::any_of(header.zero, [](std::uint8_t b) { return b != 0; })) {
    return "its unused bytes are in use";
  }
  if (is_far(header.at) || is_far(header.local)) return "its time is out of range";
  return std::nullopt;
}

// True if all durations among the fields are in range.
class DurationsInRange {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (look(fields), ...);
  }
  bool in_range = true;

 private:
  template <class T>
  void look(const T& field) {
    if constexpr (std::same_as<T, Duration>) {
      in_range = in_range && field <= TraceCheck::kFarthest && field >= -TraceCheck::kFarthest;
    } else if constexpr (std::same_as<T, std::vector<Duration>>) {
      for (const Duration each : field) look(each);
    }
  }
};

bool has_sound_pipelines(const JudgeConfig& config) {
  const bool ascending =
      std::ranges::adjacent_find(config.pipelines, std::greater_equal{}) == config.pipelines.end();
  const bool numbered = std::ranges::all_of(
      config.pipelines, [](DatacenterId each) { return each.value() < kMostDatacenters; });
  const bool named =
      config.pipeline_names.empty() || config.pipeline_names.size() == config.pipelines.size();
  return ascending && numbered && named && config.regions.size() <= kMostDatacenters;
}

bool has_sound_groups(const JudgeConfig& config) {
  const bool replicated =
      config.replicas_per_group >= 1 && config.replicas_per_group <= kMostReplicas;
  const bool counted = config.shards >= 1 && config.shards <= kMostGroups;
  const bool known =
      config.sharding_group == JudgeConfig::kNoGroup || config.sharding_group < config.shards;
  const bool named =
      config.replicas.empty() ||
      config.replicas.size() == std::uint64_t{config.shards} * config.replicas_per_group;
  const bool numbered = std::ranges::all_of(
      config.replicas, [](NodeId each) { return each.value() < TraceCheck::kMostNodes; });
  return replicated && counted && known && named && numbered && config.first_shards >= 1 &&
         config.first_shards <= config.shards;
}

}  // namespace

std::optional<std::string> fault_of(const JudgeConfig& config) {
  if (!has_sound_pipelines(config)) return "the pipelines in its head are none";
  if (!has_sound_groups(config)) return "the groups in its head are none";
  DurationsInRange durations;
  JudgeConfig::each_field(config, durations);
  if (!durations.in_range) return "a duration in its head is out of range";
  return std::nullopt;
}

std::optional<std::string> TraceCheck::next(const trace::Record& record) {
  if (auto fault = fault_of_header(record.header)) return fault;
  if (record.header.at < last_) return "it is earlier than the record before it";
  last_ = record.header.at;
  const auto kind = static_cast<std::size_t>(record.header.kind);
  const PayloadCheck check = kind < kKinds ? kPayloadChecks[kind] : nullptr;
  if (check == nullptr) return "its kind is unknown";
  return check(record, config_);
}

}  // namespace photon::analysis
