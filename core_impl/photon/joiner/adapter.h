// The application's part of a join: from a query and a click to the joined record, or to nothing.
//
// Contract: an adapter is a pure function of the two events. Both pipelines run it on the same
// click and must come to the same result (D-06), so it knows no clock, no randomness and no state.
//
// Paper: Photon section 3.3.1 (adapter); SPEC D-05, D-06, A-02.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"

namespace photon {

struct AdapterEvent {
  EventId id;
  std::span<const std::byte> payload;
};

enum class AdapterResult : std::uint8_t {
  joined,
  skipped,  // filtered: success for the dispatcher, no registration, no output
};

class Adapter {
 public:
  Adapter() = default;
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  virtual ~Adapter() = default;
  // With `joined`, appends the payload of the joined record to the empty `out`.
  virtual AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                              Bytes& out) const = 0;
};

// Joins everything: combine_payloads of joined_record.h.
class CombineAdapter final : public Adapter {
 public:
  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override;
};

// The campaign a query belongs to: the first four payload bytes, little-endian; nothing if the
// payload is shorter.
std::optional<std::uint32_t> campaign_of(std::span<const std::byte> query_payload);

// Skips clicks whose query's campaign is 0 modulo `modulo`, combines the others. Modulo 0 never
// skips; a query without a campaign is never skipped.
class CampaignSkipAdapter final : public Adapter {
 public:
  explicit CampaignSkipAdapter(std::uint32_t modulo) : modulo_(modulo) {}
  bool skips(std::span<const std::byte> query_payload) const;
  AdapterResult adapt(const AdapterEvent& query, const AdapterEvent& click,
                      Bytes& out) const override;

 private:
  std::uint32_t modulo_;
};

}  // namespace photon
