#include "trace_views/record_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "analysis/capacity/resource_table.h"
#include "analysis/oracles/violation.h"
#include "core_impl/base/time_text.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "trace_views/code_names.h"

namespace photonsim::trace_views {
namespace {

namespace trace = photon::trace;
namespace analysis = photon::analysis;

std::string stamp_text(photon::Stamp stamp) {
  return photon::in_seconds(photon::Duration(photon::nanoseconds_of(stamp)));
}

// ---- the environment

void show(const trace::CoreChosen& f, Fields& out) {
  std::string numbers;
  for (std::uint16_t i = 0; i < 64; ++i) {
    if ((f.datacenters >> i & 1U) == 0) continue;
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(i);
  }
  out.text("datacenters", numbers.empty() ? "none" : numbers);
  out.number("replicas", f.replicas);
}
void show(const trace::RunPhase& f, Fields& out) { out.gist("phase", name_of(f.phase)); }
void show(const trace::ProcessStarted& /*fact*/, Fields& /*out*/) {}
void show(const trace::ProcessCrashed& f, Fields& out) {
  out.number("fault", f.fault).gist("end", f.in_order != 0 ? "in order" : "by force");
}
void show(const trace::ProcessPaused& f, Fields& out) { out.duration("for", f.nanoseconds); }
void show(const trace::ProcessResumed& /*fact*/, Fields& /*out*/) {}
void show(const trace::ResourceUsed& f, Fields& out) {
  const auto interval = static_cast<double>(f.nanoseconds);
  out.gist("resource", analysis::resource_name(f.resource)).duration("in the last", f.nanoseconds);
  out.text("used", fmt::format("{:.4g}", static_cast<double>(f.used_sum) / interval));
  out.number("limit", f.limit);
  out.text("waiting", fmt::format("{:.4g}", static_cast<double>(f.waiting_sum) / interval));
}
void show(const trace::Recalled& f, Fields& out) {
  out.text("the next is of", photon::in_seconds(f.moment - photon::SimTime{}));
  out.number("rounds left out", f.left_out);
}
void show(const trace::ClockStepped& f, Fields& out) {
  out.number("host", f.host).duration("by", f.step_nanoseconds);
}
void show(const trace::PartitionBegan& f, Fields& out) {
  out.number("fault", f.fault).datacenter("from", f.from).datacenter("to", f.to);
}
void show(const trace::PartitionHealed& f, Fields& out) {
  out.number("fault", f.fault).datacenter("from", f.from).datacenter("to", f.to);
}
void show(const trace::OutageBegan& f, Fields& out) {
  out.number("fault", f.fault).gist("component", component_name(f.component));
}
void show(const trace::OutageEnded& f, Fields& out) {
  out.number("fault", f.fault).gist("component", component_name(f.component));
}
void show(const trace::FaultEffect& f, Fields& out) { out.number("fault", f.fault); }
void show(const trace::ClickGenerated& f, Fields& out) {
  out.event("click", f.click).event("query", f.query);
  out.number("click file", f.click_file).number("click end", f.click_end);
  out.number("query file", f.query_file).number("query end", f.query_end);
  out.hash("joined hash", f.joined_hash).number("to be skipped", f.expect_skip);
}
void show(const trace::LogVisible& f, Fields& out) {
  out.number("file", f.file).number("length", f.length);
}
void show(const trace::InputDamaged& f, Fields& out) {
  out.event("event", f.event).number("file", f.file);
  out.number("begin", f.begin).number("end", f.end);
  out.gist("how", f.lost != 0 ? "lost" : "unreadable");
}

// ---- consensus

void show(const trace::PaxosPrepare& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).number("from slot", f.from_slot);
  out.number("released", f.released);
}
void show(const trace::PaxosPromise& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).number("from slot", f.from_slot);
  out.number("reported", f.reported);
}
void show(const trace::PaxosReported& f, Fields& out) {
  out.number("group", f.group.value()).number("slot", f.slot);
  out.number("promised ballot", f.promised_ballot).number("accepted ballot", f.accepted_ballot);
  out.hash("value", f.value_hash);
}
void show(const trace::PaxosAccept& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).number("slot", f.slot);
  out.hash("value", f.value_hash);
}
void show(const trace::PaxosHeartbeat& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).duration("stamp", f.stamp);
}
void show(const trace::PaxosGranted& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).duration("stamp", f.stamp);
}
void show(const trace::PaxosAccepted& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot).number("slot", f.slot);
  out.hash("value", f.value_hash);
}
void show(const trace::PaxosLogWritten& f, Fields& out) {
  out.number("group", f.group.value()).number("replica", f.replica);
  out.number("segment", f.segment).number("offset", f.offset).number("previous", f.previous);
  out.number("valid of previous", f.previous_valid).number("begins a chain", f.beginning);
  out.number("base", f.base);
}
void show(const trace::PaxosLogRestated& f, Fields& out) {
  out.number("group", f.group.value()).number("segment", f.segment).number("base", f.base);
}
void show(const trace::PaxosLogRemoved& f, Fields& out) {
  out.number("group", f.group.value()).number("segment", f.segment);
}
void show(const trace::PaxosAdmission& f, Fields& out) {
  out.number("group", f.group.value()).number("replica", f.replica);
  out.number("generation", f.generation).hash("value", f.value_hash);
}
void show(const trace::PaxosFormatted& f, Fields& out) {
  out.number("group", f.group.value()).number("generation", f.generation);
}
void show(const trace::PaxosSnapshot& f, Fields& out) {
  out.number("group", f.group.value()).number("slot", f.slot).hash("state", f.state_hash);
}
void show(const trace::SlotApplied& f, Fields& out) {
  out.number("group", f.group.value()).number("slot", f.slot).number("operations", f.operations);
  out.hash("value", f.value_hash).hash("state", f.state_hash);
}
void show(const trace::StateRestored& f, Fields& out) {
  out.number("group", f.group.value()).number("slot", f.slot).hash("state", f.state_hash);
}
void show(const trace::MasterElected& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot);
  out.number("applied slot", f.applied_slot);
}
void show(const trace::LeaseExtended& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot);
  out.duration("remaining", f.remaining_nanoseconds);
}
void show(const trace::MasterEnded& f, Fields& out) {
  out.number("group", f.group.value()).number("ballot", f.ballot);
}

