// The judge's reference join: the correct result of each of the joiner's adapters for a query and a
// click, implemented independently. It shares only the file format with the joiner.
//
//   combine  click payload, query payload, each after its length
//   filter   the same; a click on a campaign that is a multiple of `skip_modulo` is skipped
//   enrich   the same as combine, then the campaign, then how many whole `delay_step`s the click
//            came after the query, by their stamps: 0 if it is stamped before it
//   custom   what a function says that comes with the adapter
//
// SPEC A-02, D-05, D-06, J-S15, J-S18.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/environment.h"

namespace photon::models {

struct ReferenceEvent {
  EventId id;
  std::span<const std::byte> payload{};
};

// The payload that the joined record must have; none: the click must be skipped. A pure function,
// and independent of the adapter that it judges.
using ReferenceJoin =
    std::function<std::optional<Bytes>(const ReferenceEvent& query, const ReferenceEvent& click)>;

struct JoinRule {
  enum class Kind : std::uint8_t { combine, filter, enrich, custom };
  Kind kind = Kind::combine;
  std::uint32_t skip_modulo = 0;                 // filter; positive
  Duration delay_step{std::chrono::minutes(1)};  // enrich; positive
  ReferenceJoin custom{};                        // custom
};

struct JoinedPair {
  std::span<const std::byte> click_payload{};
  std::span<const std::byte> query_payload{};
  std::uint32_t campaign = 0;  // as the workload gave it to the query
};

// Fills in the expected result for the click that `truth` names: `joined_hash` and `expect_skip`.
// The hash is XXH3, seed 0, over click id, query id and joined payload in the project's codec.
void state_join(const JoinRule& rule, const JoinedPair& pair, trace::ClickGenerated& truth);

}  // namespace photon::models
