#include "core_impl/paxos/replica_log.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/paxos/log_frame.h"
#include "core_impl/runtime/file_name.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {
namespace {

constexpr std::size_t kGroupDigits = 5;
constexpr std::size_t kSegmentDigits = 8;

// The number in the last digits of a name; 0 if they are no digits.
std::uint64_t number_of(std::string_view name, std::size_t digits) {
  std::uint64_t number = 0;
  if (name.size() < digits) return 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(end - digits, end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end ? number : 0;
}

std::uint64_t segment_of(std::string_view name) { return number_of(name, kSegmentDigits); }

ShardId group_of(std::string_view name) {
  const std::string_view folder = name.substr(0, name.rfind('/'));
  return ShardId{static_cast<std::uint32_t>(number_of(folder, kGroupDigits))};
}

void record_facts(const LogRecord& record, ShardId group, trace::FactSink& sink) {
  if (record.kind == RecordKind::promise) {
    sink.fact(trace::PaxosPromise{record.ballot.value(), 0, 0, group});
  } else if (record.kind == RecordKind::accept) {
    const std::uint64_t value = record.value.hash();
    sink.fact(trace::PaxosAccepted{record.ballot.value(), record.slot, value, group});
    if (const auto admission = admission_in(record.value)) {
      sink.fact(
          trace::PaxosAdmission{value, group, admission->replica, admission->generation.value()});
    }
  }
}

}  // namespace

FileName segment_name(ShardId group, std::uint64_t segment) {
  FileName name(kLogPrefix.data(), kLogPrefix.size());
  append_number(name, group.value(), kGroupDigits);
  name.push_back('/');
  if (segment != 0) append_number(name, segment, kSegmentDigits);
  return name;
}

void segment_facts(std::string_view file, std::uint64_t offset, std::span<const std::byte> bytes,
                   trace::FactSink& sink) {
  const ShardId group = group_of(file);
  trace::PaxosLogWritten written{segment_of(file), offset, 0, 0, group};
  LogPlace place{group, written.segment, offset};
  SegmentHeader header;
  if (offset == 0) {
    const RecordView view = view_frame(bytes, place);
    if (view.status != RecordStatus::complete || !decode_record(view.body, header)) return;
    if (bytes.size() - view.size < header.carried_bytes) return;
    written.previous = header.previous;
    written.previous_valid = header.previous_valid;
    written.replica = header.replica;
    written.base = header.base;
    written.beginning = header.kind == SegmentKind::beginning ? 1 : 0;
    bytes = bytes.subspan(view.size);
    place.offset = view.size;
  }
  sink.fact(written);
  for_each_frame(bytes, place, [&](std::span<const std::byte> body) {
    LogRecord record;
    if (!decode_record(body, record)) return false;
    record_facts(record, group, sink);
    return true;
  });
  // The carried records of a beginning fill its first append.
  if (written.beginning == 1) {
    sink.fact(trace::PaxosLogRestated{written.segment, written.base, group});
  }
}

void removal_facts(std::string_view file, trace::FactSink& sink) {
  const std::uint64_t segment = segment_of(file);
  if (segment != 0) sink.fact(trace::PaxosLogRemoved{segment, group_of(file)});
}

void ReplicaLog::start(Context& context) {
  PHOTON_CHECK(stage_ == Stage::listing && !retry_.busy(), "a log is recovered once");
  submit(context);
}

// Submits the request of this stage; also the retry of a refused request.
void ReplicaLog::submit(Context& context) {
  VolumeRequest request;
  request.volume = options_.volume;
  if (stage_ == Stage::listing) {
    request.operation = VolumeOperation::list;
    request.file = segment_name(options_.group, 0);
  } else if (stage_ == Stage::reading) {
    PHOTON_CHECK(reading_ >= 1 && reading_ <= found_.size(), "a segment that is read was found");
    const Segment& segment = found_[reading_ - 1];
    request.operation = VolumeOperation::read;
    request.file = segment_name(options_.group, segment.number);
    request.length = narrow<std::uint32_t>(segment.length);
  } else {
    PHOTON_CHECK(stage_ == Stage::appending, "only these stages wait for the volume");
    PHOTON_CHECK(segment_ != 0 && segment_ == highest_number_,
                 "an append goes to the newest segment");
    request.operation = VolumeOperation::append;
    request.durability = Durability::synced;
    request.file = segment_name(options_.group, segment_);
    request.expected_length = length_;
    if (length_ == 0) {
      PHOTON_CHECK(segment_ > previous_, "a segment continues an older one");
      SegmentHeader header{options_.group, options_.replica, segment_, previous_, previous_valid_};
      if (beginning_) {
        header.kind = SegmentKind::beginning;
        header.base = beginning_->base;
        header.carried_bytes = beginning_->carried_bytes;
      }
      append_framed(header, request.data);
    }
    append_bytes(in_flight_, request.data);
    seal_frames(request.data, {options_.group, segment_, length_});
  }
  retry_.submit(context, std::move(request));
}

void ReplicaLog::on_timer(Context& context) {
  if (retry_.take_due(context)) submit(context);
}

LogProgress ReplicaLog::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (removal_ && *removal_ == ticket) {
    removal_.reset();
    if (result.status == IoStatus::ok || result.status == IoStatus::missing) {
      PHOTON_CHECK(!existing_.empty(), "a segment that is removed was known");
      existing_.erase(existing_.begin());
      remove_obsolete(context);
    } else {
      PHOTON_MARK("paxos.log.removal_failed");
    }
    return LogProgress::waiting;
  }
  if (!retry_.answered(context, result.status)) {
    PHOTON_MARK("paxos.log.refused");
    return LogProgress::waiting;
  }
  if (result.status == IoStatus::torn || result.status == IoStatus::fenced) {
    PHOTON_MARK("paxos.log.torn_or_fenced");
    return damage();
  }
  switch (stage_) {
    case Stage::listing:
      return listed(context, result);
    case Stage::reading:
      return was_read(context, result);
    case Stage::appending:
      return appended(context, result);
    case Stage::ready:
    case Stage::damaged:
      break;
  }
  PHOTON_CHECK(false, "a completion without a request");
  return LogProgress::waiting;
}

