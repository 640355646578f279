#include "core_impl/photon/event_store/client.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

EventStoreClient::EventStoreClient(const EventStoreClientOptions& options)
    : options_(options), ring_(options.cache_nodes), lookups_(options.timer) {
  PHOTON_CHECK(options.log_store != kNoNode, "the logs are the tier that decides");
  PHOTON_CHECK(options.cache_timeout > Duration::zero() && options.log_timeout > Duration::zero(),
               "an answer takes time");
}

void EventStoreClient::lookup(Context& context, const EventId& query, std::uint64_t tag) {
  const QueryTier first = ring_.empty() ? QueryTier::logs : QueryTier::cache;
  const Handle handle = lookups_.begin(Lookup{query, tag, 0, first});
  // A reply to an earlier life matches no request: it may be older than what the log store
  // knows now.
  lookups_.find(handle)->request = requests_.open(context, handle);
  ask(context, handle, first);
}

void EventStoreClient::ask(Context& context, Handle handle, QueryTier tier) {
  PHOTON_CHECK(lookups_.find(handle) != nullptr, "a look-up is asked while it is open");
  Lookup& asked = *lookups_.find(handle);
  asked.tier = tier;
  const bool cached = tier == QueryTier::cache;
  PHOTON_CHECK(!cached || !ring_.empty(), "a cache is asked where there is one");
  context.send(cached ? ring_.owner(asked.query) : options_.log_store,
               Body::make(QueryRequest{asked.request, asked.query, tier}));
  await(context, handle);
}

void EventStoreClient::await(Context& context, Handle handle) {
  const bool cached = lookups_.find(handle)->tier == QueryTier::cache;
  const Duration timeout = cached ? options_.cache_timeout : options_.log_timeout;
  lookups_.await(context, handle, rpc::Waiting::for_reply, context.now() + timeout);
}

void EventStoreClient::finish(Handle handle, QueryStatus status, const Payload& payload) {
  PHOTON_CHECK(lookups_.find(handle) != nullptr, "a look-up ends once");
  const Lookup& asked = *lookups_.find(handle);
  results_.push_back({asked.tag, asked.query, status, asked.tier, payload});
  requests_.close(asked.request);
  lookups_.end(handle);
}

void EventStoreClient::on_reply(Context& context, const QueryReply& reply) {
  const Handle handle = requests_.find(reply.request);
  Lookup* asked = lookups_.find(handle);
  if (asked == nullptr || asked->query != reply.query) {
    PHOTON_MARK("event_store.answer.late");
    return;
  }
  // A late answer of the cache counts if it is a hit, and means nothing otherwise.
  if (reply.tier != asked->tier && reply.status != QueryStatus::found) {
    PHOTON_MARK("event_store.answer.late_miss_of_the_cache");
    return;
  }
  QueryStatus status = reply.status;
  if (status == QueryStatus::found && reply.returned != asked->query) {
    // A sound log store answers with the record that it was asked for.
    PHOTON_MARK("event_store.answer.wrong_record");
    ++statistics_.wrong_records;
    status = QueryStatus::error;
  }
  if (reply.tier == QueryTier::cache) {
    ++(status == QueryStatus::found ? statistics_.cache_hits : statistics_.cache_misses);
    if (status != QueryStatus::found) {
      if (asked->tier == QueryTier::cache) {
        PHOTON_MARK("event_store.cache.miss_goes_to_logs");
        ask(context, handle, QueryTier::logs);
      }
      return;
    }
  }
  if (reply.tier != asked->tier) PHOTON_MARK("event_store.answer.late_hit_of_the_cache");
  asked->tier = reply.tier;
  finish(handle, status, reply.payload);
}

void EventStoreClient::on_progress(Context& context, const QueryProgress& progress) {
  const Handle handle = requests_.find(progress.request);
  const Lookup* asked = lookups_.find(handle);
  if (asked == nullptr || asked->query != progress.query) {
    PHOTON_MARK("event_store.progress.late");
    return;
  }
  PHOTON_MARK("event_store.progress.waits_on");
  await(context, handle);
}

void EventStoreClient::on_timer(Context& context) {
  lookups_.on_timer();
  while (const auto due = lookups_.take_due(context.now())) {
    if (lookups_.find(due->handle)->tier == QueryTier::cache) {
      PHOTON_MARK("event_store.cache.silent");
      ++statistics_.cache_timeouts;
      ask(context, due->handle, QueryTier::logs);
    } else {
      PHOTON_MARK("event_store.logs.silent");
      ++statistics_.log_timeouts;
      finish(due->handle, QueryStatus::error, {});
    }
  }
  lookups_.rearm(context);
}

std::optional<EventStoreClient::Outcome> EventStoreClient::take_result() {
  if (results_.empty()) return std::nullopt;
  Outcome outcome = std::move(results_.front());
  results_.pop_front();
  return outcome;
}

}  // namespace photon
