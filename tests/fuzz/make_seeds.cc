// Writes the seeds of the targets whose bytes cannot be written by hand: fuzz_seeds FOLDER [TRACE].
//
// FOLDER/TARGET/NAME; with a raw trace, its records become seeds of raw_trace. Run it again when a
// format has changed: tests/fuzz/replay_test.cc checks that seeds get through.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "analysis/statistics/latency_histogram.h"
#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/paxos/snapshot_file.h"
#include "core_impl/photon/event_store/map_recovery.h"
#include "core_impl/photon/event_store/reader.h"
#include "core_impl/photon/incarnations/incarnation_registry.h"
#include "core_impl/photon/intake/journal.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/photon/registry/id_store.h"
#include "core_impl/photon/sharding/shard_history.h"
#include "core_impl/trace/all_payloads.h"
#include "tests/fuzz/seed_writer.h"

namespace photon::fuzz {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

const EventId kClick{3, 1, Stamp(5s)};
const EventId kQuery{2, 1, Stamp(4s)};
const Token kToken{20, 1, 9};

Bytes letters(std::string_view text) {
  Bytes bytes;
  append_bytes(std::as_bytes(std::span(text)), bytes);
  return bytes;
}

class Seeds {
 public:
  explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}

  void write(std::string_view target, std::string_view name, std::span<const std::byte> bytes) {
    fs::create_directories(folder_ / target);
    std::ofstream file(folder_ / target / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  void write(std::string_view target, std::string_view name, const SeedWriter& seed) {
    write(target, name, seed.view());
  }

 private:
  fs::path folder_;
};

// Pieces of stored_file.h: 0 ends a file, 1 is raw, 2 framed, from 3 on one of the types.
template <class Record>
SeedWriter& piece(SeedWriter& seed, std::uint8_t type, const Record& record) {
  seed.byte(static_cast<std::uint8_t>(3 + type)).fields(record);
  return seed;
}

void paxos_disks(Seeds& seeds) {
  using namespace photon::paxos;
  const ShardId group{5};
  const Ballot ballot = make_ballot(1, 0);
  const auto header = [&](std::uint64_t segment, std::uint64_t valid) {
    return SegmentHeader{group, 0, segment, segment - 1, valid};
  };
  // One segment, in a group of one.
  SeedWriter one;
  one.byte(0).byte(1U << 4U);
  piece(one, 0, header(1, 0));
  piece(one, 1, LogRecord::promise(ballot));
  piece(one, 1, LogRecord::accept(1, ballot, command_value(letters("put"))));
  piece(one, 1, LogRecord::accept(2, ballot, admission_value({1, Generation{2}})));
  piece(one, 1, LogRecord::commit(2)).byte(0);
  seeds.write("paxos_disk", "one_segment", one);
  // A chain of two, of which the second ends torn.
  Bytes first;
  append_encoded(header(1, 0), first);
  append_encoded(LogRecord::promise(ballot), first);
  SeedWriter two;
  two.byte(1).byte(2U << 4U);
  piece(two, 0, header(1, 0));
  piece(two, 1, LogRecord::promise(ballot)).byte(0);
  piece(two, 0, header(2, first.size()));
  piece(two, 1, LogRecord::accept(1, ballot, command_value(letters("put"))));
  two.byte(1).bytes(letters("torn")).byte(0);
  seeds.write("paxos_disk", "two_segments", two);
  // A snapshot, and a chain that begins after it.
  SnapshotHeader snapshot;
  snapshot.group = group;
  snapshot.point = SnapshotPoint{7, Generations(3)};
  snapshot.state_hash = 77;
  SegmentHeader beginning = header(4, 0);
  beginning.segment = 1;
  beginning.previous = 0;
  beginning.kind = SegmentKind::beginning;
  beginning.base = 7;
  SeedWriter after;
  after.byte(1).byte(4U | 1U << 4U).fields(snapshot).byte(1);
  piece(after, 0, beginning);
  piece(after, 1, LogRecord::accept(8, ballot, command_value(letters("put")))).byte(0);
  seeds.write("paxos_disk", "behind_snapshot", after);
}

void cells(Seeds& seeds) {
  SeedWriter journal;
  journal.byte(0);
  // The entry is the remainder of the piece's number by their count (cell_files_target.cc).
  journal.byte(6).fields(OwnershipRecord{NodeId{7}, 3, LocalTime(1s), 10s});
  journal.byte(7).fields(OffsetRecord{0x80000000U | 3U << 15U, 400});
  SavedRecord saved;
  saved.click = kClick;
  saved.query = kQuery;
  saved.payload = letters("clicked");
  journal.byte(2).fields(saved);
  journal.byte(4).fields(IntentRecord{kClick, kToken});
  journal.byte(3).fields(RemovedRecord{kQuery});
  seeds.write("cell_files", "journal", journal);

  SeedWriter map;
  map.byte(1);
  map(EventId{2, 1, Stamp(20s)});
  MapJournalRecord entries;
  entries.entries = {{kQuery, 1U << 15U, 0}, {EventId{2, 1, Stamp(40s)}, 1U << 15U, 900}};
  piece(map, 0, entries);
  seeds.write("cell_files", "log_file_map", map);

  SeedWriter reader;
  reader.byte(2);
  ReaderState offsets;
  offsets.files = {{1U << 15U, 0}};
  piece(reader, 0, offsets).byte(0);
  seeds.write("cell_files", "reader_offsets", reader);

  SeedWriter output;
  output.byte(3);
  output.byte(0);
  JoinedRecord joined{kClick, kQuery, kToken, letters("joined")};
  piece(output, 0, joined);
  seeds.write("cell_files", "output", output);

  SeedWriter lives;
  lives.byte(4);
  GrantedLives rows;
  rows.number = 2;
  rows.rows.push_back({20, 3, 1});
  for (std::uint32_t copy = 0; copy < kIncarnationTableCopies; ++copy) {
    piece(lives, 0, rows).byte(0);
  }
  lives.fields(IncarnationRequest{20, 2});
  seeds.write("cell_files", "incarnations", lives);
  seeds.write("cell_files", "name", SeedWriter().byte(5).text("output/00020/0000000001"));
}

void snapshots(Seeds& seeds) {
  IdStore store(10s);
  StoreOperation insert;
  insert.id = kClick;
  insert.token = kToken;
  store.apply(insert);
  insert.id = EventId{3, 1, Stamp(30s)};
  store.apply(insert);
  SeedWriter ids;
  Bytes state;
  store.snapshot(state);
  seeds.write("state_snapshot", "ids", ids.byte(0).raw(state));
  ShardHistory history(2);
  ShardingOperation change;
  change.start = Stamp(60s);
  change.shards = 4;
  history.apply(change);
  SeedWriter open;
  seeds.write("state_snapshot", "history", open.byte(1).raw(history.snapshot()));
  analysis::LatencyHistogram histogram;
  for (const Duration value : {Duration(3ms), Duration(5ms), Duration(-2s), Duration(1h)}) {
    histogram.add(value);
  }
  seeds.write("latency_histogram", "four_values", histogram.to_bytes());
}

void records(Seeds& seeds) {
  SeedWriter framed;
  framed.byte(1).byte(2).number(40).number(20).byte(0x55);
  for (const char* text : {"one", "two", "three"}) framed.bytes(letters(text));
  framed.byte(10).byte(20);
  seeds.write("record_codec", "framed", framed);
  Bytes file;
  for (const char* text : {"first", "second"}) append_record(letters(text), file);
  seeds.write("record_codec", "file", SeedWriter().byte(4).byte(7).byte(30).raw(file));
}

// Records as raw_trace_target.cc takes them.
class TraceSeed final : public trace::Sink {
 public:
  explicit TraceSeed(SeedWriter& seed) : seed_(seed) {}

  void record(const trace::Record& record) override {
    // The first ones of each kind: a run's beginning is nothing but elections.
    constexpr int kMostOfKind = 3;
    if (++seen_[record.header.kind] > kMostOfKind) return;
    std::uint64_t place = 0;
    std::uint64_t kind = static_cast<std::uint64_t>(record.header.kind);
    trace::AllPayloads::for_each([&]<class P>() {
      if (record.header.kind == P::kKind) kind = place;
      ++place;
    });
    const trace::Header& header = record.header;
    seed_.number(kind).byte(static_cast<std::uint8_t>(header.source));
    seed_.number(header.node.value()).number(header.peer.value());
    seed_.number(header.incarnation.value());
    seed_.byte(static_cast<std::uint8_t>(header.datacenter.value()));
    seed_.number(static_cast<std::uint64_t>((header.at - last_).count()));
    last_ = header.at;
    seed_.signed_number(nanoseconds_of(header.local));
    std::size_t words = record.payload.size() / 4;
    while (words > 0 && word_of(record, words - 1) == 0) --words;
    seed_.byte(static_cast<std::uint8_t>(words));
    for (std::size_t word = 0; word < words; ++word) seed_.number(word_of(record, word));
  }

 private:
  static std::uint32_t word_of(const trace::Record& record, std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, record.payload.data() + 4 * word, sizeof value);
    return value;
  }

  SeedWriter& seed_;
  SimTime last_{};
  std::map<trace::Kind, int> seen_{};
};

bool traces(Seeds& seeds, const std::string& file) {
  auto reader = analysis::TraceReader::open(file);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.assume_error().message().c_str());
    return false;
  }
  const auto& config = reader.assume_value().head().judge;
  SeedWriter seed;
  // usual_config: five replicas, perhaps a sharding group, and as many groups.
  const bool reshards = config.sharding_group != analysis::JudgeConfig::kNoGroup;
  seed.byte(3).byte(config.registry_only() ? 17 : 0).byte(reshards ? 36 : 32);
  seed.byte(static_cast<std::uint8_t>(config.shards - 1));
  TraceSeed sink(seed);
  static_cast<void>(reader.assume_value().replay(sink));
  seeds.write("raw_trace", fs::path(file).stem().string(), seed);
  return true;
}

}  // namespace
}  // namespace photon::fuzz

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER [TRACE...]\n");
    return 2;
  }
  photon::fuzz::Seeds seeds(argv[1]);
  photon::fuzz::paxos_disks(seeds);
  photon::fuzz::cells(seeds);
  photon::fuzz::snapshots(seeds);
  photon::fuzz::records(seeds);
  for (int i = 2; i < argc; ++i) {
    if (!photon::fuzz::traces(seeds, argv[i])) return 1;
  }
  return 0;
}
