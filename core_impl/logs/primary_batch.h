// Primary events on their way, in order: first some by reference, then framed records.
//
// Encoded it is the framed records of all of them, as one byte string; decoded it holds bytes
// alone. So events by reference never leave the runtime that made the references.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core_impl/base/bytes.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/event.h"

namespace photon::logs {

class PrimaryBatch {
 public:
  PrimaryBatch() = default;
  // Of framed records (base/record_codec.h), which need not be sound.
  explicit PrimaryBatch(Bytes records) : bytes_(records.size()), records_(std::move(records)) {}

  // Appends an event by reference; after records it becomes a record too, so that the order stays.
  void append(const EventId& id, const PayloadView& reference);
  void append_record(std::span<const std::byte> framed);

  bool empty() const { return bytes_ == 0; }
  // Of all records with their frames, whatever their form.
  std::uint64_t bytes() const { return bytes_; }
  std::span<const PrimaryEvent> events() const { return events_; }
  std::span<const std::byte> records() const { return records_; }  // after the events

  // For the codec (base/codec.h).
  void encode(Encoder& encoder) const;
  bool decode(Decoder& decoder);

 private:
  std::uint64_t bytes_ = 0;
  PooledVector<PrimaryEvent> events_{};
  Bytes records_{};
};

}  // namespace photon::logs
