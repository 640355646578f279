#include "core_impl/photon/joiner/standard_adapters.h"

#include <algorithm>
#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/photon/joiner/joined_record.h"

namespace photon {

std::optional<std::uint32_t> campaign_of(std::span<const std::byte> query_payload) {
  std::uint32_t campaign = 0;
  Decoder decoder(query_payload);
  decoder(campaign);
  if (!decoder.ok()) {
    PHOTON_MARK("joiner.adapter.no_campaign");
    return std::nullopt;
  }
  return campaign;
}

AdapterResult CombineAdapter::adapt(const AdapterEvent& query, const AdapterEvent& click,
                                    Bytes& out) const {
  PHOTON_CHECK(out.empty(), "the joined payload is the adapter's alone");
  combine_payloads(click.payload, query.payload, out);
  return AdapterResult::joined;
}

FilterAdapter::FilterAdapter(std::uint32_t modulo) : modulo_(modulo) {
  PHOTON_CHECK(modulo > 0, "a filter names the campaigns that it skips");
}

AdapterResult FilterAdapter::adapt(const AdapterEvent& query, const AdapterEvent& click,
                                   Bytes& out) const {
  const auto campaign = campaign_of(query.payload);
  if (campaign.has_value() && *campaign % modulo_ == 0) return AdapterResult::skipped;
  return CombineAdapter().adapt(query, click, out);
}

EnrichAdapter::EnrichAdapter(Duration step) : step_(step) {
  PHOTON_CHECK(step > Duration::zero(), "a class of delay has a width");
}

AdapterResult EnrichAdapter::adapt(const AdapterEvent& query, const AdapterEvent& click,
                                   Bytes& out) const {
  const AdapterResult result = CombineAdapter().adapt(query, click, out);
  const Duration delay = std::max(Duration::zero(), between(query.id.stamp, click.id.stamp));
  const std::int64_t steps =
      std::min<std::int64_t>(delay / step_, std::numeric_limits<std::uint32_t>::max());
  Encoder encoder(out);
  encoder(campaign_of(query.payload).value_or(kNoCampaign), narrow<std::uint32_t>(steps));
  return result;
}

}  // namespace photon
