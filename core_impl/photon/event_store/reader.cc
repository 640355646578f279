#include "core_impl/photon/event_store/reader.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/primary_view.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/trace/pipeline.h"

namespace photon {

EventStoreReader::EventStoreReader(const EventStoreReaderOptions& options)
    : options_(options),
      ring_(options.cache_nodes),
      restore_(options.poll, kPollTimer),
      fills_(options.cache_nodes.size()) {
  PHOTON_CHECK(options.log_store != kNoNode, "the map has a keeper");
  PHOTON_CHECK(options.max_concurrent_reads > 0, "a reader can read");
  PHOTON_CHECK(options.poll > Duration::zero() && options.fill_bytes > 0,
               "a reader polls at some distance and fills with bytes");
}

// -- Starting and restoring

void EventStoreReader::on_start(Context& context) {
  // Unique over the lives of this process: an acknowledgement for an earlier life's put must not
  // match a put of this life.
  next_put_ = rpc::request_number(context.incarnation(), 1);
  restore(context);
}

void EventStoreReader::restore(Context& context) {
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::read;
  request.file = event_store_offsets_file(context.self());
  request.length = static_cast<std::uint32_t>(kMaxRecordBody + kRecordOverhead);
  restore_.submit(context, std::move(request));
}

void EventStoreReader::on_state(Context& context, IoResult& result) {
  if (!restore_.answered(context, result.status)) {
    PHOTON_MARK("event_store.reader.state_refused");
    return;
  }
  ReaderState state;
  if (result.status == IoStatus::ok) {
    const RecordView view = view_record(result.data);
    if (view.status != RecordStatus::complete || !decode_record(view.body, state)) {
      PHOTON_MARK("event_store.reader.state_damaged");
      state.files.clear();
      statistics_.state_lost = 1;
    }
  } else if (result.status != IoStatus::missing) {
    statistics_.state_lost = 1;
  }
  for (const ReaderState::File& saved : state.files) {
    const auto file = logs::LogFile::from_number(saved.file);
    if (file.type != logs::LogType::primary) continue;  // this reader never saved such a file
    const std::uint32_t index = scan_.add(file.name());
    add_known_files(context.now());
    files_[index].reader = logs::LogReader(saved.offset);
    files_[index].findable = saved.offset;
    scan_.examined(index, saved.offset);
  }
  phase_ = Phase::idle;
  start_round(context);
}

void EventStoreReader::add_known_files(MonotonicTime now) {
  while (files_.size() < scan_.size()) {
    files_.emplace_back();
    files_.back().grew = now;
  }
  PHOTON_CHECK(files_.size() == scan_.size(), "every listed file has its reader");
}

// -- Rounds: list, read once from each file that has grown, pass the records on

void EventStoreReader::on_timer(Context& context, TimerKind kind) {
  PHOTON_CHECK(kind == kPollTimer, "the reader has one timer");
  if (restore_.take_due(context)) return restore(context);
  PHOTON_CHECK(phase_ == Phase::idle, "the timer is armed between rounds");
  start_round(context);
}

void EventStoreReader::start_round(Context& context) {
  PHOTON_CHECK(phase_ == Phase::idle, "one round at a time");
  resend_put(context);
  save(context);
  if (is_held_up()) {
    PHOTON_MARK("event_store.reader.held_up");
    // The log store lags or is down. Reading on would only lengthen the queue.
    context.set_timer(kPollTimer, context.now() + options_.poll);
    return;
  }
  const bool must_list = context.now() >= next_listing_;
  if (!must_list) {
    read_grown(context);
    return;
  }
  next_listing_ = context.now() + options_.poll;
  VolumeRequest request;
  request.volume = options_.logs;
  request.operation = VolumeOperation::list;
  request.file = scan_.prefix();
  phase_ = Phase::listing;
  listing_ = context.submit(std::move(request));
}

void EventStoreReader::on_listing(Context& context, IoResult& result) {
  PHOTON_CHECK(phase_ == Phase::listing, "a listing belongs to a round");
  if (result.status == IoStatus::ok) {
    PooledVector<std::uint64_t> before;
    before.reserve(scan_.size());
    for (std::uint32_t index = 0; index < scan_.size(); ++index) {
      before.push_back(scan_[index].length);
    }
    scan_.observe(result.files);
    add_known_files(context.now());
    for (std::uint32_t index = 0; index < before.size(); ++index) {
      if (scan_[index].length == before[index]) continue;
      files_[index].grew = context.now();
      files_[index].suspected = false;
    }
  } else {
    PHOTON_MARK("event_store.reader.listing_failed");
    ++statistics_.failed_reads;
  }
  read_grown(context);
}

void EventStoreReader::read_grown(Context& context) {
  grown_.clear();
  next_grown_ = 0;
  scan_.append_grown(grown_);
  // A tail that stays incomplete for long may hide sound records after a damaged length.
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    File& file = files_[index];
    const bool unfinished = file.reader.offset() < scan_[index].length &&
                            scan_[index].length == scan_[index].examined && !file.suspected;
    const Duration idle = context.now() - file.grew;
    if (unfinished) PHOTON_LIMIT("event_store.read.stalled", idle, options_.stalled_after);
    const bool stuck = unfinished && idle >= options_.stalled_after;
    if (!stuck) continue;
    PHOTON_MARK("event_store.reader.stalled");
    file.suspected = true;
    grown_.push_back(index);
  }
  phase_ = Phase::reading;
  read_more(context);
}

