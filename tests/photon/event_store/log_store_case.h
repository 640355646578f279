// A log store with its volumes, alive or restarted, and what its tests ask of it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/event_store/log_store.h"
#include "core_impl/photon/event_store/map_emitter.h"
#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/catch.h"

namespace photon::testing {

using namespace std::chrono_literals;

inline constexpr NodeId kStore{2};
inline constexpr NodeId kReader{1};
inline constexpr NodeId kAsker{20};

struct Store {
  FakeContext context{kStore};
  LogStoreOptions config;
  std::unique_ptr<LogStore> node;
  std::uint64_t requests = 0;

  explicit Store(const MapSpacing& spacing = {}) {
    config.logs = kLogs;
    config.cell = kCell;
    config.spacing = spacing;
  }
  void start() {
    node = std::make_unique<LogStore>(config);
    node->on_start(context);
  }
  void start_and_recover() {
    start();
    context.complete_all(*node);
    REQUIRE(node->is_ready());
  }
  void restart(std::size_t kept = 0) {
    context.crash(kept);
    start_and_recover();
  }
  void put(const std::vector<MapEntry>& entries, std::uint64_t request = 1) {
    MapPut message{request, {}};
    message.entries.assign(entries.begin(), entries.end());
    node->on_message(context, kReader, Body::make(std::move(message)));
  }
  std::vector<MapEntry> entries_of(const PrimaryLog& log) const {
    std::map<logs::LogFile, MapEmitter> emitters;
    std::vector<MapEntry> entries;
    for (const Written& event : log.events) {
      if (emitters[event.file].needs_entry(event.id, event.begin, config.spacing)) {
        entries.push_back({event.id, event.file.number(), event.begin});
      }
    }
    return entries;
  }
  void put_all(const PrimaryLog& log) {
    put(entries_of(log));
    context.complete_all(*node);
  }
  // Each entry in a record of its own.
  void put_each(const PrimaryLog& log) {
    for (const MapEntry& entry : entries_of(log)) {
      put({entry});
      context.complete_all(*node);
    }
  }
  void ask(const EventId& id) {
    node->on_message(context, kAsker, Body::make(QueryRequest{++requests, id, QueryTier::logs}));
  }
  QueryReply lookup(const EventId& id) {
    context.sent.clear();
    ask(id);
    context.complete_all(*node);
    const auto replies = context.sent_of<QueryReply>();
    REQUIRE(replies.size() == 1);
    CHECK(replies.front().second.request == requests);
    CHECK(replies.front().second.query == id);
    CHECK(replies.front().second.tier == QueryTier::logs);
    return replies.front().second;
  }
  std::size_t acknowledged() const { return context.sent_of<MapPutDone>().size(); }
};

inline void check_found(Store& store, const Written& event) {
  const QueryReply reply = store.lookup(event.id);
  REQUIRE(reply.status == QueryStatus::found);
  CHECK(reply.returned == event.id);
  CHECK(reply.payload == payload_of(event.id));
}

}  // namespace photon::testing
