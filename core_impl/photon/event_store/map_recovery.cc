#include "core_impl/photon/event_store/map_recovery.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"

namespace photon {

void MapRecovery::start(Context& context, const Options& options) {
  PHOTON_CHECK(phase_ == Phase::idle, "a map is rebuilt once in a life");
  options_ = options;
  retry_ = VolumeRetry(options_.retry_delay, options_.timer);
  phase_ = Phase::listing;
  submit(context);
}

void MapRecovery::submit(Context& context) {
  VolumeRequest request;
  request.volume = options_.cell;
  if (phase_ == Phase::listing) {
    request.operation = VolumeOperation::list;
    request.file = options_.prefix;
  } else {
    PHOTON_CHECK(current_ < files_.size(), "a journal was listed");
    request.operation = VolumeOperation::read;
    request.file = files_[current_].name;
    request.offset = reader_.offset();
    request.length = reader_.read_size(kReadBytes);
    asked_ = request.length;
  }
  retry_.submit(context, std::move(request));
}

bool MapRecovery::on_io(Context& context, Ticket ticket, IoResult& result, LogFileMap& map) {
  if (is_finished() || !retry_.owns(ticket)) return false;
  retry_.complete();
  if (result.status == IoStatus::unavailable ||
      (phase_ == Phase::listing && result.status != IoStatus::ok)) {
    PHOTON_MARK("event_store.recovery.refused");
    retry_.wait(context);
    return true;
  }
  bool file_ends = true;
  if (phase_ == Phase::listing) {
    files_ = std::move(result.files);
    phase_ = Phase::reading;
  } else {
    file_ends = on_journal_bytes(result, map);
    if (file_ends) ++current_;
  }
  if (file_ends) reader_ = logs::LogReader();
  if (current_ == files_.size()) {
    phase_ = Phase::finished;
    files_ = {};
    return true;
  }
  submit(context);
  return true;
}

// True if the journal has been read to its end, or cannot be read any further.
bool MapRecovery::on_journal_bytes(IoResult& result, LogFileMap& map) {
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("event_store.recovery.journal_gone");
    damaged_ = true;  // it was listed, and is missing or unreadable
    return true;
  }
  const bool file_ends = result.data.size() < asked_;
  reader_.supply(reader_.offset(), std::move(result.data));
  MapJournalRecord record;
  while (const auto item = reader_.next()) {
    if (!decode_record(item->record.body, record)) {  // nothing of a damaged item is one
      PHOTON_MARK("event_store.recovery.record_damaged");
      damaged_ = true;
      continue;
    }
    for (const MapEntry& entry : record.entries) map.put(entry);
  }
  // A crash tore an append, or wrong bytes lie where an acknowledged record was.
  if (file_ends && reader_.offset() < reader_.examined()) {
    PHOTON_MARK("event_store.recovery.tail_in_doubt");
    damaged_ = true;
  }
  return file_ends;
}

void MapRecovery::on_timer(Context& context) {
  if (!is_finished() && retry_.take_due(context)) submit(context);
}

}  // namespace photon
