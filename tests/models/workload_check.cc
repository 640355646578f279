#include "tests/models/workload_check.h"

#include <algorithm>
#include <set>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "tests/support/catch.h"

namespace photon::models::testing {
namespace {

template <class Event>
std::vector<Decoded<Event>> decode(const Bytes& bytes) {
  std::vector<Decoded<Event>> out;
  for (std::size_t offset = 0; offset < bytes.size();) {
    const RecordView view = view_record(std::span(bytes).subspan(offset));
    REQUIRE(view.status == RecordStatus::complete);
    offset += view.size;
    Decoded<Event> decoded;
    REQUIRE(decode_record(view.body, decoded.event));
    decoded.end = offset;
    out.push_back(std::move(decoded));
  }
  return out;
}

struct Place {
  std::uint32_t file = 0;
  std::uint64_t end = 0;
  const Payload* payload = nullptr;
};

// Where every primary stands, from the bytes.
using Index = std::map<EventId, Place>;

void check_truth(const GeneratedClick& click, const logs::ForeignEvent& event, const Index& index) {
  const trace::ClickGenerated& truth = click.truth;
  REQUIRE(truth.click == event.id);
  REQUIRE(truth.query == event.primary);
  const auto query = index.find(event.primary);
  if (query == index.end()) {
    REQUIRE(truth.query_file == trace::ClickGenerated::kNoFile);
    return;
  }
  REQUIRE(truth.query_file == query->second.file);
  REQUIRE(truth.query_end == query->second.end);
  // The definition of A-02 and J-S15, written a second time.
  Bytes joined;
  Encoder encoder(joined);
  encoder(event.id, event.primary, event.payload, *query->second.payload);
  REQUIRE(truth.joined_hash == hash_bytes(joined));
}

}  // namespace

Bytes read_whole(EventLog& log, SimTime end) {
  Bytes out;
  log.read(0, log.length_before(end + Duration(1)), out);
  return out;
}

std::vector<Decoded<logs::PrimaryEvent>> decode_primaries(const Bytes& bytes) {
  return decode<logs::PrimaryEvent>(bytes);
}

std::vector<Decoded<logs::ForeignEvent>> decode_foreigns(const Bytes& bytes) {
  return decode<logs::ForeignEvent>(bytes);
}

WorkloadSummary check_workload(Workload& workload) {
  WorkloadSummary out;
  std::vector<std::vector<Decoded<logs::PrimaryEvent>>> primaries;
  std::map<std::pair<std::uint32_t, std::uint64_t>, logs::ForeignEvent> foreigns;  // (file, end)
  std::set<EventId> ids;
  for (const auto& log : workload.logs()) {
    const Bytes bytes = read_whole(*log, workload.end());
    if (log->file().type == logs::LogType::primary) {
      primaries.push_back(decode_primaries(bytes));
      out.queries += primaries.back().size();
      for (const auto& each : primaries.back()) {
        REQUIRE(ids.insert(each.event.id).second);
        REQUIRE(each.event.id.server == log->file().server);
      }
    } else {
      for (auto& each : decode_foreigns(bytes)) {
        REQUIRE(ids.insert(each.event.id).second);
        REQUIRE(each.event.id.server == log->file().server);
        foreigns[{log->file().number(), each.end}] = std::move(each.event);
      }
    }
  }
  Index index;
  std::size_t next = 0;
  for (const auto& log : workload.logs()) {
    if (log->file().type != logs::LogType::primary) continue;
    for (const auto& each : primaries[next]) {
      index[each.event.id] = {log->file().number(), each.end, &each.event.payload};
    }
    ++next;
  }
  SimTime last{};
  while (const auto click = workload.next_click()) {
    CAPTURE(out.clicks);
    REQUIRE(click->at >= last);
    last = click->at;
    const auto found = foreigns.find({click->truth.click_file, click->truth.click_end});
    REQUIRE(found != foreigns.end());
    check_truth(*click, found->second, index);
    if (click->truth.query_file == trace::ClickGenerated::kNoFile) {
      ++out.referring_to_nothing;
    } else {
      ++out.clicked[click->truth.query];
    }
    out.stamped_before_query += click->truth.click.stamp < click->truth.query.stamp ? 1 : 0;
    foreigns.erase(found);
    ++out.clicks;
  }
  REQUIRE(last < workload.end());
  REQUIRE(foreigns.empty());  // every click in the logs was announced
  return out;
}

// The event of random bytes is the one that stands there.
void check_events(EventLog& log, const Bytes& whole, const RandomStream& random) {
  for (std::uint32_t i = 0; i < 100 && !whole.empty(); ++i) {
    const std::uint64_t offset = uniform_below(random.word(i, 1), whole.size());
    StoredEvent event;
    log.event_at(offset, event);
    REQUIRE(event.begin <= offset);
    REQUIRE(offset < event.end);
    REQUIRE(event.begin == log.record_at(offset).begin);
    REQUIRE(event.id == log.record_at(offset).id);
    const bool primary = log.file().type == logs::LogType::primary;
    REQUIRE((event.kind == EventKind::primary) == primary);
    Bytes record;
    if (primary) {
      append_encoded(logs::PrimaryEvent{event.id, Payload(event.payload)}, record);
    } else {
      append_encoded(logs::ForeignEvent{event.id, event.primary, Payload(event.payload)}, record);
    }
    const auto there = std::span(whole).subspan(event.begin, event.end - event.begin);
    REQUIRE(std::ranges::equal(record, there));
  }
}

void check_random_reads(Workload& workload, std::uint64_t seed) {
  const RandomStream random(seed, Purpose::test, 0);
  std::uint64_t ordinal = 0;
  for (const auto& log : workload.logs()) {
    CAPTURE(seed, log->file().number());
    const Bytes whole = read_whole(*log, workload.end());
    for (int i = 0; i < 300; ++i) {
      const auto words = random.block(ordinal++);
      const std::uint64_t offset = uniform_below(words[0], whole.size() + 1);
      const std::uint64_t most =
          std::min<std::uint64_t>(whole.size() - offset, i % 3 == 0 ? 5000 : 90);
      const std::uint64_t length = uniform_below(words[1], most + 1);
      Bytes piece{std::byte{0x5a}};  // what is already there stays
      log->read(offset, length, piece);
      REQUIRE(piece.size() == length + 1);
      REQUIRE(piece[0] == std::byte{0x5a});
      REQUIRE(std::equal(piece.begin() + 1, piece.end(),
                         whole.begin() + static_cast<std::ptrdiff_t>(offset)));
    }
    check_events(*log, whole, random);
    // Lengths step exactly at generation times, always on a record boundary.
    SimTime at{};
    std::uint64_t length = 0;
    for (int i = 0; i < 200; ++i) {
      const auto next = log->next_generation(at);
      if (!next) break;
      REQUIRE(*next >= at);
      REQUIRE(log->length_before(*next) == length);
      const std::uint64_t longer = log->length_before(*next + Duration(1));
      REQUIRE(longer > length);
      length = longer;
      at = *next + Duration(1);
    }
  }
}

}  // namespace photon::models::testing