LogProgress ReplicaLog::listed(Context& context, IoResult& result) {
  for (const FileInfo& file : result.files) {
    const std::uint64_t number = segment_of(view_of(file.name));
    if (number == 0) continue;
    highest_number_ = std::max(highest_number_, number);
    existing_.push_back(number);
    // Too short for a header: a creation that was torn.
    if (file.length > kFrameBytes) {
      found_.push_back(Segment{number, file.length, {}, {}, 0});
    } else {
      PHOTON_MARK("paxos.log.header_torn");
    }
  }
  std::ranges::sort(found_, {}, &Segment::number);
  std::ranges::sort(existing_);
  reading_ = found_.size();
  if (reading_ == 0) return replay();
  stage_ = Stage::reading;
  submit(context);
  return LogProgress::waiting;
}

RecordView ReplicaLog::header_frame(const Segment& segment) const {
  return view_frame(segment.bytes, {options_.group, segment.number, 0});
}

std::optional<SegmentHeader> ReplicaLog::header_of(const Segment& segment) const {
  const RecordView view = header_frame(segment);
  SegmentHeader header;
  if (view.status != RecordStatus::complete || !decode_record(view.body, header)) return {};
  return header;
}

// False for a beginning whose carried records are torn.
bool ReplicaLog::counts(const Segment& segment, const SegmentHeader& header) const {
  return segment.length - header_frame(segment).size >= header.carried_bytes;
}

