#include "core_impl/paxos/snapshot_file.h"

#include <algorithm>
#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/runtime/file_name.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {
namespace {

constexpr std::string_view kSnapshotName = "snapshot";
constexpr std::uint64_t kMaxFile = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FileName snapshot_name(ShardId group) {
  FileName name = segment_name(group, 0);
  append_text(name, kSnapshotName);
  return name;
}

bool is_snapshot_name(std::string_view file) { return file.ends_with(kSnapshotName); }

// The header comes first and is known last: its room is kept, so that the machine's bytes are
// written once.
Bytes encode_snapshot(SnapshotHeader header, const StateMachine& machine) {
  PHOTON_CHECK(header.point.through != 0, "a snapshot covers at least one slot");
  Bytes file;
  append_encoded(header, file);
  const std::size_t room = file.size();
  machine.snapshot(file);
  PHOTON_CHECK(file.size() <= kMaxFile, "a snapshot is read in one piece");
  const auto state = std::span<const std::byte>(file).subspan(room);
  header.machine_bytes = state.size();
  header.machine_checksum = hash_bytes(state);
  Bytes known;
  append_encoded(header, known);
  PHOTON_CHECK(known.size() == room, "all headers of a group are equally long");
  std::ranges::copy(known, file.begin());
  return file;
}

std::optional<SnapshotView> decode_snapshot(ShardId group, std::span<const std::byte> file) {
  const RecordView record = view_record(file);
  SnapshotView view;
  if (record.status != RecordStatus::complete || !decode_record(record.body, view.header))
    return {};
  view.machine = file.subspan(record.size);
  const Slot through = view.header.point.through;
  const bool sound = view.header.group == group && through != 0 && through <= kMaxStoredSlot &&
                     view.header.machine_bytes == view.machine.size() &&
                     view.header.machine_checksum == hash_bytes(view.machine);
  if (!sound) {
    PHOTON_MARK("paxos.snapshot.unsound");
    return {};
  }
  return view;
}

void snapshot_facts(std::string_view name, std::span<const std::byte> file, trace::FactSink& sink) {
  if (!is_snapshot_name(name)) return;
  const RecordView record = view_record(file);
  SnapshotHeader header;
  if (record.status != RecordStatus::complete || !decode_record(record.body, header)) return;
  Bytes generations;
  Encoder encode(generations);
  encode(header.point.generations);
  sink.fact(trace::PaxosSnapshot{header.point.through, header.state_hash, hash_bytes(generations),
                                 header.group});
}

VolumeRequest SnapshotFile::request_for(VolumeOperation operation) const {
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = operation;
  request.file = snapshot_name(options_.group);
  return request;
}

void SnapshotFile::start(Context& context) {
  VolumeRequest request = request_for(VolumeOperation::read);
  request.length = std::numeric_limits<std::uint32_t>::max();
  request_.submit(context, std::move(request));
}

void SnapshotFile::write(Context& context, Slot through, Bytes file) {
  PHOTON_CHECK(stage_ == Stage::ready || must_write_, "one replacement at a time, after recovery");
  PHOTON_CHECK(through != 0 && !file.empty(), "a snapshot covers at least one slot");
  must_write_ = false;
  writing_ = Content{through, file.size(), hash_bytes(file)};
  VolumeRequest request = request_for(VolumeOperation::replace);
  request.epoch = context.incarnation().value();
  request.data = std::move(file);
  stage_ = Stage::writing;
  write_.submit(context, std::move(request));
}

void SnapshotFile::on_timer(Context& context) {
  request_.on_timer(context);
  must_write_ = must_write_ || write_.take_due(context);
}

void SnapshotFile::serve(Context& context, NodeId to, const SnapshotFetch& fetch) {
  if (stage_ == Stage::writing) {
    PHOTON_MARK("paxos.snapshot.asked_while_writing");
    const auto known = std::ranges::find(waiting_, to, &Waiting::to);
    if (known == waiting_.end()) {
      waiting_.push_back({to, fetch});
    } else {
      known->fetch = fetch;
    }
    return;
  }
  if (stage_ != Stage::ready || !content_) {
    PHOTON_MARK("paxos.snapshot.none_to_serve");
    return;
  }
  const auto asked = [&](const Reading& reading) { return reading.reply.to == to; };
  if (std::ranges::any_of(readings_, asked)) {
    PHOTON_MARK("paxos.snapshot.asked_twice");
    return;
  }
  Served reply{to, {options_.group, content_->through, content_->bytes, content_->checksum, 0, {}}};
  const bool present = fetch.through == content_->through && fetch.offset < content_->bytes;
  if (present) {
    reply.chunk.offset = fetch.offset;
  } else {
    PHOTON_MARK("paxos.snapshot.serves_newer");
  }
  const Delivery whole{to, reply.chunk.through};
  const bool once_more = reply.chunk.offset == 0 && std::erase(delivered_, whole) > 0;
  VolumeRequest request = request_for(VolumeOperation::read);
  request.offset = reply.chunk.offset;
  request.length = once_more ? std::numeric_limits<std::uint32_t>::max() : options_.chunk_bytes;
  readings_.push_back(Reading{context.submit(std::move(request)), std::move(reply), once_more});
}

bool SnapshotFile::owns(Ticket ticket) const {
  return request_.owns(ticket) || write_.owns(ticket) ||
         std::ranges::any_of(readings_, [&](const Reading& each) { return each.ticket == ticket; });
}

SnapshotProgress SnapshotFile::on_io(Context& context, Ticket ticket, IoResult& result) {
  const auto reading = std::ranges::find(readings_, ticket, &Reading::ticket);
  if (reading != readings_.end()) return read_for_other(reading, result);
  if (write_.owns(ticket)) return was_written(context, result);
  if (!request_.answered(context, result)) return SnapshotProgress::waiting;
  PHOTON_CHECK(stage_ == Stage::recovering, "a completion without a request");
  return was_read(result);
}

// A refused write may have taken effect, or may do so later: nothing is served until a write
// is confirmed.
SnapshotProgress SnapshotFile::was_written(Context& context, const IoResult& result) {
  PHOTON_CHECK(stage_ == Stage::writing, "a write completes while it is under way");
  if (!write_.answered(context, result.status)) {
    PHOTON_MARK("paxos.snapshot.write_refused");
    return SnapshotProgress::waiting;
  }
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("paxos.snapshot.write_fenced");
    return SnapshotProgress::damaged;
  }
  content_ = writing_;
  stage_ = Stage::ready;
  delivered_.clear();
  for (const Waiting& each : std::exchange(waiting_, {})) serve(context, each.to, each.fetch);
  return SnapshotProgress::written;
}

