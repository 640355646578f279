// Cost of the judge per record, on a synthetic stream shaped like a healthy run: thousands of
// clicks are between generation and output at any time, both pipelines work on each.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "analysis/judge/judge.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"

namespace {

using namespace photon;
using namespace photon::trace;
using photon::analysis::Judge;
using photon::analysis::JudgeConfig;

constexpr std::uint32_t kClicks = 100'000;
constexpr std::uint32_t kUnderWay = 4'000;  // clicks between two stages
constexpr std::uint32_t kBatch = 20;        // clicks per transaction

class Stream {
 public:
  std::vector<Record> make() {
    emit(Source::decision, NodeId{1}, LeaseExtended{1, std::int64_t{1} << 60, ShardId{0}});
    for (std::uint32_t joiner : {20U, 21U, 22U, 23U}) {
      emit(Source::delivered, NodeId{joiner}, IncarnationGranted{joiner, 1, 1});
    }
    // Stage k of click i comes kUnderWay / 4 clicks after stage k - 1.
    for (std::uint32_t step = 0; step < kClicks + kUnderWay; ++step) {
      for (std::uint32_t stage = 0; stage < 5; ++stage) {
        const std::uint32_t offset = stage * (kUnderWay / 4);
        if (step >= offset && step - offset < kClicks) perform(stage, step - offset);
      }
    }
    return std::move(records_);
  }

 private:
  static EventId click(std::uint32_t i) { return {i % 8, 1, Stamp(Duration(1000 + i))}; }
  static EventId query(std::uint32_t i) { return {i % 8 + 100, 1, Stamp(Duration(500 + i))}; }
  static NodeId joiner(std::uint32_t i) { return NodeId{20 + i % 2}; }
  static NodeId far_joiner(std::uint32_t i) { return NodeId{22 + i % 2}; }
  static Token token(NodeId node, std::uint32_t i) { return {node.value(), 1, i + 1}; }

  template <class Payload>
  void emit(Source source, NodeId node, const Payload& payload, NodeId peer = kNoNode) {
    Header header;
    header.at = from_nanoseconds<SimTime>(static_cast<std::int64_t>(records_.size()));
    header.node = node;
    header.peer = peer;
    header.incarnation = Incarnation{1};
    const bool far = node == NodeId{11} || node == NodeId{22} || node == NodeId{23};
    header.datacenter = DatacenterId{static_cast<std::uint16_t>(far ? 1 : 0)};
    header.source = source;
    records_.push_back(Record::make(header, payload));
  }
  template <class Payload>
  void message(NodeId from, NodeId to, const Payload& payload) {
    emit(Source::sent, from, payload, to);
    emit(Source::delivered, to, payload, from);
  }

  void perform(std::uint32_t stage, std::uint32_t i) {
    switch (stage) {
      case 0: {
        emit(Source::environment, NodeId{0},
             ClickGenerated{click(i), query(i), i * 100ULL, i * 100ULL, 5, 1, 2, 0});
        if (i % 50 != 0) return;
        for (const std::uint32_t file : {1U, 2U}) {
          emit(Source::environment, NodeId{10}, LogVisible{i * 100ULL, file});
          emit(Source::environment, NodeId{11}, LogVisible{i * 100ULL, file});
        }
        return;
      }
      case 1: {
        for (const NodeId dispatcher : {NodeId{10}, NodeId{11}}) {
          emit(Source::decision, dispatcher, ClickRead{click(i), i * 100ULL, 1});
          message(dispatcher, NodeId{1},
                  RegistryAsk{click(i), Token{}, i, RegistryOperation::lookup, ShardId{0}});
          message(NodeId{1}, dispatcher,
                  RegistryAnswer{click(i), Token{}, i, slot_, RegistryOperation::lookup,
                                 RegistryCode::not_found, ShardId{0}});
        }
        return;
      }
      case 2:
        return find(i);
      case 3:
        return commit(i);
      default:
        return finish(i);
    }
  }

