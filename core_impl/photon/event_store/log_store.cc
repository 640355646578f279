#include "core_impl/photon/event_store/log_store.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/logs/primary_view.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

// A piece can be a few bytes long; reading less than this saves nothing.
constexpr std::uint32_t kLeastRead = 4096;
// A search during which the map grows this often is answered with `error`: ask again.
constexpr std::uint32_t kMostPlans = 8;
// How many progress reports the client of a search gets within its time-out: some of them may
// be lost.
constexpr std::int64_t kReports = 4;

}  // namespace

LogStore::LogStore(const LogStoreOptions& options) : options_(options), map_(options.spacing) {
  PHOTON_CHECK(options.max_concurrent > 0, "a log store can read");
  PHOTON_CHECK(options.give_up > Duration::zero() && options.read_bytes > 0,
               "a search has time and reads bytes");
}

void LogStore::on_start(Context& context) {
  const FileName directory = event_store_map_directory(context.self());
  recovery_.start(context, {options_.cell, directory, options_.retry_delay, kRecoveryTimer});
  GroupLog::Options journal;
  journal.volume = options_.cell;
  journal.file = event_store_map_file(context.self(), context.incarnation());
  journal.epoch = context.incarnation().value();
  journal.retry_delay = options_.retry_delay;
  journal.timer = kJournalTimer;
  journal_.open(journal, 0);
}

void LogStore::on_timer(Context& context, TimerKind kind) {
  if (kind == kJournalTimer) journal_.on_timer(context);
  if (kind == kRecoveryTimer) recovery_.on_timer(context);
}

void LogStore::on_io(Context& context, Ticket ticket, IoResult& result) {
  const auto read = reads_.find(ticket.value());
  if (read != reads_.end()) {
    const Searches::Handle handle = read->second;
    reads_.erase(read);
    on_log_read(context, handle, result);
    return;
  }
  if (recovery_.on_io(context, ticket, result, map_)) return;
  const GroupLog::Event event = journal_.on_io(context, ticket, result);
  PHOTON_CHECK(event != GroupLog::Event::not_mine, "every completion was asked for");
  PHOTON_CHECK(event != GroupLog::Event::fenced, "each life writes a file of its own");
  settle_puts(context);
  journal_.flush(context);  // what came while the journal was written
}

void LogStore::on(Context& context, NodeId from, const MapPut& put) {
  const auto known = [this](const MapEntry& entry) { return map_.holds(entry); };
  if (std::ranges::all_of(put.entries, known)) {
    PHOTON_MARK("event_store.put.repeated");
    context.send(from, Body::make(MapPutDone{put.request}));
    return;
  }
  MapJournalRecord record{put.entries};
  append_encoded(record, journal_.pending());
  PHOTON_CHECK(waiting_puts_.empty() || waiting_puts_.back().end < journal_.end(),
               "puts wait in the order of the journal");
  waiting_puts_.push_back({from, put.request, journal_.end(), std::move(record.entries)});
  journal_.flush(context);
}

void LogStore::settle_puts(Context& context) {
  while (!waiting_puts_.empty() && waiting_puts_.front().end <= journal_.durable()) {
    const WaitingPut& put = waiting_puts_.front();
    for (const MapEntry& entry : put.entries) map_.put(entry);
    statistics_.entries_put += put.entries.size();
    context.send(put.from, Body::make(MapPutDone{put.request}));
    waiting_puts_.pop_front();
  }
}

void LogStore::on(Context& context, NodeId from, const QueryRequest& request) {
  PHOTON_CHECK(request.tier == QueryTier::logs, "cache look-ups go to the cache nodes");
  const Asked asked{from, request.request, request.query, context.now()};
  if (!recovery_.is_finished() || waiting_.size() >= options_.max_waiting) {
    PHOTON_MARK("event_store.search.refused");
    ++statistics_.refused;
    answer(context, asked, QueryStatus::error, {});
    return;
  }
  waiting_.push_back(asked);
  start_waiting(context);
}

void LogStore::start_waiting(Context& context) {
  while (!waiting_.empty() && searches_.size() < options_.max_concurrent) {
    const Asked asked = waiting_.front();
    waiting_.pop_front();
    PHOTON_LIMIT("event_store.search.give_up", context.now() - asked.heard, options_.give_up);
    if (context.now() - asked.heard >= options_.give_up) {
      PHOTON_MARK("event_store.search.asker_gave_up");
      ++statistics_.refused;  // its client has given up: do not spend a read on it
      answer(context, asked, QueryStatus::error, {});
      continue;
    }
    start_search(context, asked);
  }
}

void LogStore::start_search(Context& context, const Asked& asked) {
  const Searches::Handle handle = searches_.emplace(Search{asked});
  PHOTON_CHECK(searches_.size() <= options_.max_concurrent, "no more searches read than the limit");
  plan(context, handle, *searches_.find(handle));
}

