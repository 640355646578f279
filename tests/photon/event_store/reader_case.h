// A reader of primary logs with its volumes, and what it sends, claims and saves.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/logs/primary_view.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/event_store/reader.h"
#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/catch.h"

namespace photon::testing {

using namespace std::chrono_literals;

inline constexpr logs::LogFile kFirst{logs::LogType::primary, 4, 0};

struct Reader {
  static constexpr NodeId kSelf{1};
  static constexpr NodeId kMap{2};  // the log store

  FakeContext context{kSelf};
  EventStoreReaderOptions config;
  std::unique_ptr<EventStoreReader> node;

  explicit Reader(const MapSpacing& spacing = {}) {
    config.logs = kLogs;
    config.cell = kCell;
    config.log_store = kMap;
    config.cache_nodes = {NodeId{10}, NodeId{11}, NodeId{12}};
    config.spacing = spacing;
  }
  void start() {
    node = std::make_unique<EventStoreReader>(config);
    node->on_start(context);
    context.complete_all(*node);
  }
  void show(const PrimaryLog& log, std::size_t visible_of_last = ~std::size_t{0}) {
    context.disks[kLogs] = log.disk();
    if (context.disks[kLogs].empty()) return;
    Bytes& last = context.disks[kLogs].rbegin()->second;
    last.resize(std::min(last.size(), visible_of_last));
  }
  void poll() {
    context.fire(*node, EventStoreReader::kPollTimer);
    context.complete_all(*node);
  }
  // The puts in the order they were first sent.
  std::vector<MapPut> puts() const {
    std::vector<MapPut> all;
    for (const auto& [to, put] : context.sent_of<MapPut>()) {
      if (all.empty() || put.request > all.back().request) all.push_back(put);
    }
    return all;
  }
  void acknowledge(std::uint64_t request) {
    node->on_message(context, kMap, Body::make(MapPutDone{request}));
  }
  void acknowledge_all() {
    for (const auto& [to, put] : context.sent_of<MapPut>()) acknowledge(put.request);
  }
  std::vector<MapEntry> entries() const {
    std::vector<MapEntry> all;
    for (const MapPut& put : puts()) {
      all.insert(all.end(), put.entries.begin(), put.entries.end());
    }
    return all;
  }
  // Ids in the fills sent, in order, per cache node.
  std::vector<EventId> filled() const {
    std::vector<EventId> ids;
    for (const auto& [to, fill] : context.sent_of<CacheFill>()) {
      std::span<const std::byte> rest = fill.batch.records();
      while (!rest.empty()) {
        const RecordView view = view_record(rest);
        REQUIRE(view.status == RecordStatus::complete);
        const auto event = logs::view_primary(view.body);
        REQUIRE(event.has_value());
        CHECK(Payload(event->payload) == payload_of(event->id));
        CHECK(HashRing(config.cache_nodes).owner(event->id) == to);
        ids.push_back(event->id);
        rest = rest.subspan(view.size);
      }
    }
    return ids;
  }
  std::uint64_t claimed(logs::LogFile file) const {
    std::uint64_t reach = 0;
    for (const auto& progress : context.decided<trace::ReaderProgress>()) {
      if (progress.file == file.number()) reach = progress.offset;
    }
    return reach;
  }
  std::uint64_t saved(logs::LogFile file) const {
    const auto disk = context.disks.find(kCell);
    if (disk == context.disks.end()) return 0;
    if (!disk->second.contains(text(event_store_offsets_file(kSelf)))) return 0;
    for (const auto& one : saved_state().files) {
      if (one.file == file.number()) return one.offset;
    }
    return 0;
  }
  ReaderState saved_state() const {
    ReaderState state;
    const Bytes& bytes = context.disks.at(kCell).at(text(event_store_offsets_file(kSelf)));
    REQUIRE(decode_record(view_record(bytes).body, state));
    return state;
  }
};

}  // namespace photon::testing
