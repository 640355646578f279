#include "core_impl/photon/dispatcher/state_operator.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/directory_scan.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/leases/lease_epoch.h"
#include "core_impl/runtime/file_name.h"

namespace photon {
namespace {

// This many bytes at the end of a file are read to find its last complete record.
constexpr std::uint64_t kTail = 2 * logs::LogReader::kSuspiciousTail;
constexpr std::uint32_t kHeadLength = 128;

}  // namespace

void StateOperator::on_start(Context& context) {
  if (context.incarnation().value() > 1) return;
  const Duration left = std::max(options_.at - context.wall(), Duration{0});
  context.set_timer(kTimer, context.now() + left);
}

void StateOperator::on_message(Context&, NodeId, const Body&) {}

void StateOperator::on_timer(Context& context, TimerKind) {
  if (step_ == Step::waiting) step_ = Step::listing;
  submit(context);
}

void StateOperator::submit(Context& context) {
  VolumeRequest request;
  request.volume = options_.cell;
  switch (step_) {
    case Step::waiting:
    case Step::done:
      return;
    case Step::listing:
      request.volume = options_.logs;
      request.operation = VolumeOperation::list;
      request.file = logs::prefix_name(logs::LogType::foreign);
      break;
    case Step::measuring: {
      PHOTON_CHECK(file_ < files_.size(), "a file that is measured was listed");
      const File& file = files_[file_];
      request.volume = options_.logs;
      request.operation = VolumeOperation::read;
      request.access = Access::random;
      request.file = file.name;
      request.offset = file.length - std::min(file.length, kTail);
      request.length = narrow<std::uint32_t>(file.length - request.offset);
      break;
    }
    case Step::looking:
      PHOTON_CHECK(partition_ < options_.partitions,
                   "the operator writes the journals of all partitions, no more");
      request.operation = VolumeOperation::read;
      request.file = partition_journal(kDispatcherPrefix, partition_);
      request.length = kHeadLength;
      break;
    case Step::fencing:
      epoch_ = LeaseEpoch(++round_, LeaseEpoch::kOperator, context.incarnation()).value();
      request.operation = VolumeOperation::fence;
      request.file = partition_directory(kDispatcherPrefix, partition_);
      request.epoch = epoch_;
      break;
    case Step::writing:
      request.operation = VolumeOperation::replace;
      request.file = partition_journal(kDispatcherPrefix, partition_);
      request.epoch = epoch_;
      request.data = new_journal(context);
      break;
  }
  context.submit(std::move(request));
}

void StateOperator::on_io(Context& context, Ticket, IoResult& result) {
  const bool fenced = result.status == IoStatus::fenced;
  const bool absent = result.status == IoStatus::missing && step_ == Step::looking;
  if (fenced) {
    PHOTON_MARK("dispatcher.operator.fenced");
    step_ = Step::fencing;  // a worker took it meanwhile: fence again, above its epoch
  } else if (result.status != IoStatus::ok && !absent) {
    PHOTON_MARK("dispatcher.operator.refused");
    context.set_timer(kTimer, context.now() + options_.retry_delay);
    return;
  } else {
    advance(result);
  }
  submit(context);
}

void StateOperator::advance(const IoResult& result) {
  switch (step_) {
    case Step::listing:
      for (const FileInfo& each : result.files) {
        if (logs::is_log_file(view_of(each.name))) {
          files_.push_back({each.name, each.length});
        }
      }
      step_ = files_.empty() ? Step::looking : Step::measuring;
      break;
    case Step::measuring:
      measure(result);
      break;
    case Step::looking:
      read_head(result);
      step_ = Step::fencing;
      break;
    case Step::fencing:
      step_ = Step::writing;
      break;
    case Step::writing:
      next_partition();
      break;
    case Step::waiting:
    case Step::done:
      break;
  }
}

// The tail may begin inside a record: the reader finds the next sound one.
void StateOperator::measure(const IoResult& result) {
  File& file = files_[file_];
  const std::uint64_t expected = std::min(file.length, kTail);
  if (result.data.size() < expected) {
    // The copy has lost its end since it was listed.
    PHOTON_MARK("dispatcher.operator.shorter_than_listed");
    files_.clear();
    file_ = 0;
    step_ = Step::listing;
    return;
  }
  logs::LogReader reader(file.length - expected);
  reader.supply(reader.offset(), result.data);
  while (reader.next() != nullptr) {
  }
  file.length = reader.offset();
  if (++file_ == files_.size()) step_ = Step::looking;
}

void StateOperator::read_head(const IoResult& result) {
  const RecordView head = view_record(result.data);
  if (head.status != RecordStatus::complete) {
    PHOTON_MARK("dispatcher.operator.no_head");
    return;
  }
  const JournalState last = read_journal(std::span(result.data).first(head.size));
  round_ = std::max(round_, LeaseEpoch(last.ownership.epoch).round());
}

void StateOperator::next_partition() {
  step_ = Step::looking;
  if (++partition_ < options_.partitions) return;
  step_ = Step::done;
  outcome_.emplace();
  for (const File& file : files_) {
    ++outcome_->files;
    outcome_->bytes += file.length;
  }
}

Bytes StateOperator::new_journal(Context& context) const {
  Bytes content;
  PHOTON_CHECK(epoch_ != 0, "a journal is written after the fence");
  append_journal(OwnershipRecord{kNoNode, epoch_, context.wall(), Duration{}}, content);
  const logs::ServerShare share{partition_, options_.partitions};
  for (const File& file : files_) {
    const logs::LogFile log = logs::log_file_of(file.name);
    if (file.length == 0 || !share.holds(log)) continue;
    append_journal(SkippedRecord{log.number(), file.length}, content);
    append_journal(OffsetRecord{log.number(), file.length}, content);
  }
  return content;
}

}  // namespace photon