SnapshotProgress SnapshotFile::was_read(IoResult& result) {
  stage_ = Stage::ready;
  if (result.status == IoStatus::missing) return SnapshotProgress::recovered;
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("paxos.snapshot.read_failed");
    return SnapshotProgress::damaged;
  }
  const auto view = decode_snapshot(options_.group, result.data);
  if (!view) return SnapshotProgress::damaged;
  content_ = Content{view->header.point.through, result.data.size(), hash_bytes(result.data)};
  recovered_ = std::move(result.data);
  return SnapshotProgress::recovered;
}

// A piece that could not be read is not sent. A replica that had the whole file and asks from the
// beginning again found that its pieces do not fit together: then the whole file is checked.
SnapshotProgress SnapshotFile::read_for_other(PooledVector<Reading>::iterator reading,
                                              IoResult& result) {
  Reading taken = std::move(*reading);
  readings_.erase(reading);
  if (result.status != IoStatus::ok || result.data.empty()) {
    PHOTON_MARK("paxos.snapshot.piece_unreadable");
    return SnapshotProgress::waiting;
  }
  SnapshotChunk& chunk = taken.reply.chunk;
  PHOTON_CHECK(chunk.offset < chunk.total, "a piece begins inside the snapshot");
  if (taken.is_whole) {
    if (hash_bytes(result.data) != chunk.checksum) {
      PHOTON_MARK("paxos.snapshot.wrong_bytes");
      return SnapshotProgress::damaged;
    }
    result.data.resize(std::min<std::size_t>(result.data.size(), options_.chunk_bytes));
  }
  if (chunk.offset + result.data.size() >= chunk.total) {
    std::erase(delivered_, Delivery{taken.reply.to, chunk.through});
    delivered_.push_back({taken.reply.to, chunk.through});
  }
  chunk.bytes = std::move(result.data);
  served_ = std::move(taken.reply);
  return SnapshotProgress::waiting;
}

}  // namespace photon::paxos
