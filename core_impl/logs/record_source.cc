#include "core_impl/logs/record_source.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/runtime/file_name.h"
#include "core_impl/trace/pipeline.h"

namespace photon::logs {

void RecordSource::restore(const FileName& file, std::uint64_t offset) {
  const std::uint32_t index = scan_.add(file);
  adopt_new_files();
  File& restored = files_[index];
  restored.reader = LogReader(offset);
  restored.settled = offset;
  scan_.examined(index, offset);
}

void RecordSource::adopt_new_files() {
  while (files_.size() < scan_.size()) files_.emplace_back();
  PHOTON_CHECK(files_.size() == scan_.size(), "every listed file has its reader");
}

void RecordSource::scan(Context& context) {
  if (listing_.has_value()) {
    PHOTON_MARK("logs.scan.still_listing");
    return;
  }
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = VolumeOperation::list;
  request.file = scan_.prefix();
  listing_ = context.submit(std::move(request));
}

void RecordSource::observe(MonotonicTime now, std::span<const FileInfo> listing) {
  lengths_.clear();
  for (std::uint32_t index = 0; index < scan_.size(); ++index) {
    lengths_.push_back(scan_[index].length);
  }
  scan_.observe(listing);
  adopt_new_files();
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    if (index < lengths_.size() && scan_[index].length == lengths_[index]) continue;
    files_[index].grew = now;
    if (files_[index].suspected) PHOTON_MARK("logs.source.grows_again");
    files_[index].suspected = false;
  }
}

void RecordSource::collect_stalled(MonotonicTime now) {
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    File& file = files_[index];
    const std::uint64_t length = scan_[index].length;
    const bool unfinished = !file.busy && !file.suspected && file.reader.offset() < length &&
                            scan_[index].examined == length;
    const Duration idle = now - file.grew;
    if (unfinished) PHOTON_LIMIT("logs.source.stall", idle, options_.stalled_after);
    if (!unfinished || idle < options_.stalled_after) continue;
    PHOTON_MARK("logs.source.stalled");
    file.suspected = true;
    want(index);
  }
}

void RecordSource::trace_skipped(Context& context) {
  for (const Skipped& each : skipped_) {
    const FileName& name = scan_[each.file].name;
    const bool is_log = is_log_file(view_of(name));
    context.decide(trace::RecordSkipped{
        each.begin, each.end,
        is_log ? log_file_of(name).number() : trace::RecordSkipped::kOtherFile});
  }
  skipped_.clear();
}

void RecordSource::collect_grown(MonotonicTime now) {
  grown_.clear();
  scan_.append_grown(grown_);
  for (const std::uint32_t index : grown_) {
    if (files_[index].left <= now) want(index);
  }
}

void RecordSource::want(std::uint32_t index) {
  PHOTON_CHECK(index < files_.size(), "only a listed file is read");
  File& file = files_[index];
  if (file.busy || file.queued) return;
  file.queued = true;
  queued_[at(file.lane)].push_back(index);
}

// The lane to read from, if a further chunk is allowed.
std::optional<RecordSource::Lane> RecordSource::lane_to_read() const {
  std::size_t backlog = delivering_[at(Lane::backlog)].size();
  for (const std::uint32_t index : reading_) backlog += files_[index].lane == Lane::backlog ? 1 : 0;
  const std::size_t held = reading_.size() + delivering_[0].size() + delivering_[1].size();
  if (held >= options_.max_reads) {
    PHOTON_MARK("logs.source.reads_at_cap");
    return std::nullopt;
  }
  if (!queued_[at(Lane::front)].empty()) return Lane::front;
  const bool allowed = backlog < std::max(options_.max_reads / 2, 1U);
  if (allowed && !queued_[at(Lane::backlog)].empty()) return Lane::backlog;
  if (!queued_[at(Lane::backlog)].empty()) PHOTON_MARK("logs.source.backlog_waits");
  return std::nullopt;
}

void RecordSource::pump(Context& context) {
  trace_skipped(context);
  while (const auto lane = lane_to_read()) {
    auto& queued = queued_[at(*lane)];
    const std::uint32_t index = queued.front();
    queued.pop_front();
    File& file = files_[index];
    PHOTON_CHECK(file.queued && !file.busy, "a queued file is not being read");
    file.queued = false;
    file.busy = true;
    VolumeRequest request;
    request.volume = options_.volume;
    request.operation = VolumeOperation::read;
    request.file = scan_[index].name;
    request.offset = file.reader.offset();
    request.length = file.reader.read_size(options_.read_chunk);
    request.form = options_.form;
    file.ticket = context.submit(std::move(request));
    reading_.push_back(index);
  }
}

std::optional<std::uint32_t> RecordSource::file_of(Ticket ticket) const {
  for (const std::uint32_t index : reading_) {
    if (files_[index].ticket == ticket) return index;
  }
  return std::nullopt;
}

