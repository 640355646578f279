#include "core_impl/photon/event_store/cache_node.h"

#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"

namespace photon {

void CacheNode::on(Context& context, NodeId from, const QueryRequest& request) {
  PHOTON_CHECK(request.tier == QueryTier::cache, "log look-ups go to the log store");
  QueryReply reply{
      request.request, request.query, QueryTier::cache, QueryStatus::not_found, {}, {}};
  if (const auto payload = cache_.find(request.query)) {
    reply.status = QueryStatus::found;
    reply.returned = request.query;
    reply.payload = Payload(*payload);
    ++statistics_.hits;
  } else {
    PHOTON_MARK("event_store.cache.miss");
    ++statistics_.misses;
  }
  context.send(from, Body::make(std::move(reply)));
}

// Reads all records first and stores them afterwards, so that the cache has time to prefetch.
void CacheNode::on(Context&, NodeId, const CacheFill& fill) {
  batch_.clear();
  for (const logs::PrimaryEvent& event : fill.batch.events()) {
    cache_.expect(event.id);
    batch_.push_back({event.id, event.payload.view()});
  }
  std::span<const std::byte> rest = fill.batch.records();
  while (!rest.empty()) {
    const RecordView view = view_record(rest);
    const auto event = view.status == RecordStatus::complete ? logs::view_primary(view.body)
                                                             : std::optional<logs::PrimaryView>();
    if (event) {
      cache_.expect(event->id);
      batch_.push_back(*event);
    } else {
      PHOTON_MARK("event_store.cache.malformed_fill");
      ++statistics_.malformed;
    }
    if (view.size == 0) {
      PHOTON_MARK("event_store.cache.fill_given_up");
      break;  // the next record's place is unknown; the logs still have them all
    }
    rest = rest.subspan(view.size);
  }
  for (const logs::PrimaryView& event : batch_) cache_.insert(event.id, event.payload);
  statistics_.filled += batch_.size();
}

}  // namespace photon
