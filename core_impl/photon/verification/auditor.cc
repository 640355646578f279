#include "core_impl/photon/verification/auditor.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"

namespace photon {
namespace {

struct State {
  PooledVector<Auditor::Row> rows{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.rows);
  }
};

bool is_output_file(std::string_view name) { return parse_output_file(name).has_value(); }

OutputOwner owner_of(const FileName& name) {
  const auto file = parse_output_file(view_of(name));
  PHOTON_CHECK(file.has_value(), "only output files are read as such");
  return {file->node.value(), file->life.value()};
}

logs::DirectoryScan output_scan() {
  return {FileName(kOutputPrefix.data(), kOutputPrefix.size()), is_output_file};
}

}  // namespace

Auditor::Auditor(AuditorOptions options)
    : options_(std::move(options)),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      load_(options_.scan_period, kSave),
      output_({options_.cell, options_.read_chunk, options_.max_concurrent_reads}, output_scan()) {
  PHOTON_CHECK(options_.max_clears > 0, "a cap of zero would clear nothing");
  PHOTON_CHECK(options_.scan_period > Duration::zero(),
               "scans follow one another at some distance");
  PHOTON_CHECK(options_.save_period > Duration::zero(),
               "saves follow one another at some distance");
}

void Auditor::on_start(Context& context) { load(context); }

void Auditor::load(Context& context) {
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::read;
  request.file = auditor_file(context.self());
  request.length = static_cast<std::uint32_t>(kMaxRecordBody + kRecordOverhead);
  load_.submit(context, std::move(request));
}

// If the state cannot be read, everything is cleared once more.
void Auditor::on_state(Context& context, const IoResult& result) {
  if (!load_.answered(context, result.status)) {
    PHOTON_MARK("verification.auditor.state_refused");
    return;
  }
  State state;
  const RecordView view = view_record(result.data);
  if (view.status == RecordStatus::complete && decode_record(view.body, state)) {
    for (const Row& row : state.rows) cleared_[row.owner] = row.cleared;
  }
  loaded_ = true;
  output_.scan(context);
  context.set_timer(kScan, context.now() + options_.scan_period);
  context.set_timer(kSave, context.now() + options_.save_period);
}

void Auditor::save(Context& context) {
  output_.take_advanced([&](const FileName& name, std::uint64_t offset) {
    Cleared& known = cleared_[owner_of(name)];
    unsaved_ = unsaved_ || offset > known.offset;
    known.offset = std::max(known.offset, offset);
  });
  if (!unsaved_ || saving_.has_value()) return;
  State state;
  for (const auto& [owner, cleared] : cleared_) state.rows.push_back({owner, cleared});
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::replace;
  request.file = auditor_file(context.self());
  request.epoch = context.incarnation().value();
  append_encoded(state, request.data);
  unsaved_ = false;
  saving_ = context.submit(std::move(request));
}

void Auditor::on_saved(const IoResult& result) {
  saving_.reset();
  if (result.status == IoStatus::ok) return;
  PHOTON_MARK("verification.auditor.save_failed");
  unsaved_ = true;
}

void Auditor::on_timer(Context& context, TimerKind kind) {
  switch (static_cast<Timer>(kind)) {
    case kScan:
      output_.scan(context);
      index_.forget_before(stamp_from(context.wall()) - options_.memory);
      context.set_timer(kScan, context.now() + options_.scan_period);
      break;
    case kRegistry:
      registry_.on_timer(context);
      break;
    case kSharding:
      registry_.on_sharding_timer(context);
      break;
    case kSave:
      if (load_.take_due(context)) return load(context);
      save(context);
      context.set_timer(kSave, context.now() + options_.save_period);
      break;
  }
  pump(context);
}

void Auditor::on(Context& context, NodeId from, const RegistryReply& reply) {
  registry_.on_reply(context, from, reply);
  pump(context);
}

void Auditor::on(Context& context, NodeId from, const ShardingReply& reply) {
  registry_.on_sharding(context, from, reply);
  pump(context);
}

void Auditor::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (load_.owns(ticket)) {
    on_state(context, result);
    return pump(context);
  }
  if (saving_ == ticket) {
    on_saved(result);
    return pump(context);
  }
  if (output_.on_io(context, ticket, result)) return pump(context);
  for (auto search = searches_.begin(); search != searches_.end(); ++search) {
    const auto progress =
        search->proof.on_io(context, ticket, result, search->query.clicks, search->reply.presences);
    if (progress == OutputProof::Progress::not_mine) continue;
    if (progress == OutputProof::Progress::reading) {
      context.send(search->from, Body::make(OutputProgress{search->query.request}));
    }
    if (progress == OutputProof::Progress::done) {
      if (const auto& damage = search->proof.damage()) {
        PHOTON_MARK("verification.auditor.file_damaged");
        const Presence rest = testify(search->query.owner, *damage);
        std::ranges::replace(search->reply.presences, Presence::indeterminate, rest);
      }
      context.send(search->from, Body::make(std::move(search->reply)));
      searches_.erase(search);
    }
    return;
  }
  PHOTON_CHECK(false, "every completion has an owner");
}