bool RecordSource::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (listing_ == ticket) {
    listing_.reset();
    if (result.status == IoStatus::ok) {
      observe(context.now(), result.files);
      listed_ = true;
    } else {
      PHOTON_MARK("logs.scan.listing_failed");
    }
    // Also after a failure: files whose read failed wait for the next scan.
    collect_grown(context.now());
    collect_stalled(context.now());
    pump(context);
    return true;
  }
  const auto index = file_of(ticket);
  if (!index.has_value()) return false;
  reading_.erase(std::find(reading_.begin(), reading_.end(), *index));
  on_read(*index, result);
  pump(context);
  return true;
}

void RecordSource::on_read(std::uint32_t index, IoResult& result) {
  File& file = files_[index];
  PHOTON_CHECK(file.busy, "a file is busy until its records are taken");
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("logs.source.read_failed");
    file.busy = false;  // tried again after the next scan
    return;
  }
  file.reader.supply(file.reader.offset(), result, file.suspected ? Tail::stalled : Tail::growing);
  delivering_[at(file.lane)].push_back(index);
}

bool RecordSource::caught_up() const {
  const auto empty = [](const auto& files) { return files.empty(); };
  const bool idle = reading_.empty() && std::ranges::all_of(queued_, empty) &&
                    std::ranges::all_of(delivering_, empty);
  if (!listed_ || !idle) return false;
  PooledVector<std::uint32_t> grown;  // those whose read failed
  scan_.append_grown(grown);
  return grown.empty();
}

std::optional<RecordSource::Progress> RecordSource::progress_of(const FileName& name) const {
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    if (scan_[index].name != name) continue;
    const File& file = files_[index];
    return Progress{file.settled, file.window.empty() ? file.settled : file.window.back().end};
  }
  return std::nullopt;
}

std::optional<RecordSource::Taken> RecordSource::next() {
  auto taken = next(Lane::front);
  return taken ? taken : next(Lane::backlog);
}

std::optional<RecordSource::Taken> RecordSource::next(Lane lane) {
  auto& delivering = delivering_[at(lane)];
  while (!delivering.empty()) {
    const std::uint32_t index = delivering.front();
    delivering.pop_front();
    File& file = files_[index];
    PHOTON_CHECK(file.busy, "a file is busy until its records are taken");
    const LogItem* item = file.reader.next();
    if (item == nullptr) {
      release(index);
      continue;
    }
    delivering.push_back(index);
    const bool sound = item->kind == LogItemKind::record;
    const Place place{index, file.first + file.window.size()};
    file.window.push_back(Mark{item->end, false});
    if (sound) return Taken{place, item->end, item->record};
    skipped_.push_back({index, item->offset, item->end});
    refuse(place);
  }
  return std::nullopt;
}

void RecordSource::stop_delivering(const Place& taken) {
  auto& from = delivering_[at(files_[taken.file].lane)];
  PHOTON_CHECK(!from.empty() && from.back() == taken.file, "the record was just taken");
  from.pop_back();
}

void RecordSource::put(const Place& taken, Lane lane) {
  File& file = files_[taken.file];
  if (file.lane == lane) return;
  stop_delivering(taken);
  PHOTON_MARK("logs.source.changes_lane");
  file.lane = lane;
  delivering_[at(lane)].push_back(taken.file);
}

void RecordSource::leave(const Place& taken, MonotonicTime time) {
  File& file = files_[taken.file];
  stop_delivering(taken);
  PHOTON_CHECK(!file.window.empty(), "a record that is left was taken");
  PHOTON_MARK("logs.source.left_for_later");
  file.window.pop_back();
  const std::uint64_t begin = file.window.empty() ? file.settled : file.window.back().end;
  file.reader = LogReader(begin);
  scan_.look_again(taken.file, begin);
  file.busy = false;
  file.left = time;
}

void RecordSource::refuse(const Place& place) {
  ++damaged_records_;
  settle(place);
}

// The chunk is used up: read on, if the file is known to have more.
void RecordSource::release(std::uint32_t index) {
  File& file = files_[index];
  file.busy = false;
  const std::uint64_t before = scan_[index].examined;
  scan_.examined(index, file.reader.examined());
  if (scan_[index].length <= scan_[index].examined) return;
  if (scan_[index].examined == before) {
    // Fewer bytes than listed: the copy has lost its end. The next listing names it again.
    PHOTON_MARK("logs.source.shorter_than_listed");
    return;
  }
  want(index);
}

void RecordSource::settle(const Place& place) {
  File& file = files_[place.file];
  PHOTON_CHECK(place.ordinal >= file.first && place.ordinal - file.first < file.window.size(),
               "a settled record lies after the settled prefix");
  Mark& mark = file.window[place.ordinal - file.first];
  PHOTON_CHECK(!mark.settled, "a record is settled once");
  mark.settled = true;
  if (place.ordinal == file.first) advance(place.file);
}

void RecordSource::advance(std::uint32_t index) {
  File& file = files_[index];
  const std::uint64_t before = file.settled;
  while (!file.window.empty() && file.window.front().settled) {
    PHOTON_CHECK(file.window.front().end > file.settled, "records end in order");
    file.settled = file.window.front().end;
    file.window.pop_front();
    ++file.first;
  }
  if (file.settled == before || file.listed_advanced) return;
  file.listed_advanced = true;
  advanced_.push_back(index);
}

}  // namespace photon::logs