void EventStoreReader::read_more(Context& context) {
  PHOTON_CHECK(phase_ == Phase::reading, "files are read after the listing");
  while (next_grown_ < grown_.size() && reads_.size() < options_.max_concurrent_reads) {
    read_file(context, grown_[next_grown_++]);
  }
  if (reads_.empty()) end_round(context);
}

void EventStoreReader::read_file(Context& context, std::uint32_t index) {
  const logs::LogReader& reader = files_[index].reader;
  PHOTON_CHECK(scan_[index].length >= reader.offset(), "a file is read up to its length");
  const std::uint64_t left = scan_[index].length - reader.offset();
  VolumeRequest request;
  request.volume = options_.logs;
  request.operation = VolumeOperation::read;
  request.file = scan_[index].name;
  request.offset = reader.offset();
  request.length = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(left, reader.read_size(options_.read_bytes)));
  request.form = ReadForm::records;
  reads_.emplace(context.submit(std::move(request)).value(), index);
}

void EventStoreReader::on_io(Context& context, Ticket ticket, IoResult& result) {
  const auto read = reads_.find(ticket.value());
  if (read != reads_.end()) {
    const std::uint32_t index = read->second;
    reads_.erase(read);
    on_log_read(context, index, result);
    read_more(context);
    return;
  }
  if (saving_ && *saving_ == ticket) {
    saving_.reset();
    if (result.status != IoStatus::ok) {
      PHOTON_MARK("event_store.reader.save_failed");
      unsaved_ = true;
    }
    return;
  }
  if (restore_.owns(ticket)) return on_state(context, result);
  PHOTON_CHECK(ticket == listing_, "every completion was asked for");
  on_listing(context, result);
}

void EventStoreReader::on_log_read(Context& context, std::uint32_t index, IoResult& result) {
  PHOTON_CHECK(index < files_.size(), "a read belongs to a listed file");
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("event_store.reader.read_failed");
    ++statistics_.failed_reads;  // the next listing names it again
    stumbled_ = true;
    return;
  }
  File& file = files_[index];
  const std::uint64_t before = file.reader.offset();
  const std::uint64_t examined = scan_[index].examined;
  file.reader.supply(before, result, file.suspected ? logs::Tail::stalled : logs::Tail::growing);
  while (const auto item = file.reader.next()) {
    consume_item(context, index, *item);
  }
  scan_.examined(index, file.reader.examined());
  // Fewer bytes than listed: the copy has lost its end. Wait for the next listing.
  if (scan_[index].examined == examined && examined < scan_[index].length) {
    PHOTON_MARK("event_store.reader.shorter_than_listed");
    stumbled_ = true;
  }
  if (file.reader.offset() > before && !file.touched) {
    file.touched = true;
    touched_.push_back(index);
  }
}

