#include "core_impl/photon/cell_log/group_log.h"

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

void GroupLog::open(const Options& options, std::uint64_t length) {
  PHOTON_CHECK(!busy_, "a log is opened before it is used");
  PHOTON_CHECK(options.epoch != 0, "a writer has a life of its own");
  PHOTON_CHECK(options.retry_delay > Duration::zero(),
               "a refused write waits before it is repeated");
  options_ = options;
  retry_ = VolumeRetry(options_.retry_delay, options_.timer);
  length_ = length;
  open_ = true;
}

void GroupLog::flush(Context& context) {
  if (!open_ || busy_ || fenced_ || pending_.empty()) return;
  // The group keeps its capacity for the next exchange.
  group_.clear();
  std::swap(group_, pending_);
  started_ += group_.size();
  operation_ = VolumeOperation::append;
  busy_ = true;
  submit(context);
}

void GroupLog::rewrite(Context& context, Bytes content) {
  PHOTON_CHECK(open_ && !busy_, "a file is rewritten while nothing is under way");
  if (fenced_) return;
  started_ += pending_.size();
  pending_.clear();
  group_ = std::move(content);
  operation_ = VolumeOperation::replace;
  busy_ = true;
  submit(context);
}

void GroupLog::submit(Context& context) {
  PHOTON_CHECK(operation_ == VolumeOperation::replace || !group_.empty(), "an append has bytes");
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = operation_;
  request.durability = Durability::synced;
  request.file = options_.file;
  request.expected_length = length_;
  request.epoch = options_.epoch;
  request.data = group_;
  retry_.submit(context, std::move(request));
}

GroupLog::Event GroupLog::finish() {
  PHOTON_CHECK(durable_ <= started_, "bytes become durable in their order");
  length_ = operation_ == VolumeOperation::replace ? group_.size() : length_ + group_.size();
  durable_ = started_;
  busy_ = false;
  return Event::durable;
}

GroupLog::Event GroupLog::retry_later(Context& context) {
  PHOTON_MARK("cell_log.append.refused");
  ++retries_;
  retry_.wait(context);
  return Event::waiting;
}

// The length of the file is not the expected one. This is its only writer, so either a prefix or
// all of an earlier attempt took effect, or the volume lost bytes again.
GroupLog::Event GroupLog::on_conflict(Context& context, std::uint64_t length) {
  PHOTON_CHECK(operation_ == VolumeOperation::append, "only appends conflict");
  PHOTON_CHECK(length <= length_ + group_.size(), "no other life appends to this file");
  if (length == length_ + group_.size()) {
    PHOTON_MARK("cell_log.conflict.all_was_written");
    return finish();
  }
  if (length > length_) {
    PHOTON_MARK("cell_log.conflict.a_part_was_written");
    const auto written = static_cast<std::ptrdiff_t>(length - length_);
    group_.erase(group_.begin(), group_.begin() + written);
  }
  if (length < length_) PHOTON_MARK("cell_log.conflict.bytes_lost_again");
  length_ = length;
  ++retries_;
  submit(context);
  return Event::waiting;
}

GroupLog::Event GroupLog::on_io(Context& context, Ticket ticket, const IoResult& result) {
  if (!retry_.owns(ticket)) return Event::not_mine;
  retry_.complete();
  PHOTON_CHECK(busy_, "a completion belongs to the write under way");
  switch (result.status) {
    case IoStatus::ok:
      return finish();
    case IoStatus::conflict:
      return on_conflict(context, result.length);
    case IoStatus::fenced:
      PHOTON_MARK("cell_log.append.fenced");
      fenced_ = true;
      return Event::fenced;
    case IoStatus::missing:
    case IoStatus::full:
    case IoStatus::unavailable:
    case IoStatus::torn:
      break;
  }
  return retry_later(context);
}

void GroupLog::on_timer(Context& context) {
  if (!fenced_ && retry_.take_due(context)) submit(context);
}

}  // namespace photon
