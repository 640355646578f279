#include "core_impl/photon/joiner/adapter.h"

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/photon/joiner/joined_record.h"

namespace photon {

AdapterResult CombineAdapter::adapt(const AdapterEvent& query, const AdapterEvent& click,
                                    Bytes& out) const {
  PHOTON_CHECK(out.empty(), "the joined payload is the adapter's alone");
  combine_payloads(click.payload, query.payload, out);
  return AdapterResult::joined;
}

std::optional<std::uint32_t> campaign_of(std::span<const std::byte> query_payload) {
  std::uint32_t campaign = 0;
  Decoder decoder(query_payload);
  decoder(campaign);
  if (!decoder.ok()) return std::nullopt;
  return campaign;
}

bool CampaignSkipAdapter::skips(std::span<const std::byte> query_payload) const {
  const auto campaign = campaign_of(query_payload);
  return modulo_ != 0 && campaign.has_value() && *campaign % modulo_ == 0;
}

AdapterResult CampaignSkipAdapter::adapt(const AdapterEvent& query, const AdapterEvent& click,
                                         Bytes& out) const {
  if (skips(query.payload)) return AdapterResult::skipped;
  return CombineAdapter().adapt(query, click, out);
}

}  // namespace photon