// ---- the registry

void show(const trace::RegistryAsk& f, Fields& out) {
  out.gist("operation", name_of(f.operation)).event("id", f.id).token("token", f.token);
  out.number("request", f.request).number("shard", f.shard.value());
  out.text("look-ups", name_of(f.lookups)).number("at least slot", f.at_least);
}
void show(const trace::RegistryAnswer& f, Fields& out) {
  out.text("operation", name_of(f.operation)).gist("code", trace::name_of(f.code));
  out.event("id", f.id).token("token", f.token).number("request", f.request);
  out.number("shard", f.shard.value()).number("slot", f.slot).text("look-ups", name_of(f.lookups));
}
void show(const trace::OperationApplied& f, Fields& out) {
  out.text("operation", name_of(f.operation)).gist("code", trace::name_of(f.code));
  out.event("id", f.id).token("token", f.token).number("shard", f.shard.value());
  out.number("slot", f.slot).number("index", f.index).number("fresh", f.fresh);
}
void show(const trace::BatchProposed& f, Fields& out) {
  out.number("shard", f.shard.value()).number("slot", f.slot).number("operations", f.operations);
  out.number("queued after", f.queued_after);
}
void show(const trace::BoundaryMoved& f, Fields& out) {
  out.number("shard", f.shard.value()).number("slot", f.slot);
  out.text("boundary", stamp_text(f.boundary));
}
void show(const trace::FutureInsert& f, Fields& out) {
  out.event("id", f.id).token("token", f.token).number("shard", f.shard.value());
  out.duration("ahead", f.ahead_nanoseconds).gist("answer", f.rejected != 0 ? "refused" : "taken");
}
void show(const trace::IncarnationGranted& f, Fields& out) {
  out.process("process", photon::NodeId(f.address)).number("life", f.incarnation);
  out.number("request", f.request);
}
void show(const trace::ShardingApplied& f, Fields& out) {
  out.gist("action", name_of(f.action)).number("version", f.version).number("shards", f.shards);
  out.text("start", stamp_text(f.start)).number("group", f.group.value()).number("slot", f.slot);
}
void show(const trace::ShardingRead& f, Fields& out) { out.number("request", f.request); }
void show(const trace::ShardingAsk& f, Fields& out) {
  out.number("request", f.request).number("version", f.version).number("shards", f.shards);
  out.text("start", stamp_text(f.start));
}
void show(const trace::ShardingAnswer& f, Fields& out) {
  out.gist("code", trace::name_of(f.code)).number("request", f.request);
  out.number("version", f.version).text("newest", stamp_text(f.newest));
}
void show(const trace::LoadAsked& f, Fields& out) {
  out.gist("operation", name_of(f.operation)).event("id", f.id).token("token", f.token);
  out.number("number", f.number);
}
void show(const trace::LoadDone& f, Fields& out) {
  out.text("operation", name_of(f.operation)).gist("code", trace::name_of(f.code));
  out.event("id", f.id).token("token", f.token).number("number", f.number);
}

