// Builds traces by hand: a small healthy cluster whose every record can be left out or changed.
//
// Two pipelines: datacenter 0 with dispatcher 10 and joiners 11, 12; datacenter 1 with dispatcher
// 20 and joiner 21. One registry group of replicas 1, 2, 3, node 1 its master. Time advances by one
// millisecond per record. R = 2, A = 10 s, N = 1 h, slack 1 s. Click n refers to query n, both in
// file 7 and 8; each record is 100 bytes long.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "analysis/judge/judge.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis::testing {

using namespace std::chrono_literals;

inline constexpr NodeId kReplica1{1}, kReplica2{2}, kReplica3{3};
inline constexpr NodeId kDispatcher{10}, kJoiner{11}, kJoiner2{12};
inline constexpr NodeId kFarDispatcher{20}, kFarJoiner{21};
inline constexpr NodeId kRegistrar{99}, kFarRegistrar{98};
inline constexpr DatacenterId kHere{0}, kFar{1};
inline constexpr std::uint32_t kClickFile = 7, kQueryFile = 8;
inline constexpr std::uint64_t kRecordBytes = 100;

inline EventId click_id(std::uint32_t n) {
  return EventId{100, 1, Stamp(Duration(std::int64_t{n} * 1'000'000))};
}
inline EventId query_id(std::uint32_t n) {
  return EventId{200, 1, Stamp(Duration(std::int64_t{n} * 1'000'000 - 500'000))};
}
inline std::uint64_t joined_hash(std::uint32_t n) { return 0xabc000 + n; }

// One insert, clear or remove of a transaction.
struct Insert {
  std::uint32_t click = 0;
  Token token{};
  trace::RegistryCode code = trace::RegistryCode::inserted;
  std::uint32_t fresh = 1;
  trace::RegistryOperation operation = trace::RegistryOperation::insert;
};

struct World {
  explicit World(JudgeConfig config = standard()) : judge(std::move(config)) {}

  static JudgeConfig standard() {
    JudgeConfig config;
    config.pipelines = {kHere, kFar};
    config.shards = 1;
    config.replicas_per_group = 3;
    config.unjoinable_attempts = 2;
    config.unjoinable_age = 10s;
    config.gc_age = 1h;
    config.slack = 1s;
    return config;
  }

  static DatacenterId datacenter_of(NodeId node) {
    const bool far =
        node == kFarDispatcher || node == kFarJoiner || node == kReplica2 || node == kFarRegistrar;
    return far ? kFar : kHere;
  }
  // The process that grants a joiner its lives and fences its files in the cell of its datacenter.
  static NodeId registrar_of(NodeId joiner) {
    return datacenter_of(joiner) == kFar ? kFarRegistrar : kRegistrar;
  }

  Incarnation life(NodeId node) {
    if (node.value() >= lives.size()) lives.resize(node.value() + 1, Incarnation{1});
    return lives[node.value()];
  }

  template <class Payload>
  void emit(trace::Source source, NodeId node, const Payload& payload, NodeId peer = kNoNode) {
    now += step;
    trace::Header header;
    header.at = now;
    header.local = from_nanoseconds<LocalTime>(nanoseconds_of(now) + clock_error.count());
    header.node = node;
    header.peer = peer;
    header.incarnation = node == kNoNode ? Incarnation{} : life(node);
    header.datacenter = datacenter_of(node);
    header.source = source;
    header.message = message_number;
    records.push_back(trace::Record::make(header, payload));
    judge.record(records.back());
  }
  template <class Payload>
  void environment(NodeId node, const Payload& payload) {
    emit(trace::Source::environment, node, payload);
  }
  template <class Payload>
  void decide(NodeId node, const Payload& payload) {
    emit(trace::Source::decision, node, payload);
  }
  template <class Payload>
  void sent(NodeId from, NodeId to, const Payload& payload) {
    emit(trace::Source::sent, from, payload, to);
  }
  template <class Payload>
  void delivered(NodeId from, NodeId to, const Payload& payload) {
    emit(trace::Source::delivered, to, payload, from);
  }
  template <class Payload>
  void message(NodeId from, NodeId to, const Payload& payload) {
    sent(from, to, payload);
    delivered(from, to, payload);
  }
  template <class Payload>
  void stored(NodeId node, const Payload& payload) {
    emit(trace::Source::issued, node, payload);
    emit(trace::Source::durable, node, payload);
  }
  void wait(Duration duration) { now += duration; }

  void boot();  // everything started, node 1 elected with a lease
  void crash(NodeId node);
  void fence(NodeId node);    // its output files, for its present life and earlier ones
  void restart(NodeId node);  // its next life; a joiner is granted a new number
  void elect(NodeId node, std::uint64_t ballot, std::uint64_t applied);
  void lease(NodeId node, std::uint64_t ballot, Duration remaining = 1500ms);
  void generate(std::uint32_t click);
  void ship(NodeId to, std::uint32_t file, std::uint64_t length);  // visible at that node's place
  void ship_all(std::uint32_t clicks);  // clicks and queries up to that number, at both pipelines
  void quiesce() { environment(kNoNode, trace::RunPhase{trace::Phase::faults_ended}); }

  // Consensus.
  void propose(std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);
  // Written, then sent.
  void accept(NodeId acceptor, std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);
  // An append to the replica's log became durable; its promises and acceptances follow.
  void append(NodeId replica);
  // It becomes durable as the first of a new segment, which continues what the last segment held
  // before its append number `valid` (from 0).
  void begin_segment(NodeId replica, std::uint64_t valid);
  // The same for a segment that begins a chain; restated entries follow, then restated().
  void begin_chain(NodeId replica);
  void restated(NodeId replica, std::uint64_t base);
  // The disk was lost, and the replica has a new one.
  void format(NodeId replica, std::uint32_t generation);
  void write_promise(NodeId replica, std::uint64_t ballot);
  void write_accept(NodeId replica, std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);
  void promise(NodeId replica, std::uint64_t ballot, std::uint64_t from_slot,
               std::uint64_t reported = 0);                                    // written, then sent
  void choose(std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);  // by 2 and 3
  void apply(NodeId replica, std::uint64_t slot, std::uint64_t value,
             std::initializer_list<Insert> inserts = {});
  // The boundary moves in that slot: from there on ids below the stamp of `click` are too old.
  void move_boundary(std::uint64_t slot, std::uint32_t click);
  // Chosen, and applied everywhere.
  void transaction(std::uint64_t slot, std::initializer_list<Insert> inserts);

  // Pipeline.
  Token token(NodeId joiner, std::uint64_t sequence) {
    return {joiner.value(), granted(joiner), sequence};
  }
  std::uint32_t granted(NodeId node) { return 40 + life(node).value(); }
  void read(NodeId dispatcher, std::uint32_t click);
  void ask_join(NodeId dispatcher, NodeId joiner, std::uint32_t click, std::uint64_t request,
                std::uint32_t attempts = 0);
  void answer_join(NodeId joiner, NodeId dispatcher, std::uint32_t click, std::uint64_t request,
                   trace::JoinOutcome outcome);
  void done(NodeId dispatcher, std::uint32_t click, trace::DoneReason reason);
  void ask_insert(NodeId joiner, std::uint32_t click, const Token& token,
                  std::uint64_t request = 1);
  void answer_insert(NodeId replica, NodeId joiner, std::uint32_t click, const Token& token,
                     std::uint64_t slot, trace::RegistryCode code = trace::RegistryCode::inserted);
  void ask_lookup(NodeId dispatcher, NodeId replica, std::uint32_t click,
                  std::uint64_t request = 2);
  void reply_lookup(NodeId replica, NodeId dispatcher, std::uint32_t click, std::uint64_t slot,
                    trace::RegistryCode code, std::uint64_t request = 2);
  // Asked and answered at once.
  void answer_lookup(NodeId replica, NodeId dispatcher, std::uint32_t click, std::uint64_t slot,
                     trace::RegistryCode code);
  trace::OutputRecord output(std::uint32_t click, const Token& token) {
    return {click_id(click), query_id(click), token, joined_hash(click)};
  }
  void miss(NodeId joiner, std::uint32_t click);

  // One click from reading to done, at dispatcher 10 and joiner 11, in transaction `slot`.
  void join(std::uint32_t click, std::uint64_t slot);
  // The far pipeline learns by look-up that it exists.
  void learn(std::uint32_t click, std::uint64_t slot);

  std::uint64_t count(std::string_view oracle) const { return judge.violations().count(oracle); }
  std::uint64_t total() const { return judge.violations().total(); }
  std::string findings() const;

  Judge judge;
  SimTime now{};
  Duration step = 1ms;  // from record to record
  Duration clock_error{0};
  std::uint32_t message_number = 0;
  std::vector<Incarnation> lives;
  struct Log {
    std::uint64_t segment = 1;
    std::uint64_t appends = 0;
  };
  std::array<Log, 4> logs{};  // by number of the replica
  std::vector<trace::Record> records;
};

}  // namespace photon::analysis::testing
