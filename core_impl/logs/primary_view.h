// A primary event read in place: no copy of its payload.
//
// The layout is that of PrimaryEvent::each_field (event.h); a test keeps the two together. A scan
// for one query reads thousands of records and needs the payload of one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/codec.h"
#include "core_impl/base/event_id.h"

namespace photon::logs {

struct PrimaryView {
  EventId id;
  std::span<const std::byte> payload{};  // inside the body it was read from
};

// Nothing if the body is no primary event.
inline std::optional<PrimaryView> view_primary(std::span<const std::byte> body) {
  PrimaryView view;
  std::uint32_t size = 0;
  Decoder decoder(body);
  decoder(view.id, size);
  if (!decoder.ok() || decoder.remaining() != size) return std::nullopt;
  view.payload = body.last(size);
  return view;
}

}  // namespace photon::logs