// ---- the pipeline

void show(const trace::JoinAsk& f, Fields& out) {
  out.event("click", f.click).event("query", f.query).number("request", f.request);
  out.number("attempts before", f.attempts);
}
void show(const trace::JoinAnswer& f, Fields& out) {
  out.gist("outcome", name_of(f.outcome)).event("click", f.click).number("request", f.request);
}
void show(const trace::QueryAsk& f, Fields& out) {
  out.gist("tier", name_of(f.tier)).event("query", f.query).number("request", f.request);
}
void show(const trace::QueryAnswer& f, Fields& out) {
  out.gist("status", name_of(f.status)).event("query", f.query).event("returned", f.returned);
  out.text("tier", name_of(f.tier)).number("request", f.request);
}
void show(const trace::AdapterDecided& f, Fields& out) {
  out.gist("decision", f.skipped != 0 ? "skip" : "join");
  out.event("click", f.click).event("query", f.query);
}
void show(const trace::ClickRead& f, Fields& out) {
  out.event("click", f.click).number("file", f.file).number("end", f.end);
}
void show(const trace::ClickDone& f, Fields& out) {
  out.gist("reason", name_of(f.reason)).event("click", f.click).number("attempts", f.attempts);
}
void show(const trace::OutputRecord& f, Fields& out) {
  out.event("click", f.click).event("query", f.query).token("token", f.token);
  out.hash("joined hash", f.joined_hash);
}
void show(const trace::OffsetSaved& f, Fields& out) {
  out.number("file", f.file).number("offset", f.offset).number("journal", f.journal);
}
void show(const trace::RangeSkipped& f, Fields& out) {
  out.number("file", f.file).number("offset", f.offset).number("journal", f.journal);
}
void show(const trace::RetrySaved& f, Fields& out) {
  out.event("click", f.click).number("attempts", f.attempts).number("journal", f.journal);
  out.number("failed tries", f.tries).duration("due (local clock)", photon::nanoseconds_of(f.due));
}
void show(const trace::RetryRemoved& f, Fields& out) {
  out.event("click", f.click).number("journal", f.journal);
}
void show(const trace::JournalOwned& f, Fields& out) {
  out.process("owner", f.owner).number("journal", f.journal).number("epoch", f.epoch);
  out.duration("lease", f.lease_nanoseconds);
}
void show(const trace::JournalReplaced& f, Fields& out) {
  out.number("journal", f.journal).number("bytes", f.bytes);
}
void show(const trace::JournalRestated& f, Fields& out) {
  out.number("journal", f.journal).number("bytes", f.bytes);
}
void show(const trace::UnjoinableLogged& f, Fields& out) {
  out.event("click", f.click).number("attempts", f.attempts);
}
void show(const trace::ClickReinjected& f, Fields& out) {
  out.event("click", f.click).number("file", f.file).number("end", f.end);
  out.number("removed at slot", f.removed_at);
}
void show(const trace::ClickVerified& f, Fields& out) {
  out.gist("verdict", name_of(f.verdict)).event("click", f.click);
  out.number("brought back", f.reinjections);
}
void show(const trace::OutputLost& f, Fields& out) {
  out.event("click", f.click).token("token", f.token);
}
void show(const trace::OutputFenced& f, Fields& out) {
  out.process("joiner", f.joiner).number("below life", f.life);
}
void show(const trace::OutputAsk& f, Fields& out) {
  out.event("click", f.click).process("owner", f.owner).number("life", f.life);
  out.number("request", f.request).number("place", f.place);
}
void show(const trace::OutputAnswer& f, Fields& out) {
  out.gist("presence", name_of(f.presence)).number("request", f.request).number("place", f.place);
}
void show(const trace::RecordSkipped& f, Fields& out) {
  out.number("file", f.file).number("begin", f.begin).number("end", f.end);
}
void show(const trace::ReaderProgress& f, Fields& out) {
  out.number("file", f.file).number("offset", f.offset);
}

