// The log file map as a value: which events get an entry, and where a search for an id must read.
#include "core_impl/photon/event_store/log_file_map.h"

#include <set>

#include "core_impl/photon/event_store/map_emitter.h"
#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace photon::testing;
using namespace std::chrono_literals;

struct Mapped {
  LogFileMap map;
  std::vector<MapEntry> entries;
};

Mapped map_of(const PrimaryLog& log, const MapSpacing& spacing) {
  Mapped mapped{LogFileMap(spacing), {}};
  std::map<logs::LogFile, MapEmitter> emitters;
  for (const Written& event : log.events) {
    if (!emitters[event.file].needs_entry(event.id, event.begin, spacing)) continue;
    mapped.entries.push_back({event.id, event.file.number(), event.begin});
    mapped.map.put(mapped.entries.back());
  }
  return mapped;
}

// Whether some piece of the plan holds the event, and how many bytes precede it there.
std::optional<std::uint64_t> bytes_before(const LogFileMap& map, const Written& event) {
  PooledVector<LogPiece> pieces;
  map.plan(event.id, pieces);
  for (const LogPiece& piece : pieces) {
    if (piece.file == event.file.number() && piece.begin <= event.begin &&
        event.begin < piece.end) {
      return event.begin - piece.begin;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("E-10 E-11 entries follow event time and bytes, whichever comes first") {
  const MapSpacing spacing{10s, 1000, 0ns};
  MapEmitter emitter;
  CHECK(emitter.needs_entry(event_at(1, 1, 0s), 0, spacing));  // E-12: first of the stream
  CHECK_FALSE(emitter.needs_entry(event_at(1, 1, 9s), 100, spacing));
  CHECK(emitter.needs_entry(event_at(1, 2, 9s), 150, spacing));  // another stream of the file
  CHECK(emitter.needs_entry(event_at(1, 1, 10s), 200, spacing));
  CHECK_FALSE(emitter.needs_entry(event_at(1, 1, 11s), 1199, spacing));
  CHECK(emitter.needs_entry(event_at(1, 1, 12s), 1200, spacing));
  CHECK_FALSE(emitter.needs_entry(event_at(1, 1, 13s), 1300, spacing));
}

TEST_CASE("E-13 E-17 every event of a log with disorder lies in the plan for its id") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4);
  for (const Duration disorder : {Duration(0), Duration(50ms), Duration(3s), Duration(25s)}) {
    for (const Duration interval : {Duration(0), Duration(200ms), Duration(10s)}) {
      for (const std::uint64_t bytes : {std::uint64_t{300}, std::uint64_t{1} << 20U}) {
        const MapSpacing spacing{interval, bytes, disorder};
        LogShape shape;
        shape.seed = seed;
        shape.disorder = disorder;
        const PrimaryLog log = make_log(shape);
        const LogFileMap map = map_of(log, spacing).map;
        INFO("seed " << seed << " disorder " << disorder.count() << " W " << interval.count()
                     << " M " << bytes);
        for (const Written& event : log.events) {
          INFO("stamp " << nanoseconds_of(event.id.stamp) << " file " << event.file.sequence);
          REQUIRE(bytes_before(map, event).has_value());
        }
      }
    }
  }
}

TEST_CASE("E-14 without disorder the target is less than M bytes after the start of its piece") {
  LogShape shape;
  shape.gap = 1ms;
  const PrimaryLog log = make_log(shape);
  const MapSpacing spacing{10s, 2000, 0ns};
  const LogFileMap map = map_of(log, spacing).map;
  for (const Written& event : log.events) {
    const auto before = bytes_before(map, event);
    REQUIRE(before.has_value());
    CHECK(*before < 2000);
  }
}

TEST_CASE("E-12 the second event of a new file is found although the stream is old") {
  PrimaryLog log;
  log.add(event_at(4, 1, 100s), {logs::LogType::primary, 4, 0});
  log.add(event_at(4, 1, 101s), {logs::LogType::primary, 4, 1});
  log.add(event_at(4, 1, 102s), {logs::LogType::primary, 4, 1});
  const LogFileMap map = map_of(log, MapSpacing{}).map;
  CHECK(bytes_before(map, log.events[2]).has_value());
}

TEST_CASE("E-18 puts are idempotent and may arrive in any order") {
  const PrimaryLog log = make_log(LogShape{});
  const MapSpacing spacing{1s, 2000, 0ns};
  const Mapped mapped = map_of(log, spacing);
  LogFileMap again(spacing);
  for (std::size_t i = mapped.entries.size(); i-- > 0;) again.put(mapped.entries[i]);
  for (const MapEntry& entry : mapped.entries) again.put(entry);
  CHECK(again.size() == mapped.map.size());
  CHECK(again.size() == mapped.entries.size());
  for (const MapEntry& entry : mapped.entries) CHECK(again.holds(entry));
  for (const Written& event : log.events) CHECK(bytes_before(again, event).has_value());
}

TEST_CASE("E-18 an entry for a known id replaces the one before it") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  const EventId id = event_at(1, 1, 1000s);
  const MapEntry before{id, 3, 100};
  const MapEntry present{id, 4, 200};
  map.put(before);
  map.put(present);
  CHECK(map.size() == 1);
  CHECK_FALSE(map.holds(before));
  CHECK(map.holds(present));
  PooledVector<LogPiece> pieces;
  map.plan(id, pieces);
  REQUIRE(pieces.size() == 1);
  CHECK(pieces.front().file == present.file);
  CHECK(pieces.front().begin == present.offset);
  CHECK(pieces.front().certainty == Certainty::certain);
}

