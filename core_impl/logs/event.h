// The two kinds of logged event: a primary (query) and a foreign one (click) that refers to it; and
// a re-injected click.
//
// Paper: Photon section 1.1, figure 1; SPEC A-01..A-03. A foreign event whose `primary` is null
// refers to nothing; it is valid and can never be joined.
#pragma once

#include <cstdint>

#include "core_impl/base/event_id.h"
#include "core_impl/base/payload.h"

namespace photon::logs {

struct PrimaryEvent {
  EventId id;
  Payload payload{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.id, self.payload);
  }
};

struct ForeignEvent {
  EventId id;
  EventId primary;
  Payload payload{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.id, self.primary, self.payload);
  }
};

// A foreign event that was lost after its registration and is to be joined again (SPEC F-08).
struct ReinjectedEvent {
  ForeignEvent event;
  std::uint64_t removed_at = 0;  // the slot at which its id was removed; 0: it was not there

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.event, self.removed_at);
  }
};

}  // namespace photon::logs
