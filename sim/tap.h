// The tap: turns every crossing of the seam into trace records.
//
// Message facts come from the body itself, at send and at delivery; storage facts come from the
// bytes, through a projector that the scenario provides (the simulator does not know what the bytes
// mean). Header fields are filled here and nowhere else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core_impl/base/narrow.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/record.h"
#include "sim/kernel.h"
#include "sim/ports.h"
#include "sim/topology.h"

namespace photon::sim {

enum class StorageChange : std::uint8_t { appended, replaced, removed, fenced };

struct StorageFact {
  trace::Source source = trace::Source::issued;  // issued or durable
  StorageChange change = StorageChange::appended;
  VolumeId volume{};
  VolumeClass kind = VolumeClass::host_disk;
  const FileName* file = nullptr;      // fenced: the prefix
  std::uint64_t offset = 0;            // appended: where `bytes` begin in the file
  std::span<const std::byte> bytes{};  // appended: what was added; replaced: the whole content
  std::uint64_t epoch = 0;             // fenced: appends below it are refused from now on
};

// Knows the meaning of stored bytes. `durable` appends of one file arrive in file order
// without gaps
// (a torn append arrives as its prefix); they need not begin or end at record boundaries.
class StorageProjector {
 public:
  StorageProjector() = default;
  StorageProjector(const StorageProjector&) = delete;
  StorageProjector& operator=(const StorageProjector&) = delete;
  virtual ~StorageProjector() = default;
  virtual void project(const StorageFact& fact, trace::FactSink& sink) = 0;
};

// The process that a record is about.
struct Party {
  NodeId node{kNoNode};
  Incarnation incarnation{};
  DatacenterId datacenter{};
  HostId host{};
};

// Writes its records of the time up to each boundary, when the tap asks.
class Sampler {
 public:
  Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  virtual ~Sampler() = default;
  virtual void sample(SimTime boundary) = 0;
};

class Tap {
 public:
  // `sink` and `projector` may be null: then nothing is recorded, or no storage facts are.
  Tap(const Kernel& kernel, const ClockModel& clocks, std::size_t hosts, trace::Sink* sink,
      StorageProjector* projector);

  bool active() const { return sink_ != nullptr; }

  // Called right before the body is handed to the network.
  void sent(const Party& from, NodeId to, const Body& body) {
    if (sink_ == nullptr || !body.operations().has_facts) return;
    const std::uint32_t number = message_number(kernel_.next_counter(from.datacenter));
    project_message(trace::Source::sent, from, to, {body, number});
  }
  // `number`: message_number of the event that brought it.
  void delivered(const Party& to, NodeId from, const Body& body, std::uint32_t number) {
    if (sink_ == nullptr || !body.operations().has_facts) return;
    project_message(trace::Source::delivered, to, from, {body, number});
  }
  // Header::message, by the counter of a kernel event: the network makes one for each copy.
  static std::uint32_t message_number(std::uint64_t counter) {
    return narrow<std::uint32_t>(counter + 1);
  }
  void storage(const Party& writer, const VolumeInfo& volume, StorageFact fact);

  // `about.host` is ignored when about.node is kNoNode: such a record has no local clock.
  template <trace::Payload P>
  void record(trace::Source source, const Party& about, const P& payload, NodeId peer = kNoNode) {
    raw_record(source, about, peer, P::kKind, {&payload, sizeof(P)});
  }

  // From now on `sampler` is asked at each multiple of `interval`, before the first record of
  // a later time.
  void sample_every(Duration interval, Sampler& sampler);
  void sample_due() {
    if (sampler_ != nullptr && kernel_.now() >= sample_at_) take_samples();
  }
  // A sampler's record of the time up to `boundary`.
  template <trace::Payload P>
  void record_sample(SimTime boundary, const Party& about, NodeId peer, const P& payload) {
    trace::Header header;
    header.at = boundary;
    header.node = about.node;
    header.peer = peer;
    header.datacenter = about.datacenter;
    header.source = trace::Source::environment;
    sink_->record(trace::Record::make(header, payload));
  }

  // While it lives, what happens is recorded as of the present, and as recalled (trace::Recalled):
  // the kernel relives the past. `left_out` goes into the first record.
  class Recall {
   public:
    Recall(Tap& tap, SimTime present, std::uint64_t left_out) : tap_(tap) {
      tap.sample_due();
      tap.present_ = present;
      tap.left_out_ = left_out;
    }
    Recall(const Recall&) = delete;
    Recall& operator=(const Recall&) = delete;
    ~Recall() { tap_.present_ = SimTime::min(); }

   private:
    Tap& tap_;
  };

  struct RawPayload {
    const void* bytes;
    std::size_t size;
  };
  void raw_record(trace::Source source, const Party& about, NodeId peer, trace::Kind kind,
                  RawPayload payload);

 private:
  struct Numbered {
    const Body& body;
    std::uint32_t number;
  };
  void project_message(trace::Source source, const Party& party, NodeId peer,
                       const Numbered& message);
  trace::Header header(trace::Source source, const Party& about, NodeId peer);
  void take_samples();
  void say_recalled(const Party& about);

  // The calendar clock of a host is asked once per host and moment.
  struct ClockCache {
    SimTime at = SimTime::min();
    LocalTime wall{};
  };

  const Kernel& kernel_;
  const ClockModel& clocks_;
  trace::Sink* sink_;
  StorageProjector* projector_;
  std::vector<ClockCache> clock_cache_;
  Sampler* sampler_ = nullptr;
  Duration sample_interval_{};
  SimTime sample_at_{};               // the next boundary
  SimTime present_ = SimTime::min();  // while the past is relived
  std::uint64_t left_out_ = 0;
};

}  // namespace photon::sim
