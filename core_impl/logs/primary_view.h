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
#include "core_impl/base/payload.h"
#include "core_impl/logs/record_content.h"

namespace photon::logs {

struct PrimaryView {
  EventId id;
  PayloadView payload{};  // inside what it was read from
};

// Nothing if the body is no primary event.
inline std::optional<PrimaryView> view_primary(std::span<const std::byte> body) {
  PrimaryView view;
  std::uint32_t size = 0;
  Decoder decoder(body);
  decoder(view.id, size);
  if (!decoder.ok() || decoder.remaining() != size) return std::nullopt;
  view.payload = PayloadView(body.last(size));
  return view;
}

// The same of a record in either form.
inline std::optional<PrimaryView> view_primary(const RecordContent& record) {
  if (record.event == nullptr) return view_primary(record.body);
  if (record.event->kind != EventKind::primary) return std::nullopt;
  return PrimaryView{record.event->id, record.event->payload};
}

// Its id alone: for a search, which passes many records and wants the payload of one.
inline std::optional<EventId> primary_id(const RecordContent& record) {
  if (record.event == nullptr) {
    const auto view = view_primary(record.body);
    return view ? std::optional(view->id) : std::nullopt;
  }
  if (record.event->kind != EventKind::primary) return std::nullopt;
  return record.event->id;
}

}  // namespace photon::logs
