// A log that knows its events (core_impl/runtime/record_log.h), and the same log as bytes: for
// tests that both forms say the same.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "core_impl/runtime/record_log.h"
#include "core_impl/runtime/volume.h"

namespace photon::testing {

// Its payloads are functions of word and size. Counts how often one is asked for.
class KnownPayloads final : public PayloadSource {
 public:
  explicit KnownPayloads(std::uint64_t number = 1) : PayloadSource(number) {}

  void write(std::uint64_t word, std::span<std::byte> out) const override {
    ++written_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::byte>(mix(word + 1 + (i << 32U)) & 0xffU);
    }
  }
  std::uint64_t written() const { return written_; }

 private:
  mutable std::uint64_t written_ = 0;
};

class KnownLog final : public RecordLog {
 public:
  // `count` events, each some nanoseconds after the last, with payloads of random sizes.
  KnownLog(EventKind kind, std::size_t count, std::uint64_t seed) : kind_(kind) {
    const RandomStream random(seed, Purpose::test, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto words = random.block(i);
      const auto size = static_cast<std::uint32_t>(uniform_below(words[0], 90));
      add(size, {7, 1, Stamp(Duration(static_cast<std::int64_t>(100 * i + words[1] % 50)))});
    }
  }

  const std::vector<StoredEvent>& events() const { return events_; }
  const Bytes& bytes() const { return bytes_; }
  const KnownPayloads& payloads() const { return payloads_; }

  void event_at(std::uint64_t offset, StoredEvent& event) override {
    const auto after = std::ranges::upper_bound(events_, offset, {}, &StoredEvent::begin);
    event = *std::prev(after);
  }
  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    append_bytes(std::span(bytes_).subspan(offset, length), out);
  }
  // What a volume answers that reads at most `length` bytes of the first `visible`.
  IoResult answer(ReadForm form, std::uint64_t offset, std::uint64_t length,
                  std::uint64_t visible) {
    IoResult result;
    result.length = visible;
    const std::uint64_t end = std::min(offset + length, visible);
    if (offset >= end) return result;
    if (form == ReadForm::records) {
      result.range = {this, offset, end};
    } else {
      read(offset, end - offset, result.data);
    }
    return result;
  }

 private:
  void add(std::uint32_t size, const EventId& id) {
    StoredEvent event;
    event.begin = bytes_.size();
    event.id = id;
    event.kind = kind_;
    event.payload = PayloadView(payloads_, events_.size(), size);
    if (kind_ == EventKind::primary) {
      append_encoded(logs::PrimaryEvent{id, Payload(event.payload)}, bytes_);
    } else {
      event.primary = {9, 1, Stamp(id.stamp - Duration(1))};
      append_encoded(logs::ForeignEvent{id, event.primary, Payload(event.payload)}, bytes_);
    }
    event.end = bytes_.size();
    events_.push_back(event);
  }

  EventKind kind_;
  KnownPayloads payloads_;
  std::vector<StoredEvent> events_;
  Bytes bytes_;
};

}  // namespace photon::testing
