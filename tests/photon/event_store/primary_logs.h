// Primary logs for tests of the EventStore: several processes of one server write into a sequence
// of files, approximately in the order of their stamps.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/photon/event_store/options.h"
#include "tests/support/fake_context.h"

namespace photon::testing {

inline constexpr VolumeId kLogs{1};
inline constexpr VolumeId kCell{2};

inline std::string text(const FileName& name) { return {name.data(), name.size()}; }

inline EventId event_at(std::uint32_t server, std::uint32_t process, Duration stamp) {
  return {server, process, Stamp(stamp)};
}

// The payload of a query is a function of its id, so that a wrong or cut payload is recognised.
inline Bytes payload_of(const EventId& id) {
  const RandomStream random(hash_of(id), Purpose::test, 0);
  Bytes payload(20 + uniform_below(random.word(0), 60));
  for (std::size_t i = 0; i < payload.size(); ++i) {
    payload[i] = static_cast<std::byte>(random.word(1 + i) & 0xffU);
  }
  return payload;
}

struct Written {
  EventId id;
  logs::LogFile file;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct PrimaryLog {
  std::vector<Written> events;  // in file order
  std::map<logs::LogFile, Bytes> files;

  void add(const EventId& id, logs::LogFile file) {
    Bytes& bytes = files[file];
    const std::uint64_t begin = bytes.size();
    append_encoded(logs::PrimaryEvent{id, payload_of(id)}, bytes);
    events.push_back({id, file, begin, bytes.size()});
  }
  FakeDisk disk() const {
    FakeDisk all;
    for (const auto& [file, bytes] : files) all[text(file.name())] = bytes;
    return all;
  }
};

struct LogShape {
  std::uint64_t seed = 1;
  std::size_t events = 600;
  std::uint32_t processes = 3;
  Duration gap = std::chrono::milliseconds(40);  // mean between events
  Duration disorder{};                           // largest inversion of stamps inside a file
  std::size_t events_per_file = 250;
};

// Stamps grow; then each event is written at its stamp plus a delay of up to `disorder`, so two
// events are inverted by at most that. Files are cut by count, after the order is fixed.
inline PrimaryLog make_log(const LogShape& shape) {
  const RandomStream random(shape.seed, Purpose::test, 9);
  struct Draft {
    Duration written;
    EventId id;
  };
  std::vector<Draft> drafts;
  Duration at = std::chrono::seconds(100);
  const auto below = [&random](std::uint64_t ordinal, Duration bound) {
    return Duration(
        uniform_below(random.word(ordinal), static_cast<std::uint64_t>(bound.count()) + 1));
  };
  for (std::uint64_t i = 0; i < shape.events; ++i) {
    at += Duration(1) + below(4 * i, 2 * shape.gap);
    if (i % 150 == 149) at += 30 * shape.gap;  // pauses
    const auto process =
        static_cast<std::uint32_t>(1 + uniform_below(random.word(4 * i + 1), shape.processes));
    drafts.push_back({at + below(4 * i + 2, shape.disorder), event_at(4, process, at)});
  }
  std::ranges::stable_sort(drafts, {}, &Draft::written);
  PrimaryLog log;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    log.add(drafts[i].id,
            {logs::LogType::primary, 4, static_cast<std::uint16_t>(i / shape.events_per_file)});
  }
  return log;
}

}  // namespace photon::testing
