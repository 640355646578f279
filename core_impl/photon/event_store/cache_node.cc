#include "core_impl/photon/event_store/cache_node.h"

#include "core_impl/base/record_codec.h"
#include "core_impl/logs/primary_view.h"

namespace photon {

void CacheNode::on(Context& context, NodeId from, const QueryRequest& request) {
  PHOTON_CHECK(request.tier == QueryTier::cache, "log look-ups go to the log store");
  context.consume(config_.lookup_cost);
  QueryReply reply{
      request.request, request.query, QueryTier::cache, QueryStatus::not_found, {}, {}};
  if (const Bytes* payload = cache_.find(request.query)) {
    reply.status = QueryStatus::found;
    reply.returned = request.query;
    reply.payload = *payload;
    ++stats_.hits;
  } else {
    ++stats_.misses;
  }
  context.send(from, Body::make(std::move(reply)));
}

void CacheNode::on(Context& context, NodeId, const CacheFill& fill) {
  std::span<const std::byte> rest(fill.records);
  std::uint64_t count = 0;
  while (!rest.empty()) {
    const RecordView view = view_record(rest);
    const auto event = view.status == RecordStatus::complete ? logs::view_primary(view.body)
                                                             : std::optional<logs::PrimaryView>();
    if (event) {
      cache_.insert(event->id, event->payload);
      ++count;
    } else {
      ++stats_.malformed;
    }
    if (view.size == 0) break;  // the next record's place is unknown; the logs still have them all
    rest = rest.subspan(view.size);
  }
  stats_.filled += count;
  context.consume(config_.fill_cost * static_cast<std::int64_t>(count));
}

}  // namespace photon