// ---- the table

struct KindRow {
  trace::Kind kind;
  std::string_view title;
  void (*show)(const trace::Record& record, Fields& out);
};

template <trace::Payload P>
constexpr KindRow row(std::string_view title) {
  return {P::kKind, title,
          [](const trace::Record& record, Fields& out) { show(record.as<P>(), out); }};
}

constexpr KindRow kRows[] = {
    row<trace::RunPhase>("phase of the run"),
    row<trace::CoreChosen>("core chosen"),
    row<trace::ProcessStarted>("process started"),
    row<trace::ProcessCrashed>("process ended"),
    row<trace::ProcessPaused>("process paused"),
    row<trace::ProcessResumed>("process resumed"),
    row<trace::ResourceUsed>("resource used"),
    row<trace::Recalled>("recalled"),
    row<trace::ClockStepped>("clock stepped"),
    row<trace::PartitionBegan>("partition began"),
    row<trace::PartitionHealed>("partition healed"),
    row<trace::OutageBegan>("outage began"),
    row<trace::OutageEnded>("outage ended"),
    row<trace::FaultEffect>("fault took effect"),
    row<trace::ClickGenerated>("click generated"),
    row<trace::LogVisible>("log readable"),
    row<trace::InputDamaged>("input damaged"),
    row<trace::PaxosPrepare>("prepare"),
    row<trace::PaxosPromise>("promise"),
    row<trace::PaxosReported>("acceptance reported"),
    row<trace::PaxosAccept>("accept"),
    row<trace::PaxosAccepted>("accepted"),
    row<trace::PaxosLogWritten>("replica log written"),
    row<trace::PaxosLogRestated>("replica log restated"),
    row<trace::PaxosLogRemoved>("replica log removed"),
    row<trace::PaxosAdmission>("disk admitted"),
    row<trace::PaxosFormatted>("disk formatted"),
    row<trace::PaxosSnapshot>("snapshot"),
    row<trace::PaxosHeartbeat>("heartbeat"),
    row<trace::PaxosGranted>("lease granted"),
    row<trace::SlotApplied>("slot applied"),
    row<trace::StateRestored>("state restored"),
    row<trace::MasterElected>("master elected"),
    row<trace::LeaseExtended>("lease extended"),
    row<trace::MasterEnded>("mastership ended"),
    row<trace::RegistryAsk>("registry request"),
    row<trace::RegistryAnswer>("registry answer"),
    row<trace::OperationApplied>("operation applied"),
    row<trace::BatchProposed>("batch proposed"),
    row<trace::BoundaryMoved>("boundary moved"),
    row<trace::FutureInsert>("insert from the future"),
    row<trace::IncarnationGranted>("life granted"),
    row<trace::ShardingApplied>("sharding applied"),
    row<trace::ShardingAsk>("sharding request"),
    row<trace::ShardingAnswer>("sharding answer"),
    row<trace::ShardingRead>("sharding read"),
    row<trace::LoadAsked>("load operation asked"),
    row<trace::LoadDone>("load operation done"),
    row<trace::JoinAsk>("join request"),
    row<trace::JoinAnswer>("join answer"),
    row<trace::QueryAsk>("query look-up"),
    row<trace::QueryAnswer>("query answer"),
    row<trace::AdapterDecided>("adapter decided"),
    row<trace::ClickRead>("click read"),
    row<trace::ClickDone>("click done"),
    row<trace::OutputRecord>("joined record"),
    row<trace::OffsetSaved>("offset saved"),
    row<trace::RangeSkipped>("range skipped"),
    row<trace::RetrySaved>("retry saved"),
    row<trace::RetryRemoved>("retry removed"),
    row<trace::JournalOwned>("journal owned"),
    row<trace::JournalReplaced>("journal replaced"),
    row<trace::JournalRestated>("journal restated"),
    row<trace::UnjoinableLogged>("unjoinable logged"),
    row<trace::ClickReinjected>("click brought back"),
    row<trace::ClickVerified>("click verified"),
    row<trace::OutputLost>("output lost"),
    row<trace::OutputFenced>("output fenced"),
    row<trace::OutputAsk>("output ask"),
    row<trace::OutputAnswer>("output answer"),
    row<trace::RecordSkipped>("bytes passed over"),
    row<trace::ReaderProgress>("reader progress"),
};

