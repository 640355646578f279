#include "core_impl/photon/event_store/client.h"

#include <utility>

#include "core_impl/base/check.h"

namespace photon {

EventStoreClient::EventStoreClient(const EventStoreClientConfig& config)
    : config_(config), ring_(config.cache_nodes) {
  PHOTON_CHECK(config.log_store != kNoNode, "the logs are the tier that decides");
}

void EventStoreClient::lookup(Context& context, const EventId& query, std::uint64_t tag) {
  // Unique over the lives of this process: a reply to an earlier life must find nobody, because it
  // may be older than what the log store knows now.
  const std::uint64_t request = (std::uint64_t{context.incarnation().value()} << 32U) | ++sequence_;
  const auto [asked, is_new] = asked_.emplace(request, Asked{query, tag, QueryTier::cache});
  PHOTON_CHECK(is_new, "request numbers are unique");
  ask(context, request, asked->second, ring_.empty() ? QueryTier::logs : QueryTier::cache);
  arm(context);
}

void EventStoreClient::ask(Context& context, std::uint64_t request, Asked& asked, QueryTier tier) {
  asked.tier = tier;
  const bool cached = tier == QueryTier::cache;
  const Duration timeout = cached ? config_.cache_timeout : config_.log_timeout;
  deadlines_.add(context.now() + timeout, Deadline{request, tier});
  context.send(cached ? ring_.owner(asked.query) : config_.log_store,
               Body::make(QueryRequest{request, asked.query, tier}));
}

void EventStoreClient::finish(std::uint64_t request, QueryStatus status, const Bytes& payload) {
  const auto asked = asked_.find(request);
  PHOTON_CHECK(asked != asked_.end(), "a look-up ends once");
  results_.push_back({asked->second.tag, asked->second.query, status, asked->second.tier, payload});
  asked_.erase(asked);
}

void EventStoreClient::on_reply(Context& context, const QueryReply& reply) {
  const auto found = asked_.find(reply.request);
  if (found == asked_.end() || found->second.query != reply.query) return;
  Asked& asked = found->second;
  // The cache's late answer is as good as any if it is a hit, and means nothing otherwise.
  if (reply.tier != asked.tier && reply.status != QueryStatus::found) return;
  QueryStatus status = reply.status;
  if (status == QueryStatus::found && reply.returned != asked.query) {
    ++stats_.wrong_records;
    status = QueryStatus::error;
  }
  if (reply.tier == QueryTier::cache) {
    ++(status == QueryStatus::found ? stats_.cache_hits : stats_.cache_misses);
    if (status != QueryStatus::found) {
      if (asked.tier == QueryTier::cache) ask(context, reply.request, asked, QueryTier::logs);
      arm(context);
      return;
    }
  }
  asked.tier = reply.tier;
  finish(reply.request, status, reply.payload);
}

void EventStoreClient::on_timer(Context& context) {
  armed_.reset();
  while (const std::optional<Deadline> due = deadlines_.take_due(context.now())) {
    const auto found = asked_.find(due->request);
    if (found == asked_.end() || found->second.tier != due->tier) continue;
    if (due->tier == QueryTier::cache) {
      ++stats_.cache_timeouts;
      ask(context, due->request, found->second, QueryTier::logs);
    } else {
      ++stats_.log_timeouts;
      finish(due->request, QueryStatus::error, {});
    }
  }
  arm(context);
}

void EventStoreClient::arm(Context& context) {
  if (deadlines_.empty() || (armed_ && *armed_ <= deadlines_.next())) return;
  armed_ = deadlines_.next();
  context.set_timer(config_.timer, *armed_);
}

std::optional<EventStoreClient::Outcome> EventStoreClient::take_result() {
  if (results_.empty()) return std::nullopt;
  Outcome outcome = std::move(results_.front());
  results_.pop_front();
  return outcome;
}

}  // namespace photon