void Auditor::on(Context& context, NodeId from, const OutputQuery& query) {
  ++statistics_.queries;
  OutputReply reply;
  reply.request = query.request;
  bool all = true;
  for (const EventId& click : query.clicks) {
    const bool present = index_.contains(click);
    PHOTON_LIMIT("verification.audit.click_stamp", click.stamp, index_.remembers_from());
    const bool absent = complete_ && click.stamp >= index_.remembers_from();
    all = all && present;
    reply.presences.push_back(present  ? Presence::present
                              : absent ? Presence::absent
                                       : Presence::unknown);
  }
  if (all || query.owner.incarnation == 0) {
    context.send(from, Body::make(std::move(reply)));
  } else {
    search(context, from, query, std::move(reply));
  }
}

void Auditor::search(Context& context, NodeId from, const OutputQuery& query, OutputReply reply) {
  PHOTON_MARK("verification.auditor.searches_the_file");
  ++statistics_.proofs;
  const FileName file =
      output_file(NodeId(query.owner.address), Incarnation(query.owner.incarnation));
  searches_.push_back(
      {from, query, std::move(reply), OutputProof(options_.cell, file, options_.read_chunk)});
  searches_.back().proof.start(context);
}

// What holds for the clicks that were not found in a damaged file. The last damage decides, because
// a file is cleared from its beginning.
Presence Auditor::testify(const OutputOwner& owner, const OutputProof::Damage& damage) const {
  const auto row = cleared_.find(owner);
  const Cleared known = row == cleared_.end() ? Cleared{} : row->second;
  if (damage.end > known.gap) {
    PHOTON_MARK("verification.auditor.indeterminate");
    return Presence::indeterminate;
  }
  const auto progress =
      output_.progress_of(output_file(NodeId(owner.address), Incarnation(owner.incarnation)));
  if (damage.end <= std::max(known.offset, progress ? progress->settled : 0)) {
    return Presence::absent;
  }
  // The auditor may have read them and be about to clear them, or may not have reached them.
  const bool stands_before_it = complete_ && progress && progress->taken >= damage.begin &&
                                progress->settled == progress->taken;
  if (!stands_before_it) PHOTON_MARK("verification.auditor.may_be_about_to_clear");
  return stands_before_it ? Presence::indeterminate : Presence::unknown;
}

// Records that an earlier life has cleared were sound then.
void Auditor::note_gap(const OutputOwner& owner, std::uint64_t begin, std::uint64_t end) {
  Cleared& known = cleared_[owner];
  if (end <= known.offset || begin >= known.gap) {
    PHOTON_MARK("verification.auditor.gap_known");
    return;
  }
  known.gap = std::max(begin, known.offset);
  unsaved_ = true;
}

void Auditor::pump(Context& context) {
  if (!loaded_) return;
  while (const auto done = registry_.next()) {
    output_.settle(*clearing_.find(done->tag));
    clearing_.erase(done->tag);
    if (done->code == RegistryCode::cleared) ++statistics_.cleared;
  }
  while (clearing_.size() < options_.max_clears) {
    const auto taken = output_.next();
    if (!taken.has_value()) {
      complete_ = complete_ || output_.caught_up();
      break;
    }
    take(*taken);
  }
  output_.for_each_skipped([this](const FileName& name, std::uint64_t begin, std::uint64_t end) {
    note_gap(owner_of(name), begin, end);
  });
  registry_.flush(context);
  output_.pump(context);
}

void Auditor::take(const logs::RecordSource::Taken& taken) {
  const OutputOwner owner = owner_of(output_.name_of(taken.place.file));
  JoinedRecord record;
  // Every registration has a token: a record without one belongs to no attempt.
  if (!decode_record(taken.record.body, record) || record.token.is_empty()) {
    PHOTON_MARK("verification.auditor.undecodable");
    note_gap(owner, taken.end - taken.record.framed().size(), taken.end);
    return output_.refuse(taken.place);
  }
  ++statistics_.seen;
  index_.add(record.click);
  const auto known = cleared_.find(owner);
  const bool cleared = known != cleared_.end() && taken.end <= known->second.offset;
  if (cleared) {
    PHOTON_MARK("verification.auditor.cleared_in_an_earlier_life");
    return output_.settle(taken.place);
  }
  registry_.clear(record.click, record.token, clearing_.emplace(taken.place));
}

}  // namespace photon
