// The application's part of a join: from a query and a click to the joined record, or to nothing.
//
// Contract: an adapter is a pure function of the two events. Both pipelines run it on the same
// click, a joiner that starts again runs it again, and all must come to the same result (D-06): so
// it knows no clock, no randomness and no state but what it was built with.
//
// Three come with the project (standard_adapters.h). How to write one:
// docs/how-to/write-an-adapter.md.
//
// Paper: Photon section 3.3.1 (adapter); SPEC D-05, D-06, A-02.
#pragma once

#include <cstdint>
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

}  // namespace photon