TEST_CASE("E-16 an id far from every entry, of an unknown stream, or null has no plan") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  map.put({event_at(1, 1, 1000s), 3, 0});
  PooledVector<LogPiece> pieces;
  for (const EventId& id : {event_at(1, 1, 1020s), event_at(1, 1, 990s), event_at(1, 2, 1000s),
                            event_at(2, 1, 1000s), EventId{}}) {
    map.plan(id, pieces);
    CHECK(pieces.empty());
  }
  map.plan(event_at(1, 1, 1001s), pieces);
  CHECK(pieces.size() == 1);
}

TEST_CASE("E-15 a smaller W makes a larger map and shorter searches") {
  const PrimaryLog log = make_log(LogShape{});
  std::size_t entries = 0;
  std::uint64_t longest = ~std::uint64_t{0};
  for (const Duration interval : {Duration(20s), Duration(2s), Duration(0)}) {
    const LogFileMap map = map_of(log, MapSpacing{interval, 1U << 20U, 0ns}).map;
    std::uint64_t most = 0;
    for (const Written& event : log.events) most = std::max(most, bytes_before(map, event).value());
    CHECK(map.size() > entries);
    CHECK(most < longest);
    entries = map.size();
    longest = most;
  }
  CHECK(entries == log.events.size());  // E-19: W = 0 maps every event
}

namespace {

// One process, one file, an event of 100 bytes or so every `gap`.
PrimaryLog steady(std::size_t events, Duration gap) {
  PrimaryLog log;
  for (std::size_t i = 0; i < events; ++i) {
    const EventId id = event_at(4, 1, 100s + static_cast<int>(i) * gap);
    log.add(id, {logs::LogType::primary, 4, 0});
  }
  return log;
}

}  // namespace

TEST_CASE("G-23 map entries a second are min(events, max(1/W, bytes/M)), within 5 percent") {
  const auto gap = GENERATE(Duration(20ms), Duration(100ms));
  const PrimaryLog log = steady(6000, gap);
  const double seconds = 6000 * static_cast<double>(gap.count()) / 1e9;
  const double rate = 6000 / seconds;
  const double bytes = static_cast<double>(log.events.back().end) / seconds;
  for (const Duration interval : {Duration(0), Duration(1ms), Duration(5s), Duration(40s)}) {
    for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{4000}, std::uint64_t{40'000},
                                     std::uint64_t{10'000'000}}) {
      const MapSpacing spacing{interval, most, 0ns};
      const double entries = static_cast<double>(map_of(log, spacing).entries.size()) / seconds;
      const double by_time = interval > 0ns ? 1e9 / static_cast<double>(interval.count()) : rate;
      const double expected = std::min(rate, std::max(by_time, bytes / static_cast<double>(most)));
      INFO("W " << interval.count() << " ns, M " << most << ", rate " << rate);
      CHECK(entries == Approx(expected).epsilon(0.05).margin(2 / seconds));
    }
  }
}

