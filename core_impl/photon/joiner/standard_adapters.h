// The adapters that come with the project, one of each sort.
//
//   CombineAdapter  writes both payloads (combine_payloads of joined_record.h)
//   FilterAdapter   the same, but skips clicks by a property of their query, the campaign
//   EnrichAdapter   the same as CombineAdapter, and adds two fields computed from the events:
//                   campaign u32 | class of delay u32, little-endian, after the payloads
//
// Paper: Photon section 3.3.1 (adapter); SPEC D-05, D-06, A-02.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/time.h"
#include "core_impl/photon/joiner/adapter.h"

namespace photon {

// The campaign a query belongs to: the first four payload bytes, little-endian; nothing if the
// payload is shorter.
std::optional<std::uint32_t> campaign_of(std::span<const std::byte> query_payload);

class CombineAdapter final : public Adapter {
 public:
  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override;
};

// Skips clicks whose query's campaign is 0 modulo `modulo`. A query without a campaign is never
// skipped.
class FilterAdapter final : public Adapter {
 public:
  explicit FilterAdapter(std::uint32_t modulo);  // positive
  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override;

 private:
  std::uint32_t modulo_;
};

// The class of delay is how many whole `step`s the click came after the query, by their stamps. A
// click that is stamped before its query is in class 0.
class EnrichAdapter final : public Adapter {
 public:
  static constexpr std::uint32_t kNoCampaign = 0xffffffffU;  // of a query without one

  explicit EnrichAdapter(Duration step);  // positive
  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override;

 private:
  Duration step_;
};

}  // namespace photon
