#include "core_impl/photon/output_copies/output_mirror.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/runtime/file_name.h"

namespace photon {
namespace {

constexpr std::uint32_t kMostDoublings = 4;  // of the `time_limit` for one peer

}  // namespace

OutputMirror::OutputMirror(OutputMirrorOptions options) : options_(std::move(options)) {
  PHOTON_CHECK(options_.piece_bytes > 0, "a piece has bytes");
  PHOTON_CHECK(options_.poll > Duration::zero() && options_.time_limit > Duration::zero(),
               "polls and answers take time");
}

void OutputMirror::on_start(Context& context) {
  // Numbers of another life name nothing here.
  requests_ = std::uint64_t{context.incarnation().value()} << 32U;
  list(context);
}

void OutputMirror::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void OutputMirror::on_timer(Context& context, TimerKind) { list(context); }

void OutputMirror::list(Context& context) {
  context.set_timer(kPoll, context.now() + options_.poll);
  if (is_listing_) {
    PHOTON_MARK("output_copies.list.still_under_way");
    return;
  }
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::list;
  request.file = FileName(kOutputPrefix.data(), kOutputPrefix.size());
  is_listing_ = true;
  listing_ = context.submit(std::move(request));
}

void OutputMirror::on_list(Context& context, const IoResult& result) {
  is_listing_ = false;
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("output_copies.list.failed");
    return;
  }
  for (const FileInfo& info : result.files) {
    const auto file = parse_output_file(view_of(info.name));
    if (!file) continue;
    const auto [known, fresh] = lengths_.insert_or_assign(info.name, info.length);
    if (!fresh) continue;
    for (const NodeId peer : options_.peers) {
      Stream& stream = streams_.emplace_back();
      stream.peer = peer;
      stream.file = *file;
    }
  }
  for (Stream& stream : streams_) {
    advance(context, stream, lengths_.at(output_file(stream.file.node, stream.file.life)));
  }
}

void OutputMirror::advance(Context& context, Stream& stream, std::uint64_t length) {
  if (stream.state == Stream::State::waiting && stream.due <= context.now()) {
    PHOTON_MARK("output_copies.piece.again");
    ++statistics_.repetitions;
    ++stream.silences;
    stream.state = Stream::State::unknown;
  }
  if (stream.state == Stream::State::unknown) return send(context, stream, {});
  if (stream.state != Stream::State::idle || length <= stream.copied) return;
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::read;
  request.file = output_file(stream.file.node, stream.file.life);
  request.offset = stream.copied;
  request.length = options_.piece_bytes;
  stream.state = Stream::State::reading;
  stream.read = context.submit(std::move(request));
}

void OutputMirror::send(Context& context, Stream& stream, Bytes data) {
  PHOTON_CHECK(stream.state != Stream::State::waiting, "one piece of a stream is on its way");
  ++statistics_.pieces;
  stream.request = ++requests_;
  stream.state = Stream::State::waiting;
  // A peer that answers more slowly than that is asked no faster than it answers.
  stream.due = context.now() +
               options_.time_limit * (std::int64_t{1} << std::min(stream.silences, kMostDoublings));
  CopyPiece piece;
  piece.request = stream.request;
  piece.address = stream.file.node.value();
  piece.incarnation = stream.file.life.value();
  piece.offset = data.empty() ? 0 : stream.copied;
  piece.data = std::move(data);
  context.send(stream.peer, Body::make(std::move(piece)));
}

void OutputMirror::on_read(Context& context, Stream& stream, IoResult& result) {
  stream.state = Stream::State::idle;
  if (result.status != IoStatus::ok || result.data.empty()) {
    PHOTON_MARK("output_copies.read.failed");
    return;  // at the next poll
  }
  send(context, stream, std::move(result.data));
}

void OutputMirror::on(Context& context, NodeId from, const CopyAck& ack) {
  const auto stream = std::ranges::find_if(streams_, [&](const Stream& each) {
    return each.peer == from && each.request == ack.request;
  });
  if (stream == streams_.end() || stream->state != Stream::State::waiting) {
    PHOTON_MARK("output_copies.answer.late");
    return;
  }
  stream->copied = ack.length;
  stream->silences = 0;
  stream->state = Stream::State::idle;
  advance(context, *stream, lengths_.at(output_file(stream->file.node, stream->file.life)));
}

void OutputMirror::on(Context& context, NodeId from, const CopyPiece& piece) {
  VolumeRequest request;
  request.volume = options_.cell;
  request.file = copied_output_file(NodeId(piece.address), Incarnation(piece.incarnation));
  request.operation = piece.data.empty() ? VolumeOperation::stat : VolumeOperation::append;
  request.expected_length = piece.offset;
  request.data = piece.data;
  const Ticket ticket = context.submit(std::move(request));
  kept_[ticket.value()] = Kept{from, piece.request, piece.data.size()};
}

void OutputMirror::on_kept(Context& context, const Kept& kept, const IoResult& result) {
  CopyAck ack{kept.request, 0};
  switch (result.status) {
    case IoStatus::ok:
      statistics_.appended += kept.bytes;
      ack.length = result.length;
      break;
    case IoStatus::conflict:  // a piece that came before, or a part of one
      PHOTON_MARK("output_copies.piece.came_before");
      ack.length = result.length;
      break;
    case IoStatus::missing:
      break;
    default:
      PHOTON_MARK("output_copies.append.refused");
      return;  // unknown: the sender repeats after silence
  }
  context.send(kept.from, Body::make(ack));
}

void OutputMirror::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (is_listing_ && ticket == listing_) return on_list(context, result);
  if (const auto kept = kept_.extract(ticket.value())) {
    return on_kept(context, kept.mapped(), result);
  }
  const auto stream = std::ranges::find_if(streams_, [&](const Stream& each) {
    return each.state == Stream::State::reading && each.read == ticket;
  });
  PHOTON_CHECK(stream != streams_.end(), "every completion has an owner");
  on_read(context, *stream, result);
}

}  // namespace photon