TEST_CASE(
    "E-19 with W = 0 every event has an entry of its own, and each look-up reads one record") {
  const PrimaryLog log = steady(500, 20ms);
  const MapSpacing spacing{0ns, std::uint64_t{1} << 20U, 0ns};
  const Mapped mapped = map_of(log, spacing);
  CHECK(mapped.entries.size() == log.events.size());
  for (const Written& event : log.events) {
    PooledVector<LogPiece> pieces;
    mapped.map.plan(event.id, pieces);
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].begin == event.begin);
    CHECK(pieces[0].certainty == Certainty::certain);
  }
}

TEST_CASE("G-23 E-14 a look-up reads no more than M, one record, and what the disorder may hold") {
  const Duration disorder = GENERATE(Duration(0), Duration(50ms), Duration(2s));
  const MapSpacing spacing{4s, 3000, disorder};
  LogShape shape;
  shape.events = 3000;
  shape.processes = 1;
  shape.events_per_file = 3000;
  shape.disorder = disorder;
  const PrimaryLog log = make_log(shape);
  const Mapped mapped = map_of(log, spacing);
  std::uint64_t longest = 0;
  for (const Written& event : log.events) longest = std::max(longest, event.end - event.begin);
  // In twice the disorder, on both sides of the target, this number of bytes is written.
  const double rate =
      static_cast<double>(log.events.back().end) * 1e9 /
      static_cast<double>((log.events.back().id.stamp - log.events.front().id.stamp).count());
  const double slack = 4 * rate * static_cast<double>(disorder.count()) / 1e9;
  const double most = static_cast<double>(spacing.interval_bytes + longest) + 1.3 * slack +
                      (disorder > 0ns ? static_cast<double>(longest) * 10 : 0.0);
  for (const Written& event : log.events) {
    const auto before = bytes_before(mapped.map, event);
    REQUIRE(before.has_value());
    CHECK(static_cast<double>(*before + event.end - event.begin) <= most);
  }
}

namespace {

std::uint32_t file_of(std::uint16_t sequence) {
  return logs::LogFile{logs::LogType::primary, 1, sequence}.number();
}

std::vector<std::uint32_t> planned_files(const LogFileMap& map, Duration stamp) {
  PooledVector<LogPiece> pieces;
  map.plan(event_at(1, 1, stamp), pieces);
  std::vector<std::uint32_t> files;
  for (const LogPiece& piece : pieces) files.push_back(piece.file);
  return files;
}

LogPiece only_piece(const LogFileMap& map, Duration stamp) {
  PooledVector<LogPiece> pieces;
  map.plan(event_at(1, 1, stamp), pieces);
  REQUIRE(pieces.size() == 1);
  return pieces.front();
}

}  // namespace

TEST_CASE("E-18 a file is as long as its last entry says, in whatever order the entries come") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  for (const std::uint64_t offset : {40, 100, 70}) {
    map.put({event_at(1, 1, 100s + Duration(offset)), file_of(0), offset});
  }
  CHECK(map.mapped_until(file_of(0)) == 100);
  CHECK(map.has_outrun(file_of(0), 99));
  CHECK(map.has_outrun(file_of(0), 100));  // the record there is lost as well
  CHECK_FALSE(map.has_outrun(file_of(0), 101));
  CHECK(map.mapped_until(file_of(1)) == 0);
  CHECK_FALSE(map.has_outrun(file_of(1), 0));
  CHECK(map.size() == 3);
  CHECK(map.version() == 3);
  const EventId known = event_at(1, 1, 100s + Duration(40));
  CHECK(map.holds({known, file_of(0), 40}));
  CHECK_FALSE(map.holds({known, file_of(0), 41}));
  CHECK_FALSE(map.holds({known, file_of(1), 40}));
  CHECK_FALSE(map.holds({event_at(1, 1, 100s + Duration(41)), file_of(0), 40}));
}