LogProgress ReplicaLog::was_read(Context& context, IoResult& result) {
  Segment& segment = found_[reading_ - 1];
  if (result.status != IoStatus::ok || result.data.size() < segment.length) {
    PHOTON_MARK("paxos.log.read_short");
    return damage();
  }
  segment.bytes = std::move(result.data);
  const auto header = header_of(segment);
  std::uint64_t next = 0;  // number of the segment to read next; 0: the chain is complete
  if (header && (header->group != options_.group || header->replica != options_.replica ||
                 header->segment != segment.number || header->previous >= segment.number ||
                 header->base > kMaxStoredSlot)) {
    PHOTON_MARK("paxos.log.header_wrong");
    return damage();
  }
  if (header && counts(segment, *header)) {
    segment.header = *header;
    chain_.push_back(reading_ - 1);
    next = header->kind == SegmentKind::beginning ? 0 : header->previous;
  } else {
    // The creation of the newest segments may have been torn. Elsewhere a torn header is a loss,
    // and so is one that is whole but wrong.
    const bool torn = header || header_frame(segment).status == RecordStatus::incomplete;
    if (!chain_.empty() || !torn) {
      PHOTON_MARK("paxos.log.header_lost");
      return damage();
    }
    PHOTON_MARK("paxos.log.creation_torn");
    // The chain that a torn beginning was to replace still exists, or more was lost than
    // its creation.
    next = reading_ >= 2 ? found_[reading_ - 2].number : 0;
    if (header && header->previous != 0) {
      PHOTON_MARK("paxos.log.beginning_torn");
      next = header->previous;
    }
  }
  if (next == 0) return replay();
  const auto place = std::ranges::lower_bound(found_, next, {}, &Segment::number);
  if (place == found_.end() || place->number != next) {
    PHOTON_MARK("paxos.log.segment_missing");
    return damage();
  }
  reading_ = static_cast<std::size_t>(place - found_.begin()) + 1;
  submit(context);
  return LogProgress::waiting;
}

// Replays the chain from its oldest segment.
LogProgress ReplicaLog::replay() {
  if (!chain_.empty()) {
    const Segment& oldest = found_[chain_.back()];
    recovered_ = Recovered::above(oldest.header.base);
    chain_start_ = oldest.number;
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    Segment& segment = found_[chain_[i]];
    const bool newest = i == 0;
    segment.valid = newest ? segment.length : found_[chain_[i - 1]].header.previous_valid;
    if (segment.valid < segment.length) PHOTON_MARK("paxos.log.tail_void");
    const bool possible =
        segment.valid <= segment.length && segment.valid >= header_frame(segment).size;
    if (!possible || !replay_segment(segment)) {
      PHOTON_MARK("paxos.log.record_damaged");
      return damage();
    }
    chain_bytes_ += segment.valid - std::min(segment.valid, segment.header.carried_bytes);
    if (newest) {
      previous_ = segment.number;
      previous_valid_ = segment.valid;
    }
  }
  found_ = {};
  chain_ = {};
  stage_ = Stage::ready;
  return LogProgress::recovered;
}

// Only the newest segment may end inside a record: then `valid` becomes the end of the last whole
// one.
bool ReplicaLog::replay_segment(Segment& segment) {
  const auto all = std::span<const std::byte>(segment.bytes).first(segment.valid);
  const bool newest = &segment == &found_[chain_.front()];
  LogPlace place{options_.group, segment.number, header_frame(segment).size};
  const std::size_t rest =
      for_each_frame(all.subspan(place.offset), place, [&](std::span<const std::byte> body) {
        LogRecord record;
        return decode_record(body, record) && recovered_.absorb(record);
      });
  segment.valid = all.size() - rest;
  if (rest == 0) return true;
  place.offset = segment.valid;
  const bool torn = newest && view_frame(all.last(rest), place).status == RecordStatus::incomplete;
  if (torn) PHOTON_MARK("paxos.log.tail_torn");
  return torn;
}