void EventStoreReader::consume_item(Context& context, std::uint32_t index,
                                    const logs::LogItem& item) {
  if (item.kind == logs::LogItemKind::damaged) {
    PHOTON_MARK("event_store.reader.damaged");
    ++statistics_.damaged;
    context.decide(trace::RecordSkipped{item.offset, item.end, number_of(index)});
    return;
  }
  const auto event = logs::view_primary(item.record);
  if (!event) {
    ++statistics_.malformed;
    return;
  }
  ++statistics_.records;
  if (files_[index].emitter.needs_entry(event->id, item.offset, options_.spacing)) {
    entries_.push_back({event->id, number_of(index), item.offset});
  }
  if (ring_.empty()) return;
  const std::uint32_t cache = ring_.owner_index(event->id);
  logs::PrimaryBatch& fill = fills_[cache];
  if (event->payload.is_reference()) {
    fill.append(event->id, event->payload);
  } else {
    fill.append_record(item.record.framed());  // checked here, and again by the cache node
  }
  if (fill.bytes() >= options_.fill_bytes) send_fill(context, cache);
}

void EventStoreReader::end_round(Context& context) {
  PHOTON_CHECK(phase_ == Phase::reading && reads_.empty(),
               "a round ends when its reads have completed");
  for (std::uint32_t cache = 0; cache < fills_.size(); ++cache) send_fill(context, cache);
  send_put(context);
  phase_ = Phase::idle;
  grown_.clear();
  scan_.append_grown(grown_);
  const bool go_on = !grown_.empty() && !stumbled_;  // catching up: do not wait for the timer
  stumbled_ = false;
  if (go_on && !is_held_up()) {
    start_round(context);
    return;
  }
  const MonotonicTime soonest = context.now() + Duration(1);
  context.set_timer(kPollTimer,
                    go_on ? context.now() + options_.poll : std::max(next_listing_, soonest));
}

// -- Sending fills and puts

void EventStoreReader::send_fill(Context& context, std::uint32_t cache) {
  if (fills_[cache].empty()) return;
  ++statistics_.fills_sent;
  CacheFill fill{std::exchange(fills_[cache], {})};
  context.send(options_.cache_nodes[cache], Body::make(std::move(fill)));
}

// Records read since the last put are in the next one, which waits until the last is acknowledged:
// a put that overtook another would leave a hole in the map.
void EventStoreReader::send_put(Context& context) {
  if (put_ || touched_.empty()) return;
  PooledVector<Reach> reaches;
  for (const std::uint32_t index : touched_) {
    files_[index].touched = false;
    reaches.push_back({index, files_[index].reader.offset()});
  }
  touched_.clear();
  if (entries_.empty()) {
    claim(context, reaches);
    return;
  }
  statistics_.entries += entries_.size();
  const std::uint64_t request = next_put_++;
  put_ = Put{request, Body::make(MapPut{request, std::move(entries_)}), {}, std::move(reaches)};
  entries_ = {};
  transmit_put(context);
}

void EventStoreReader::transmit_put(Context& context) {
  PHOTON_CHECK(put_.has_value(), "a put is sent while it is in flight");
  put_->sent = context.now();
  ++statistics_.puts_sent;
  context.send(options_.log_store, put_->message);
}

void EventStoreReader::resend_put(Context& context) {
  if (put_) {
    PHOTON_LIMIT("event_store.put.timeout", context.now() - put_->sent, options_.put_timeout);
  }
  if (put_ && context.now() - put_->sent >= options_.put_timeout) {
    PHOTON_MARK("event_store.reader.put_again");
    transmit_put(context);
  }
}

void EventStoreReader::on(Context& context, NodeId, const MapPutDone& done) {
  if (!put_ || done.request != put_->request) {
    PHOTON_MARK("event_store.reader.late_acknowledgement");
    return;  // answered twice, or to an earlier life
  }
  claim(context, put_->reaches);
  put_.reset();
  send_put(context);
}

void EventStoreReader::claim(Context& context, std::span<const Reach> reaches) {
  for (const Reach& reach : reaches) {
    PHOTON_CHECK(reach.index < files_.size(), "a claim is about a listed file");
    File& file = files_[reach.index];
    PHOTON_CHECK(reach.end > file.findable, "what is findable only grows");
    file.findable = reach.end;
    unsaved_ = true;
    context.decide(trace::ReaderProgress{reach.end, number_of(reach.index)});
  }
}

void EventStoreReader::save(Context& context) {
  if (!unsaved_ || saving_ || context.now() - saved_at_ < options_.save_period) return;
  ReaderState state;
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    if (files_[index].findable == 0) continue;
    state.files.push_back({number_of(index), files_[index].findable});
  }
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::replace;
  request.file = event_store_offsets_file(context.self());
  append_encoded(state, request.data);
  saving_ = context.submit(std::move(request));
  saved_at_ = context.now();
  unsaved_ = false;
}

}  // namespace photon