  void find(std::uint32_t i) {
    for (const NodeId dispatcher : {NodeId{10}, NodeId{11}}) {
      const NodeId to = dispatcher == NodeId{10} ? joiner(i) : far_joiner(i);
      message(dispatcher, to, JoinAsk{click(i), query(i), i, 0});
      message(to, NodeId{30}, QueryAsk{query(i), i, QueryTier::cache});
      message(NodeId{30}, to,
              QueryAnswer{query(i), query(i), i, QueryStatus::found, QueryTier::cache});
      emit(Source::decision, to, AdapterDecided{click(i), query(i), 0});
      message(to, NodeId{1},
              RegistryAsk{click(i), token(to, i), i, RegistryOperation::insert, ShardId{0}});
    }
  }

  void commit(std::uint32_t i) {
    if (i % kBatch != kBatch - 1) return;
    ++slot_;
    message(NodeId{1}, NodeId{2}, PaxosAccept{1, slot_, slot_ * 7, ShardId{0}});
    for (std::uint32_t acceptor = 1; acceptor <= 5; ++acceptor) {
      emit(Source::durable, NodeId{acceptor}, PaxosLogWritten{1, slot_ * 1'000, 0, 0, ShardId{0}});
      emit(Source::durable, NodeId{acceptor}, PaxosAccepted{1, slot_, slot_ * 7, ShardId{0}});
      if (acceptor == 1) continue;  // the proposer needs no message
      message(NodeId{acceptor}, NodeId{1}, PaxosAccepted{1, slot_, slot_ * 7, ShardId{0}});
    }
    for (std::uint32_t replica = 1; replica <= 5; ++replica) {
      std::uint32_t index = 0;
      for (std::uint32_t j = i + 1 - kBatch; j <= i; ++j) {
        for (const NodeId owner : {joiner(j), far_joiner(j)}) {
          const bool first = index % 2 == 0;
          emit(Source::decision, NodeId{replica},
               OperationApplied{click(j), token(owner, j), slot_, index, RegistryOperation::insert,
                                first ? RegistryCode::inserted : RegistryCode::already_exists,
                                ShardId{0}, first ? 1U : 0U});
          ++index;
        }
      }
      emit(Source::decision, NodeId{replica},
           SlotApplied{slot_, slot_ * 7, slot_, ShardId{0}, index});
    }
  }

  void finish(std::uint32_t i) {
    const std::uint64_t slot = i / kBatch + 1;
    for (const NodeId to : {joiner(i), far_joiner(i)}) {
      const bool won = to == joiner(i);
      message(
          NodeId{1}, to,
          RegistryAnswer{click(i), token(to, i), i, slot, RegistryOperation::insert,
                         won ? RegistryCode::inserted : RegistryCode::already_exists, ShardId{0}});
      if (won) {
        emit(Source::issued, to, OutputRecord{click(i), query(i), token(to, i), 5});
        emit(Source::durable, to, OutputRecord{click(i), query(i), token(to, i), 5});
      }
      const NodeId dispatcher = won ? NodeId{10} : NodeId{11};
      message(to, dispatcher,
              JoinAnswer{click(i), i, won ? JoinOutcome::joined : JoinOutcome::already_exists});
      emit(Source::decision, dispatcher,
           ClickDone{click(i), won ? DoneReason::joined : DoneReason::already_exists, 1});
    }
  }

  std::vector<Record> records_;
  std::uint64_t slot_ = 0;
};

double cpu_nanoseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1e9 * static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e3 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

}  // namespace

int main() {
  const std::vector<Record> records = Stream().make();
  JudgeConfig config;
  config.pipelines = {DatacenterId{0}, DatacenterId{1}};
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    Judge judge(config);
    const double begin = cpu_nanoseconds();
    for (const Record& record : records) judge.record(record);
    rounds.push_back((cpu_nanoseconds() - begin) / static_cast<double>(records.size()));
    judge.finish();
    if (judge.violations().total() != 0) {
      fmt::print("{}: {}\n", judge.violations().kept()[0].oracle,
                 judge.violations().kept()[0].message);
      return 1;
    }
  }
  std::sort(rounds.begin(), rounds.end());
  fmt::print("{} records of {} clicks: {:.1f} ns per record (median of {}; {:.1f} .. {:.1f})\n",
             records.size(), kClicks, rounds[rounds.size() / 2], rounds.size(), rounds.front(),
             rounds.back());
  return 0;
}
