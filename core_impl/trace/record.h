// One record of the trace: a fixed header and one plain payload struct.
//
// Invariants: a record is trivially copyable and has no padding that is not zeroed, so that a trace
// can be hashed, written raw and read later. The payload type is named by `kind`, `source` says
// how the fact became known. What crosses the seam is recorded by the seam (`sent`, `delivered`,
// `issued`, `durable`, `environment`); the core records only its decisions (`decision`). A claim is
// never evidence for itself (DESIGN 6).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/kinds.h"

namespace photon::trace {

enum class Source : std::uint8_t {
  environment = 0,  // generation, crashes, clocks, partitions, outages, log visibility
  decision = 1,     // a component says what it decided
  sent = 2,         // projected from the body handed to the network by `node` for `peer`
  delivered = 3,    // projected from the body handed to `node`, sent by `peer`
  issued = 4,       // projected from bytes that `node` asked a volume to write
  durable = 5,      // projected from bytes that the volume has made durable; node = their writer
};

struct Header {
  SimTime at{};               // reference time
  LocalTime local{};          // calendar clock of the node's host at that moment
  NodeId node{kNoNode};       // the process that the record is about
  NodeId peer{kNoNode};       // the other end of a message; the volume id for storage
  Incarnation incarnation{};  // life of `node`
  // Of `node`, or of the volume, or where the fault took effect (a partition: the first on its
  // side); 0 where there is none: clicks come from outside.
  DatacenterId datacenter{};
  Kind kind{};
  Source source{};
  std::array<std::uint8_t, 3> zero{};  // no hidden padding
  // Of a message's facts: the message's number in its sender's datacenter. A delivery has the
  // number of the delivered copy; a send has that of the first copy. The network may make more
  // copies (the next numbers), or none (then the next message has the same number). The number only
  // matches sends with deliveries of this run: any additional sender shifts it. 0: not known.
  std::uint32_t message = 0;
};
static_assert(sizeof(Header) == 40);

inline constexpr std::size_t kPayloadSize = 72;

// What a payload must be: plain, small, and named by a constant.
template <class P>
concept Payload = std::is_trivially_copyable_v<P> && std::has_unique_object_representations_v<P> &&
                  sizeof(P) <= kPayloadSize&& requires {
  { P::kKind } -> std::convertible_to<Kind>;
};

struct Record {
  Header header;
  alignas(8) std::array<std::byte, kPayloadSize> payload{};

  template <Payload P>
  static Record make(const Header& header, const P& payload) {
    Record record{header, {}};
    record.header.kind = P::kKind;
    std::memcpy(record.payload.data(), &payload, sizeof(P));
    return record;
  }

  // Requires header.kind == P::kKind.
  template <Payload P>
  const P& as() const {
    PHOTON_CHECK(header.kind == P::kKind, "a trace record is read as what it is");
    return *reinterpret_cast<const P*>(payload.data());
  }
};
static_assert(sizeof(Record) == 112 && std::is_trivially_copyable_v<Record>);

// Receives records in order of `header.at`.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;
  virtual void record(const Record& record) = 0;
};

// Receives the facts that a message body or a stored record states; the caller adds the header.
class FactSink {
 public:
  FactSink() = default;
  FactSink(const FactSink&) = delete;
  FactSink& operator=(const FactSink&) = delete;
  virtual ~FactSink() = default;

  template <Payload P>
  void fact(const P& payload) {
    raw_fact(P::kKind, &payload, sizeof(P));
  }

 private:
  virtual void raw_fact(Kind kind, const void* payload, std::size_t size) = 0;
};

}  // namespace photon::trace
