#include "sim/tap.h"

#include <utility>

namespace photon::sim {
namespace {

// Adds the header to each fact and passes the record on.
class FactRecorder final : public trace::FactSink {
 public:
  FactRecorder(const trace::Header& header, trace::Sink& sink) : sink_(sink) {
    record_.header = header;
  }

 private:
  void raw_fact(trace::Kind kind, const void* payload, std::size_t size) override {
    record_.header.kind = kind;
    std::memcpy(record_.payload.data(), payload, size);
    std::memset(record_.payload.data() + size, 0, trace::kPayloadSize - size);
    sink_.record(record_);
  }

  trace::Sink& sink_;
  trace::Record record_{};
};

}  // namespace

Tap::Tap(const Kernel& kernel, const ClockModel& clocks, std::size_t hosts, trace::Sink* sink,
         StorageProjector* projector)
    : kernel_(kernel), clocks_(clocks), sink_(sink), projector_(projector), clock_cache_(hosts) {}

void Tap::sample_every(Duration interval, Sampler& sampler) {
  if (sink_ == nullptr) return;
  sampler_ = &sampler;
  sample_interval_ = interval;
  sample_at_ = kernel_.now() + interval;
}

void Tap::take_samples() {
  while (kernel_.now() >= sample_at_) {
    const SimTime boundary = sample_at_;
    sample_at_ += sample_interval_;
    sampler_->sample(boundary);
  }
}

trace::Header Tap::header(trace::Source source, const Party& about, NodeId peer) {
  trace::Header header;
  if (present_ == SimTime::min()) [[likely]] {
    sample_due();
    header.at = kernel_.now();
  } else {
    say_recalled(about);
    header.at = present_;
  }
  if (about.node != kNoNode) {
    ClockCache& cache = clock_cache_[about.host.value()];
    if (cache.at != header.at) cache = {header.at, clocks_.wall(about.host, header.at)};
    header.local = cache.wall;
  }
  header.node = about.node;
  header.peer = peer;
  header.incarnation = about.incarnation;
  header.datacenter = about.datacenter;
  header.source = source;
  return header;
}

void Tap::say_recalled(const Party& about) {
  if (sink_ == nullptr) return;
  record_sample(present_, about, kNoNode,
                trace::Recalled{kernel_.now(), std::exchange(left_out_, 0)});
}

void Tap::project_message(trace::Source source, const Party& party, NodeId peer,
                          const Numbered& message) {
  trace::Header about = header(source, party, peer);
  about.message = message.number;
  FactRecorder recorder(about, *sink_);
  message.body.operations().facts(message.body.message(), recorder);
}

void Tap::storage(const Party& writer, const VolumeInfo& volume, StorageFact fact) {
  if (sink_ == nullptr || projector_ == nullptr) return;
  fact.volume = volume.id;
  fact.kind = volume.kind;
  Party about = writer;
  about.datacenter = volume.datacenter;
  FactRecorder recorder(header(fact.source, about, NodeId(volume.id.value())), *sink_);
  projector_->project(fact, recorder);
}

void Tap::raw_record(trace::Source source, const Party& about, NodeId peer, trace::Kind kind,
                     RawPayload payload) {
  if (sink_ == nullptr) return;
  trace::Record record{header(source, about, peer), {}};
  record.header.kind = kind;
  std::memcpy(record.payload.data(), payload.bytes, payload.size);
  sink_->record(record);
}

}  // namespace photon::sim