constexpr std::size_t kKinds = 512;

constexpr std::array<const KindRow*, kKinds> kRowByKind = [] {
  std::array<const KindRow*, kKinds> rows{};
  for (const KindRow& each : kRows) rows[static_cast<std::size_t>(each.kind)] = &each;
  return rows;
}();

const KindRow* row_of(trace::Kind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return number < kKinds ? kRowByKind[number] : nullptr;
}

// The event ids that it names.
std::vector<Field> events_in(const trace::Record& record) {
  static const analysis::TracePlaces kNoNames;
  Fields fields(kNoNames, Fields::Detail::events);
  const KindRow* const row = row_of(record.header.kind);
  if (row != nullptr) row->show(record, fields);
  return fields.list();
}

}  // namespace

std::string_view name_of(Family family) {
  switch (family) {
    case Family::environment:
      return "environment";
    case Family::consensus:
      return "consensus";
    case Family::registry:
      return "registry";
    case Family::pipeline:
      break;
  }
  return "pipeline";
}

Family family_of(trace::Kind kind) {
  const auto number = static_cast<std::uint16_t>(kind);
  return static_cast<Family>(std::min(number / 100, static_cast<int>(kFamilies) - 1));
}

std::string title_of(trace::Kind kind) {
  const KindRow* const row = row_of(kind);
  if (row != nullptr) return std::string(row->title);
  return fmt::format("record of kind {}", static_cast<unsigned>(kind));
}

bool has_row(trace::Kind kind) { return row_of(kind) != nullptr; }

Fields fields_of(const trace::Record& record, const analysis::TracePlaces& places) {
  Fields fields(places);
  const KindRow* const row = row_of(record.header.kind);
  if (row != nullptr) row->show(record, fields);
  return fields;
}

bool is_about(const trace::Record& record, const photon::EventId& event) {
  return std::ranges::any_of(events_in(record),
                             [&](const Field& field) { return field.id == event; });
}

photon::EventId event_of(const trace::Record& record) {
  const std::vector<Field> events = events_in(record);
  return events.empty() ? photon::EventId{} : events.front().id;
}

}  // namespace photonsim::trace_views
