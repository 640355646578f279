// What one record of a log says, in the form in which it was read: bytes, or an event as fields
// (runtime/record_log.h).
#pragma once

#include <span>

#include "core_impl/base/check.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/runtime/record_log.h"

namespace photon::logs {

// Valid until its owner reads on.
struct RecordContent {
  std::span<const std::byte> body{};   // what was framed; empty if there is an event
  const StoredEvent* event = nullptr;  // null: the record is its bytes

  // With its frame, as stored, for consumers that forward records. Requires that it is bytes.
  std::span<const std::byte> framed() const {
    PHOTON_CHECK(event == nullptr, "a record of fields has no frame");
    return {body.data() - kRecordOverhead, kRecordOverhead + body.size()};
  }
};

}  // namespace photon::logs
