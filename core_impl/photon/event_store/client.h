// Looks queries up in the EventStore on behalf of the process that embeds it (the joiner).
//
// The cache node that owns the id is asked first; on a miss, or when it stays silent, the log store
// is asked, and only its answer counts as not_found (E-02, E-08). A look-up that gets no answer
// ends with `error`, never with not_found (D-04); so does a record with another id than the one
// asked for (J-S19). Nothing is remembered between look-ups (E-03). Each look-up ends exactly once.
//
// No time-out can know how long a search of the logs takes: with much disorder in small files it
// reads hundreds of them. So the client waits as long as the log store reports progress. A repeated
// request would begin the search anew and take as long.
//
// The owner forwards QueryReply and QueryProgress messages and its timer, and then takes results
// until none is left:
//   void on(Context& c, NodeId from, const QueryReply& r) { client_.on_reply(c, r); drain(c); }
//   on_timer(c, options.timer): client_.on_timer(c); drain(c);
//   drain: while (auto result = client_.take_result()) ...
//
// Paper: Photon section 3.4; SPEC E-01..E-03, E-08, D-03, D-04, J-S19.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/photon/event_store/hash_ring.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/rpc/in_flight.h"
#include "core_impl/rpc/open_requests.h"

namespace photon {

class EventStoreClient {
 public:
  struct Outcome {
    std::uint64_t tag = 0;  // as given to `lookup`
    EventId query;
    QueryStatus status = QueryStatus::error;
    QueryTier tier = QueryTier::cache;  // that answered
    Payload payload{};                  // if found
  };
  struct Statistics {
    std::uint64_t cache_hits = 0;
    std::uint64_t cache_misses = 0;
    std::uint64_t cache_timeouts = 0;
    std::uint64_t log_timeouts = 0;
    std::uint64_t wrong_records = 0;  // records with another id than the one asked for
  };

  explicit EventStoreClient(const EventStoreClientOptions& options);

  // Starts a look-up; `tag` is the owner's own correlation, returned in the outcome.
  void lookup(Context& context, const EventId& query, std::uint64_t tag);
  // Late and duplicate replies are recognised and ignored.
  void on_reply(Context& context, const QueryReply& reply);
  void on_progress(Context& context, const QueryProgress& progress);
  void on_timer(Context& context);
  std::optional<Outcome> take_result();

  std::size_t in_flight() const { return lookups_.size(); }
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Lookup {
    EventId query;
    std::uint64_t tag = 0;
    std::uint64_t request = 0;  // its number, the same in both tiers
    QueryTier tier = QueryTier::cache;
  };
  using Handle = rpc::InFlight<Lookup>::Handle;

  void ask(Context& context, Handle handle, QueryTier tier);
  void await(Context& context, Handle handle);
  void finish(Handle handle, QueryStatus status, const Payload& payload);

  EventStoreClientOptions options_;
  HashRing ring_;
  rpc::InFlight<Lookup> lookups_;
  rpc::OpenRequests requests_;
  PooledDeque<Outcome> results_;
  Statistics statistics_;
};

}  // namespace photon
