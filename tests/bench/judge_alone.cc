// The judge alone: its cost per record and per click, on the records of a real run.
//
//   photonsim run SCENARIO --trace FILE
//   judge_alone FILE [--rounds N] [--kinds]
//
// The records of the trace are kept in memory and given to a new judge in each of N rounds (5).
// Printed: records and nanoseconds per record and per click, medians of the processor time of the
// rounds; the time that the end of the trace takes (Judge::finish); and the bytes of heap that the
// judge holds per click, after the last record and at most (while it finishes, too). --kinds adds a
// table by kind and source of record: the time of each, without the time to read the clock.
//
// Instructions of one round:
//   valgrind --tool=callgrind --toggle-collect='*judge_records*' judge_alone FILE --rounds 1
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "analysis/judge/judge.h"
#include "analysis/trace_files/trace_file.h"
#include "tests/bench/heap_meter.h"

namespace {

using photon::analysis::Judge;
using photon::analysis::JudgeConfig;
using photon::trace::Record;

class Capture final : public photon::trace::Sink {
 public:
  void record(const Record& record) override { records.push_back(record); }
  std::vector<Record> records;
};

struct Arguments {
  std::string file{};
  int rounds = 5;
  bool kinds = false;
};

Arguments arguments_of(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (name == "--rounds") {
      arguments.rounds = std::max(1, std::atoi(value().c_str()));
    } else if (name == "--kinds") {
      arguments.kinds = true;
    } else {
      arguments.file = name;
    }
  }
  return arguments;
}

struct Trace {
  JudgeConfig config{};
  Capture capture{};
};

// False: the file cannot be read.
bool read(const std::string& file, Trace& trace) {
  auto opened = photon::analysis::TraceReader::open(file);
  if (!opened) return false;
  auto& reader = opened.assume_value();
  trace.config = reader.head().judge;
  trace.capture.records.reserve(reader.records());
  return static_cast<bool>(reader.replay(trace.capture));
}

double cpu_nanoseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// Not inlined: callgrind finds it by its name.
[[gnu::noinline]] void judge_records(Judge& judge, const Record* from, const Record* to) {
  for (; from != to; ++from) judge.record(*from);
}

struct Round {
  double records_ns = 0;
  double finish_ns = 0;
};

struct Memory {
  double held = 0;  // bytes after the last record
  double most = 0;  // and at any time
  std::uint64_t clicks = 0;
};

Round judge_once(const Trace& trace, Memory& memory) {
  const auto& records = trace.capture.records;
  const auto before = static_cast<double>(photon::bench::heap_live());
  photon::bench::forget_heap_peak();
  Judge judge(trace.config);
  Round round;
  const double began = cpu_nanoseconds();
  judge_records(judge, records.data(), records.data() + records.size());
  const double ended = cpu_nanoseconds();
  memory.held = static_cast<double>(photon::bench::heap_live()) - before;
  memory.clicks = judge.evidence().join().generated();
  judge.finish();
  memory.most = static_cast<double>(photon::bench::heap_peak()) - before;
  round.records_ns = ended - began;
  round.finish_ns = cpu_nanoseconds() - ended;
  if (judge.violations().total() != 0) {
    const auto& first = judge.violations().kept().front();
    std::printf("%llu violations, first %s: %s\n",
                static_cast<unsigned long long>(judge.violations().total()), first.oracle.c_str(),
                first.message.c_str());
  }
  return round;
}

template <class Field>
double median_of(std::vector<Round> rounds, Field field) {
  std::ranges::sort(rounds, {}, field);
  return rounds[rounds.size() / 2].*field;
}

std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// The sum of the table is the time of a round: a clock also counts what other programs take.
void print_kinds(const Trace& trace, double round_ns, double clicks) {
  struct Tally {
    std::uint64_t records = 0;
    std::uint64_t ns = 0;
  };
  std::uint64_t reading = ~std::uint64_t{0};  // of the clock, at least
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t began = clock_ns();
    reading = std::min(reading, clock_ns() - began);
  }
  std::map<std::pair<int, int>, Tally> tallies;
  std::uint64_t sum = 0;
  Judge judge(trace.config);
  for (const Record& record : trace.capture.records) {
    const std::uint64_t began = clock_ns();
    judge.record(record);
    const std::uint64_t took = clock_ns() - began;
    Tally& tally =
        tallies[{static_cast<int>(record.header.kind), static_cast<int>(record.header.source)}];
    ++tally.records;
    tally.ns += took - std::min(took, reading);
    sum += took - std::min(took, reading);
  }
  const double scale = round_ns / static_cast<double>(sum);
  std::printf("%6s %6s %12s %12s %12s\n", "kind", "source", "per click", "ns each", "ns a click");
  for (const auto& [key, tally] : tallies) {
    const double ns = static_cast<double>(tally.ns) * scale;
    std::printf("%6d %6d %12.3f %12.1f %12.1f\n", key.first, key.second,
                static_cast<double>(tally.records) / clicks,
                ns / static_cast<double>(tally.records), ns / clicks);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = arguments_of(argc, argv);
  Trace trace;
  if (!read(arguments.file, trace)) {
    std::fprintf(stderr, "%s is no trace that can be read\n", arguments.file.c_str());
    return 2;
  }
  std::vector<Round> rounds;
  Memory memory;
  for (int i = 0; i < arguments.rounds; ++i) rounds.push_back(judge_once(trace, memory));
  const auto records = static_cast<double>(trace.capture.records.size());
  const auto clicks = static_cast<double>(std::max<std::uint64_t>(memory.clicks, 1));
  const double ns = median_of(rounds, &Round::records_ns);
  std::printf("%.0f records of %.0f clicks, %.1f records a click; medians of %d rounds\n", records,
              clicks, records / clicks, arguments.rounds);
  std::printf("%.2f M records/s  %.1f ns per record  %.0f ns per click  and %.0f ns at the end\n",
              1e3 * records / ns, ns / records, ns / clicks,
              median_of(rounds, &Round::finish_ns) / clicks);
  std::printf("heap %.0f bytes per click, %.0f at most\n", memory.held / clicks,
              memory.most / clicks);
  if (arguments.kinds) print_kinds(trace, ns, clicks);
  return 0;
}