LogProgress ReplicaLog::damage() {
  stage_ = Stage::damaged;
  retry_.give_up();
  return LogProgress::damaged;
}

void ReplicaLog::add(const LogRecord& record, std::uint64_t mark) {
  PHOTON_CHECK(stage_ == Stage::ready || stage_ == Stage::appending,
               "records are added after recovery");
  PHOTON_CHECK(mark > waiting_mark_, "marks grow with the records");
  append_framed(record, waiting_);
  waiting_mark_ = mark;
}

void ReplicaLog::flush(Context& context) {
  if (stage_ != Stage::ready || waiting_.empty()) return;
  begin_append(context);
}

void ReplicaLog::begin_append(Context& context) {
  PHOTON_CHECK(in_flight_.empty(), "one append at a time");
  std::swap(in_flight_, waiting_);
  in_flight_mark_ = waiting_mark_;
  chain_bytes_ += in_flight_.size();
  PHOTON_LIMIT("paxos.log.segment", length_, options_.segment_bytes);
  if (length_ >= options_.segment_bytes) PHOTON_MARK("paxos.log.segment_full");
  if (segment_ == 0 || length_ >= options_.segment_bytes) next_segment();
  stage_ = Stage::appending;
  submit(context);
}

void ReplicaLog::rewrite(Context& context, Slot base, const PooledVector<LogRecord>& carried,
                         std::uint64_t mark) {
  PHOTON_CHECK(is_idle() && in_flight_.empty(), "one append at a time");
  PHOTON_MARK("paxos.log.rewritten");
  PHOTON_CHECK(mark >= waiting_mark_, "what is carried stands for every record");
  waiting_.clear();
  waiting_mark_ = mark;
  for (const LogRecord& record : carried) append_framed(record, in_flight_);
  in_flight_mark_ = mark;
  chain_bytes_ = 0;
  beginning_ = Beginning{base, in_flight_.size()};
  next_segment();
  stage_ = Stage::appending;
  submit(context);
}

void ReplicaLog::remove_obsolete(Context& context) {
  PHOTON_CHECK(!existing_.empty(), "the segment that was written last exists");
  if (removal_ || existing_.front() >= chain_start_) return;
  VolumeRequest request;
  request.volume = options_.volume;
  request.operation = VolumeOperation::remove;
  PHOTON_MARK("paxos.log.removes_obsolete");
  request.file = segment_name(options_.group, existing_.front());
  removal_ = context.submit(std::move(request));
}

// Continues in a new file.
void ReplicaLog::next_segment() {
  if (length_ != 0) {
    previous_ = segment_;
    previous_valid_ = length_;
  }
  segment_ = ++highest_number_;
  PHOTON_CHECK(existing_.empty() || existing_.back() < segment_, "segment numbers grow");
  existing_.push_back(segment_);
  length_ = 0;
}

LogProgress ReplicaLog::appended(Context& context, const IoResult& result) {
  PHOTON_CHECK(stage_ == Stage::appending, "an append completes while it is under way");
  if (result.status == IoStatus::conflict || result.status == IoStatus::missing) {
    PHOTON_MARK("paxos.log.conflict");
    // Either an unanswered attempt took effect, perhaps in part, or a dead life's late write took
    // the name. Records after the known length are void; write ours elsewhere.
    next_segment();
    submit(context);
    return LogProgress::waiting;
  }
  PHOTON_CHECK(result.length >= length_ + in_flight_.size(), "the file holds what was appended");
  length_ = result.length;
  in_flight_.clear();
  if (beginning_) {
    beginning_.reset();
    chain_start_ = segment_;
  }
  remove_obsolete(context);
  PHOTON_CHECK(durable_mark_ <= in_flight_mark_, "marks become durable in their order");
  durable_mark_ = in_flight_mark_;
  stage_ = Stage::ready;
  return LogProgress::persisted;
}

}  // namespace photon::paxos