void LogStore::plan(Context& context, Searches::Handle handle, Search& search) {
  search.stage = Stage::mapped;
  search.current = 0;
  search.searched.clear();
  search.map_version = map_.version();
  if (++search.plans > kMostPlans) {
    PHOTON_MARK("event_store.search.map_grows_too_often");
    search.failed = true;
  }
  map_.plan(search.asked.query, search.pieces);
  next_piece(context, handle, search);
}

void LogStore::next_piece(Context& context, Searches::Handle handle, Search& search) {
  if (search.current < search.pieces.size()) {
    begin_piece(context, handle, search);
  } else {
    end_stage(context, handle, search);
  }
}

// Every piece of the stage was searched in vain.
void LogStore::end_stage(Context& context, Searches::Handle handle, Search& search) {
  if (search.stage == Stage::unmapped || search.failed || search.passed) {
    finish(context, handle, search.failed ? QueryStatus::error : QueryStatus::not_found);
  } else if (search.map_version != map_.version()) {
    PHOTON_MARK("event_store.search.map_grew");
    plan(context, handle, search);
  } else if (!recovery_.is_damaged() && map_.has_passed(search.asked.query)) {
    PHOTON_MARK("event_store.search.map_has_passed");
    finish(context, handle, QueryStatus::not_found);
  } else {
    list_files(context, handle, search);
  }
}

void LogStore::list_files(Context& context, Searches::Handle handle, Search& search) {
  PHOTON_MARK("event_store.search.unmapped_files");
  search.stage = Stage::listing;
  VolumeRequest request;
  request.volume = options_.logs;
  request.operation = VolumeOperation::list;
  request.file = logs::directory_of(logs::LogType::primary, search.asked.query.server);
  reads_.emplace(context.submit(std::move(request)).value(), handle);
}

// Pieces for the parts of the server's files that are neither mapped nor searched already, as far
// as the target can be there. A map with holes only shows where it cannot be.
void LogStore::plan_unmapped(Search& search, const IoResult& result) {
  search.stage = Stage::unmapped;
  search.pieces.clear();
  search.current = 0;
  search.failed = result.status != IoStatus::ok;
  const bool has_holes = recovery_.is_damaged();
  for (const FileInfo& info : result.files) {
    const auto file = logs::LogFile::parse({info.name.data(), info.name.size()});
    if (!file || !map_.may_hold(file->number(), search.asked.query)) continue;
    const std::uint64_t begin = has_holes ? map_.not_before(file->number(), search.asked.query)
                                          : map_.mapped_until(file->number());
    const auto covers = [&](const Searched& each) {
      return each.file == file->number() && each.until >= info.length;
    };
    if (map_.has_outrun(file->number(), info.length)) {
      PHOTON_MARK("event_store.search.listed_too_short");
      search.failed = true;
    }
    if (has_holes) {
      PHOTON_MARK("event_store.search.around_holes");
    } else if (std::ranges::any_of(search.searched, covers)) {
      PHOTON_MARK("event_store.search.file_searched_already");
      continue;
    } else if (info.length - std::min(begin, info.length) > options_.tail_bytes) {
      PHOTON_MARK("event_store.search.tail_too_long");
      search.failed = true;
    }
    search.pieces.push_back(
        {file->number(), begin, begin, info.length, Certainty::possible, false});
  }
  if (search.failed) search.pieces.clear();
}

void LogStore::begin_piece(Context& context, Searches::Handle handle, Search& search) {
  search.reader = logs::LogReader(search.pieces[search.current].begin);
  search.looked_until = 0;
  read_on(context, handle, search, Access::random);
}

void LogStore::report_progress(Context& context, Asked& asked) const {
  if (context.now() - asked.heard < options_.give_up / kReports) return;
  PHOTON_MARK("event_store.search.reports_progress");
  asked.heard = context.now();
  context.send(asked.from, Body::make(QueryProgress{asked.request, asked.query}));
}

void LogStore::read_on(Context& context, Searches::Handle handle, Search& search, Access access) {
  PHOTON_CHECK(search.current < search.pieces.size(), "a search reads one of its pieces");
  const LogPiece& piece = search.pieces[search.current];
  const std::uint64_t at = search.reader.offset();
  const std::uint64_t left = piece.end > at ? piece.end - at : 0;
  const auto usual = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, options_.read_bytes));
  VolumeRequest request;
  request.volume = options_.logs;
  request.operation = VolumeOperation::read;
  request.access = access;
  request.file = logs::LogFile::from_number(piece.file).name();
  request.offset = at;
  request.length = search.reader.read_size(std::max(usual, kLeastRead));
  request.form = ReadForm::records;
  search.asked_bytes = request.length;
  ++statistics_.reads;
  report_progress(context, search.asked);
  reads_.emplace(context.submit(std::move(request)).value(), handle);
}

