#include "core_impl/paxos/disk_format.h"

#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/runtime/file_name.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {
namespace {

constexpr std::string_view kFormatName = "format";

struct Format {
  ShardId group{};
  ReplicaIndex replica = 0;
  Generation generation{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.replica, self.generation);
  }
};

Bytes framed(const Format& format) {
  Bytes bytes;
  append_encoded(format, bytes);
  return bytes;
}

}  // namespace

FileName format_name(ShardId group) {
  FileName name = segment_name(group, 0);
  append_text(name, kFormatName);
  return name;
}

Bytes format_of_new_group(ShardId group, ReplicaIndex replica) {
  return framed(Format{group, replica, kFirstGeneration});
}

void format_facts(std::string_view name, std::span<const std::byte> file, trace::FactSink& sink) {
  const RecordView view = view_record(file);
  Format format;
  if (!name.ends_with(kFormatName) || view.status != RecordStatus::complete) return;
  if (!decode_record(view.body, format)) return;
  sink.fact(trace::PaxosFormatted{format.group, format.generation.value()});
}

void DiskFormat::start(Context& context) {
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = VolumeOperation::read;
  request.file = format_name(options_.group);
  request.length = 1024;
  request_.submit(context, std::move(request));
}

void DiskFormat::format(Context& context) {
  PHOTON_CHECK(!generation_, "a disk is formatted once");
  PHOTON_MARK("paxos.format.new_disk");
  writing_ = Generation(kFirstGeneration.value() + context.incarnation().value());
  PHOTON_CHECK(*writing_ <= kMaxGeneration, "a generation fits its bits of a ballot");
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = VolumeOperation::replace;
  request.file = format_name(options_.group);
  request.epoch = context.incarnation().value();  // shuts out a dead life's late request
  request.data = framed(Format{options_.group, options_.replica, *writing_});
  request_.submit(context, std::move(request));
}

FormatProgress DiskFormat::on_io(Context& context, const IoResult& result) {
  if (!request_.answered(context, result)) return FormatProgress::waiting;
  if (writing_) {
    if (result.status != IoStatus::ok) {
      PHOTON_MARK("paxos.format.write_failed");
      return FormatProgress::damaged;
    }
    generation_ = writing_;
    return FormatProgress::known;
  }
  if (result.status == IoStatus::missing) return FormatProgress::known;
  const RecordView view = view_record(result.data);
  Format format;
  const bool sound = result.status == IoStatus::ok && view.status == RecordStatus::complete &&
                     view.size == result.data.size() && decode_record(view.body, format) &&
                     format.group == options_.group && format.replica == options_.replica &&
                     format.generation >= kFirstGeneration && format.generation <= kMaxGeneration;
  if (!sound) {
    PHOTON_MARK("paxos.format.unsound");
    return FormatProgress::damaged;
  }
  generation_ = format.generation;
  return FormatProgress::known;
}

}  // namespace photon::paxos
