// One node of the CacheEventStore: a volatile, best-effort share of the recent queries.
//
// It answers what it holds and says not_found{cache} otherwise, which means "ask the logs" and
// nothing else: it has no opinion about whether the query exists (E-03, E-08). Nothing negative is
// ever remembered. A crash empties it.
//
// Paper: Photon section 3.4.1; SPEC E-05..E-09.
#pragma once

#include "core_impl/logs/primary_view.h"
#include "core_impl/photon/event_store/lru_cache.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/runtime/accepts.h"

namespace photon {

class CacheNode final : public Node {
 public:
  using Inbox = Accepts<QueryRequest, CacheFill>;
  struct Statistics {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t filled = 0;
    std::uint64_t malformed = 0;  // bytes of a fill that are no primary record
  };

  explicit CacheNode(const CacheNodeOptions& options)
      : options_(options), cache_(options.capacity_bytes) {}

  void on_start(Context&) override {}
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context&, Ticket, IoResult&) override {}

  void on(Context& context, NodeId from, const QueryRequest& request);
  void on(Context& context, NodeId from, const CacheFill& fill);

  const Statistics& statistics() const { return statistics_; }
  const LruCache& cache() const { return cache_; }

 private:
  CacheNodeOptions options_;
  LruCache cache_;
  Statistics statistics_;
  PooledVector<logs::PrimaryView> batch_;  // what the fill at hand holds; views into its message
};

}  // namespace photon
