// One node of the CacheEventStore: a volatile, best-effort share of the recent queries.
//
// It answers from its memory and otherwise says not_found{cache}, which only means "ask the logs":
// it does not know whether the query exists (E-03, E-08). It never remembers a miss. A crash
// empties it.
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
  PooledVector<logs::PrimaryView> batch_;  // events of the present fill; views into its message
};

}  // namespace photon