TEST_CASE("E-17 J-S19 an entry was written before or after a target if they are delta apart") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  map.put({event_at(1, 1, 100s), file_of(0), 10});
  map.put({event_at(1, 1, 200s), file_of(1), 20});
  map.put({event_at(1, 1, 300s), file_of(1), 90});
  const auto at = [](Duration stamp) { return event_at(1, 1, stamp); };
  // Between entries of two files: not mapped for certain, and in either of them.
  CHECK_FALSE(map.has_passed(at(150s)));
  CHECK(map.may_hold(file_of(0), at(150s)));
  CHECK(map.may_hold(file_of(1), at(150s)));
  CHECK_FALSE(map.may_hold(file_of(2), at(150s)));
  CHECK(map.not_before(file_of(0), at(150s)) == 10);
  CHECK(map.not_before(file_of(1), at(150s)) == 0);
  CHECK(map.has_passed(at(250s)));
  CHECK_FALSE(map.may_hold(file_of(0), at(250s)));
  CHECK(map.may_hold(file_of(1), at(250s)));
  CHECK(map.not_before(file_of(1), at(250s)) == 20);
  // At the ends of the stream, and for another one.
  CHECK_FALSE(map.has_passed(at(50s)));
  CHECK_FALSE(map.has_passed(at(350s)));
  CHECK(map.may_hold(file_of(7), at(350s)));
  CHECK_FALSE(map.has_passed(event_at(1, 2, 250s)));
  CHECK(map.may_hold(file_of(0), event_at(1, 2, 250s)));
  // The limit: stamps that are delta apart may be inverted.
  CHECK_FALSE(map.has_passed(at(200s + 50ms)));
  CHECK(map.has_passed(at(200s + 50ms + 1ns)));
  CHECK(map.has_passed(at(300s - 50ms - 1ns)));
  CHECK_FALSE(map.has_passed(at(300s - 50ms)));
}

TEST_CASE("E-13 E-17 the limits of the range of entries, and of the piece that they bound") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  map.put({event_at(1, 1, 95s), file_of(0), 300});
  // W + delta above the entry, and delta below it, but no further.
  CHECK(planned_files(map, 105s + 50ms) == std::vector{file_of(0)});
  CHECK(planned_files(map, 105s + 50ms + 1ns).empty());
  CHECK(planned_files(map, 95s - 50ms) == std::vector{file_of(0)});
  CHECK(planned_files(map, 95s - 50ms - 1ns).empty());

  map.put({event_at(1, 1, 104s), file_of(0), 800});
  map.put({event_at(1, 1, 120s), file_of(0), 1700});
  const LogPiece after = only_piece(map, 104s + 51ms);
  CHECK(after.begin == 800);  // the entry is so much older that it was written earlier
  CHECK(after.has_earlier);
  CHECK(after.mapped == 800);
  CHECK(after.end == 1700);  // the entry above the range comes before M bytes are over
  CHECK(after.certainty == Certainty::possible);
  const LogPiece near = only_piece(map, 104s + 50ms);
  CHECK(near.begin == 300);  // the entry at 800 may have been written later
  CHECK(near.has_earlier);
  const LogPiece first = only_piece(map, 95s + 50ms);
  CHECK(first.begin == 300);
  CHECK_FALSE(first.has_earlier);
  CHECK(first.mapped == 300);
  CHECK(first.end == 800);
  const LogPiece last = only_piece(map, 121s);
  CHECK(last.begin == 1700);
  CHECK(last.end == 2700);  // M bytes after the last entry
  const LogPiece own = only_piece(map, 104s);
  CHECK(own.certainty == Certainty::certain);
  CHECK(own.begin == 800);
  CHECK(own.mapped == 800);
  CHECK(own.end == 801);
}

TEST_CASE("E-17 files are searched nearest first, and do not bound each other") {
  LogFileMap map(MapSpacing{10s, 1000, 50ms});
  map.put({event_at(1, 1, 95s), file_of(0), 5000});
  map.put({event_at(1, 1, 98s), file_of(1), 40});
  map.put({event_at(1, 1, 99s + 40ms), file_of(2), 10});
  map.put({event_at(1, 1, 110s), file_of(3), 5100});
  PooledVector<LogPiece> pieces;
  map.plan(event_at(1, 1, 99s), pieces);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].file == file_of(1));
  CHECK(pieces[1].file == file_of(0));
  CHECK(pieces[2].file == file_of(2));  // after the target, but not for certain
  CHECK(pieces[1].end == 6000);
}

}  // namespace photon
