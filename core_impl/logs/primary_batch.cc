#include "core_impl/logs/primary_batch.h"

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/record_codec.h"

namespace photon::logs {
namespace {

// So that neither form grows in many steps.
constexpr std::size_t kUsualEvents = 128;
constexpr std::size_t kUsualBytes = std::size_t{64} << 10U;
// Of a record besides its payload: frame, id, size of the payload.
constexpr std::size_t kRecordHead = kRecordOverhead + sizeof(EventId) + sizeof(std::uint32_t);

}  // namespace

void PrimaryBatch::append(const EventId& id, const PayloadView& reference) {
  PHOTON_CHECK(reference.is_reference(), "an event with bytes is appended as its record");
  bytes_ += kRecordHead + reference.size();
  if (!records_.empty()) {
    append_encoded(PrimaryEvent{id, Payload(reference)}, records_);
    return;
  }
  if (events_.capacity() == 0) events_.reserve(kUsualEvents);
  events_.push_back({id, Payload(reference)});
}

void PrimaryBatch::append_record(std::span<const std::byte> framed) {
  bytes_ += framed.size();
  if (records_.capacity() == 0) records_.reserve(kUsualBytes);
  append_bytes(framed, records_);
}

void PrimaryBatch::encode(Encoder& encoder) const {
  if (encoder.payloads() == Encoder::Payloads::as_references) {
    for (const PrimaryEvent& event : events_) encoder(event.id, event.payload);
    encoder(records_);
    return;
  }
  Bytes all;
  all.reserve(bytes_);
  for (const PrimaryEvent& event : events_) append_encoded(event, all);
  append_bytes(records_, all);
  PHOTON_CHECK(all.size() == bytes_, "the size of each record was counted");
  encoder(all);
}

bool PrimaryBatch::decode(Decoder& decoder) {
  Bytes records;
  decoder(records);
  *this = PrimaryBatch(std::move(records));
  return decoder.ok();
}

}  // namespace photon::logs
