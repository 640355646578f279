// How many chunks a reader of a directory holds, which file is read next, and from which lane.
#include <memory>
#include <string>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/logs/record_source.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::logs {
namespace {

using namespace std::chrono_literals;
using Lane = RecordSource::Lane;

constexpr VolumeId kLaneVolume{1};
constexpr std::size_t kRecord = 100;  // bytes of each record, with its frame

class Reader final : public Node {
 public:
  explicit Reader(const RecordSource::Options& options)
      : source(options, DirectoryScan(LogType::foreign)) {}
  void on_start(Context& context) override { source.scan(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    REQUIRE(source.on_io(context, ticket, result));
  }
  RecordSource source;
};

struct Directory {
  // `records` of each file; a chunk holds `chunk` of them.
  Directory(std::vector<std::size_t> records, std::uint32_t max_reads, std::uint32_t chunk = 2) {
    for (std::uint16_t file = 0; file < records.size(); ++file) {
      const FileName name = LogFile{LogType::foreign, 3, file}.name();
      Bytes& bytes = context.disks[kLaneVolume][std::string(name.data(), name.size())];
      for (std::size_t i = 0; i < records[file]; ++i) {
        append_record(Bytes(kRecord - kRecordOverhead, std::byte(i)), bytes);
      }
    }
    RecordSource::Options options;
    options.volume = kLaneVolume;
    options.max_reads = max_reads;
    options.read_chunk = chunk * kRecord;
    options.form = ReadForm::records;
    reader = std::make_unique<Reader>(options);
    reader->on_start(context);
    context.complete(*reader);
  }
  RecordSource& source() { return reader->source; }
  // Every read that waits for the volume is answered.
  void answer() { context.complete_all(*reader); }
  // Takes a record, settles it and starts the reads that this allows.
  std::optional<RecordSource::Taken> take() {
    auto taken = source().next();
    if (taken) source().settle(taken->place);
    source().pump(context);
    return taken;
  }

  photon::testing::FakeContext context{NodeId(1)};
  std::unique_ptr<Reader> reader;
};

}  // namespace

TEST_CASE("C-07 a file is read to its end after one scan, and only then is the reader caught up") {
  const std::size_t records = GENERATE(1U, 2U, 3U, 4U, 9U);
  Directory directory({records}, 4);
  std::size_t taken = 0;
  while (taken < records) {
    CHECK_FALSE(directory.source().caught_up());
    directory.answer();
    while (const auto record = directory.take()) {
      ++taken;
      CHECK(record->end == taken * kRecord);
    }
    REQUIRE((taken == records || directory.source().reading() == 1));
  }
  CHECK(directory.source().caught_up());
  CHECK(directory.context.pending.empty());
  CHECK(directory.source().waiting() == 0);
}

TEST_CASE("C-09 chunks that are read or hold records never exceed their cap; files take turns") {
  Directory directory({4, 4, 4, 4, 4}, 2);
  RecordSource& source = directory.source();
  CHECK(source.reading() == 2);
  CHECK(source.waiting() == 3);
  for (const auto& each : directory.context.pending) {
    CHECK(each.request.form == ReadForm::records);
    CHECK(each.request.offset == 0);
    CHECK(each.request.length == 2 * kRecord);
  }
  directory.answer();
  CHECK(source.reading() == 0);
  CHECK(source.waiting() == 3);  // both chunks hold records
  std::vector<std::uint32_t> files;
  for (int i = 0; i < 4; ++i) files.push_back(directory.take()->place.file);
  CHECK(files == std::vector<std::uint32_t>{0, 1, 0, 1});
  CHECK(source.reading() == 0);  // a chunk is used up when no record is found in it
  CHECK_FALSE(directory.take().has_value());
  CHECK(source.reading() == 2);
  CHECK(source.waiting() == 3);  // two others, and the first file again
  std::size_t rest = 0;
  while (!source.caught_up()) {
    directory.answer();
    while (directory.take()) ++rest;
    REQUIRE(source.reading() <= 2);
  }
  CHECK(rest == 16);
}

TEST_CASE("C-09 lagging files get half of the chunks, and one at least; fresh files come first") {
  const std::uint32_t max_reads = GENERATE(1U, 2U, 3U, 4U, 5U);
  CAPTURE(max_reads);
  Directory directory(std::vector<std::size_t>(8, 6), max_reads);
  RecordSource& source = directory.source();
  // Each file turns out to lag when its first record is taken, but for the last two.
  std::size_t taken = 0;
  std::size_t most_of_backlog = 0;
  std::vector<bool> lags(8, false);
  for (int round = 0; round < 200 && !source.caught_up(); ++round) {
    std::size_t reads_of_backlog = 0;
    for (const auto& pending : directory.context.pending) {
      for (std::uint32_t file = 0; file < 8; ++file) {
        if (pending.request.file == source.name_of(file) && lags[file]) ++reads_of_backlog;
      }
    }
    // Chunks that were read before a file lagged do not count: none is held at this point.
    most_of_backlog = std::max(most_of_backlog, reads_of_backlog);
    REQUIRE(source.reading() <= max_reads);
    directory.answer();
    while (const auto record = source.next()) {
      ++taken;
      const std::uint32_t file = record->place.file;
      const auto place = record->place;
      lags[file] = file < 6;
      source.put(place, lags[file] ? Lane::backlog : Lane::front);
      source.settle(place);
    }
    source.pump(directory.context);
  }
  CHECK(taken == 8 * 6);
  CHECK(most_of_backlog == std::max(max_reads / 2, 1U));
}

TEST_CASE("C-09 a chunk whose records wait in either lane counts towards the cap") {
  Directory directory({4, 4, 4, 4}, 2);
  RecordSource& source = directory.source();
  directory.answer();
  const Lane waits = GENERATE(Lane::front, Lane::backlog);
  const auto first = source.next();
  REQUIRE(first->place.file == 0);
  source.put(first->place, Lane::backlog);
  source.pump(directory.context);
  CHECK(source.reading() == 0);
  // The other lane's chunk is used up: one read takes its place.
  const Lane used = waits == Lane::front ? Lane::backlog : Lane::front;
  while (source.next(used)) {
  }
  source.pump(directory.context);
  CHECK(source.reading() == 1);
}

TEST_CASE("C-09 a lane hands out its own records alone") {
  Directory directory({3, 3}, 2, 4);
  RecordSource& source = directory.source();
  directory.answer();
  const auto first = source.next(Lane::front);
  REQUIRE(first.has_value());
  CHECK(first->place.file == 0);
  source.put(first->place, Lane::backlog);
  for (int i = 0; i < 3; ++i) CHECK(source.next(Lane::front)->place.file == 1);
  CHECK_FALSE(source.next(Lane::front).has_value());
  for (int i = 0; i < 2; ++i) CHECK(source.next(Lane::backlog)->place.file == 0);
  CHECK_FALSE(source.next().has_value());
}

}  // namespace photon::logs