void LogStore::on_log_read(Context& context, Searches::Handle handle, IoResult& result) {
  Search* search = searches_.find(handle);
  PHOTON_CHECK(search != nullptr, "a search lives until its read has completed");
  PHOTON_CHECK(search->stage == Stage::listing || search->current < search->pieces.size(),
               "a search reads one of its pieces");
  if (search->stage == Stage::listing) {
    if (search->map_version == map_.version()) {
      plan_unmapped(*search, result);
      next_piece(context, handle, *search);
    } else {
      PHOTON_MARK("event_store.search.map_grew_while_listing");
      plan(context, handle, *search);
    }
    start_waiting(context);
    return;
  }
  statistics_.bytes_read += result.bytes_read();
  search->bytes += result.bytes_read();
  switch (examine(context, *search, result)) {
    case Verdict::found:
      finish(context, handle, QueryStatus::found);
      break;
    case Verdict::reading:
      PHOTON_MARK("event_store.search.reads_on");
      read_on(context, handle, *search, Access::sequential);
      return;
    case Verdict::failed:
      PHOTON_MARK("event_store.search.piece_failed");
      search->failed = true;
      [[fallthrough]];
    case Verdict::absent:
      search->searched.push_back({search->pieces[search->current].file, search->looked_until});
      ++search->current;
      next_piece(context, handle, *search);
  }
  start_waiting(context);
}

LogStore::Verdict LogStore::examine(Context& context, Search& search, IoResult& result) {
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("event_store.search.read_refused");
    return Verdict::failed;
  }
  const LogPiece& piece = search.pieces[search.current];
  const EventId& target = search.asked.query;
  const bool file_ends = result.bytes_read() < search.asked_bytes;
  // An unfinished record at the end of the file is searched: a damaged length must not hide sound
  // records after it.
  search.reader.supply(search.reader.offset(), result,
                       file_ends ? logs::Tail::stalled : logs::Tail::growing);
  // Nothing is taken after the piece's end or an event that ends the search: damage there casts no
  // doubt on it.
  bool passed = false;
  while (!passed && search.reader.offset() < piece.end) {
    const auto item = search.reader.next();
    if (!item) break;
    if (item->kind == logs::LogItemKind::damaged) {
      PHOTON_MARK("event_store.search.over_damage");
      continue;
    }
    const auto id = logs::primary_id(item->record);
    if (!id) continue;
    if (*id == target) {
      answer(context, search.asked, QueryStatus::found, logs::view_primary(item->record)->payload);
      return Verdict::found;
    }
    const Stamp latest = shifted(target.stamp, options_.spacing.disorder);
    const bool same_source = id->server == target.server && id->process == target.process;
    if (same_source) PHOTON_LIMIT("event_store.search.disorder", id->stamp, latest);
    // Disorder is bounded: the target cannot come after an event that is delta later (E-17).
    passed = same_source && id->stamp > latest;
    search.passed = search.passed || (passed && piece.has_earlier);
  }
  PHOTON_LIMIT("event_store.search.piece_end", search.reader.offset(), piece.end);
  passed = passed || search.reader.offset() >= piece.end;
  search.looked_until = passed ? search.reader.offset() : search.reader.examined();
  if (!passed) {
    if (!file_ends) return Verdict::reading;
    const bool is_short = map_.has_outrun(piece.file, search.reader.examined());
    if (is_short || search.reader.offset() <= piece.mapped) {
      PHOTON_MARK("event_store.search.mapped_bytes_lost");
      return Verdict::failed;  // bytes are lost (E-18)
    }
  }
  const bool doubtful = piece.certainty == Certainty::certain ||
                        search.reader.damaged_items() > 0 || search.reader.is_in_doubt();
  if (doubtful) PHOTON_MARK("event_store.search.in_doubt");
  return doubtful ? Verdict::failed : Verdict::absent;
}

void LogStore::finish(Context& context, Searches::Handle handle, QueryStatus status) {
  PHOTON_CHECK(searches_.find(handle) != nullptr, "a search ends once");
  const Search& search = *searches_.find(handle);
  statistics_.most_bytes_for_one = std::max(statistics_.most_bytes_for_one, search.bytes);
  if (status != QueryStatus::found) answer(context, search.asked, status, {});
  searches_.erase(handle);
}

void LogStore::answer(Context& context, const Asked& asked, QueryStatus status,
                      const PayloadView& payload) {
  QueryReply reply{asked.request, asked.query, QueryTier::logs, status, {}, {}};
  if (status == QueryStatus::found) {
    ++statistics_.found;
    reply.returned = asked.query;
    reply.payload = Payload(payload);
  } else {
    ++(status == QueryStatus::not_found ? statistics_.not_found : statistics_.errors);
  }
  context.send(asked.from, Body::make(std::move(reply)));
}

}  // namespace photon
