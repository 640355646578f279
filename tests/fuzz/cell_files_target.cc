// Files that processes of the pipeline keep in their datacenter's cell, each with the input's
// bytes. The first byte names the reader. Each reader continues with what is readable; damage costs
// work, or is reported as damage, but ends no process.
#include <map>
#include <string>

#include "core_impl/logs/event.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/event_store/map_recovery.h"
#include "core_impl/photon/event_store/reader.h"
#include "core_impl/photon/incarnations/incarnation_registry.h"
#include "core_impl/photon/intake/click_source.h"
#include "core_impl/photon/intake/state_store.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/photon/verification/auditor.h"
#include "core_impl/photon/verification/output_proof.h"
#include "core_impl/runtime/file_name.h"
#include "tests/fuzz/ignored_facts.h"
#include "tests/fuzz/stored_file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/fake_context.h"

namespace photon::fuzz {
namespace {

using photon::testing::FakeContext;

constexpr NodeId kSelf{7};
constexpr VolumeId kCell{1};
constexpr VolumeId kLogs{2};

std::string text(const FileName& name) { return std::string(view_of(name)); }

// The records of a journal, each after its tag (journal.h).
template <class Record>
struct Tagged {
  std::uint8_t tag = Record::kTag;
  Record record{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.tag);
    Record::each_field(self.record, visit);
  }
};

// The tag comes from the type: from the input it would seldom be valid.
template <class Record>
void append_entry(Input& input, Bytes& file) {
  append_encoded(Tagged<Record>{Record::kTag, value_from<Record>(input)}, file);
}

Bytes journal_from(Input& input) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16U;
  constexpr void (*kEntries[])(Input&, Bytes&) = {
      append_entry<OwnershipRecord>, append_entry<OffsetRecord>, append_entry<SavedRecord>,
      append_entry<RemovedRecord>,   append_entry<IntentRecord>, append_entry<SkippedRecord>};
  Bytes file;
  while (!input.is_empty() && file.size() < kMostBytes) {
    const std::uint32_t piece = input.byte();
    if (piece == 0) append_bytes(input.bytes(), file);
    if (piece == 1) append_record(input.bytes(), file);
    if (piece > 1) kEntries[piece % std::size(kEntries)](input, file);
  }
  return file;
}

// A state store takes the journal over; the clicks' files are restored as a dispatcher does it.
class JournalOwner final : public Node {
 public:
  void on_start(Context& context) override { store.look(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { store.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    switch (store.on_io(context, ticket, result)) {
      case StateStore::Event::looked:
        return store.start(context, 9);
      case StateStore::Event::recovered:
        return recovered(context);
      default:
        return;
    }
  }
  StateStore store{{.cell = kCell}};
  bool has_recovered = false;

 private:
  void recovered(Context& context) {
    has_recovered = true;
    ClickSource source{{logs::LogType::foreign, {.volume = kLogs}},
                       {logs::LogType::reinjected, {.volume = kCell}}};
    Bytes snapshot;
    const JournalState& state = store.state();
    for (const OffsetRecord& each : state.offsets) {
      source.restore(each.file, each.offset);
      append_journal(each, snapshot);
    }
    for (const SavedRecord& each : state.saved) append_journal(each, snapshot);
    for (const IntentRecord& each : state.intents) append_journal(each, snapshot);
    const JournalState again = read_journal(snapshot);
    require(again.bytes_ignored == 0 && again.offsets.size() == state.offsets.size() &&
                again.saved.size() == state.saved.size() &&
                again.intents.size() == state.intents.size(),
            "restored state is saved, and read again");
    store.publish(context, std::move(snapshot));
  }
};

void run(Node& node, FakeContext& context, int timers) {
  constexpr int kMostRequests = 200;
  node.on_start(context);
  for (int fired = 0;; ++fired) {
    for (int i = 0; i < kMostRequests && !context.pending.empty(); ++i) context.complete(node);
    if (fired == timers || !context.next_timer()) return;
    context.fire(node, *context.next_timer());
  }
}

Outcome journal(Input& input, FakeContext& context) {
  const Bytes file = journal_from(input);
  IgnoredFacts facts;
  journal_facts(file, 1, facts);
  context.disks[kCell][text(partition_journal(kDispatcherPrefix, kSelf.value()))] = file;
  JournalOwner owner;
  run(owner, context, 2);
  return owner.has_recovered ? Outcome::accepted : Outcome::refused;
}

// The log file map, and the searches that use it.
class MapOwner final : public Node {
 public:
  void on_start(Context& context) override {
    recovery.start(context, {.cell = kCell, .prefix = event_store_map_directory(kSelf)});
  }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { recovery.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    require(recovery.on_io(context, ticket, result, map), "a completion belongs to the recovery");
  }
  MapRecovery recovery;
  LogFileMap map{MapSpacing{}};
};

Outcome log_file_map(Input& input, FakeContext& context) {
  auto target = EventId{};
  InputFields fill(input);
  fill(target);
  for (std::uint32_t life = 1; life <= 2; ++life) {
    context.disks[kCell][text(event_store_map_file(kSelf, Incarnation(life)))] =
        stored_file<MapJournalRecord>(input);
  }
  MapOwner owner;
  run(owner, context, 1);
  require(owner.recovery.is_finished(), "the recovery of a map comes to an end");
  PooledVector<LogPiece> pieces;
  owner.map.plan(target, pieces);
  for (const LogPiece& piece : pieces) {
    require(piece.begin <= piece.mapped, "a piece begins no later than its mapped part");
    static_cast<void>(owner.map.may_hold(piece.file, target));
    static_cast<void>(owner.map.mapped_until(piece.file));
  }
  static_cast<void>(owner.map.has_passed(target));
  return owner.recovery.is_damaged() ? Outcome::refused : Outcome::accepted;
}

Outcome reader_offsets(Input& input, FakeContext& context) {
  context.disks[kCell][text(event_store_offsets_file(kSelf))] = stored_file<ReaderState>(input);
  for (std::uint16_t server = 1; server <= 2; ++server) {
    const logs::LogFile file{logs::LogType::primary, server, 0};
    context.disks[kLogs][text(file.name())] = stored_file<logs::PrimaryEvent>(input);
  }
  EventStoreReaderOptions options;
  options.logs = kLogs;
  options.cell = kCell;
  options.log_store = NodeId{2};
  options.cache_nodes = {NodeId{3}};
  EventStoreReader reader(options);
  run(reader, context, 3);
  return reader.statistics().state_lost == 0 ? Outcome::accepted : Outcome::refused;
}

struct ClearedRows {
  PooledVector<Auditor::Row> rows;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.rows);
  }
};

Outcome auditor(Input& input, FakeContext& context) {
  context.disks[kCell][text(auditor_file(kSelf))] = stored_file<ClearedRows>(input);
  const FileName output = output_file(NodeId{20}, Incarnation(1));
  const Bytes written = stored_file<JoinedRecord>(input);
  context.disks[kCell][text(output)] = written;
  IgnoredFacts facts;
  output_facts(written, facts);
  unjoinable_facts(written, facts);
  reinjected_facts(logs::LogFile{logs::LogType::reinjected, 1, 1}, 0, written, facts);
  AuditorOptions options;
  options.cell = kCell;
  options.registry.replicas = {{NodeId{2}}};
  Auditor node(options);
  run(node, context, 3);
  OutputQuery query;
  query.request = 1;
  query.owner = {20, 1};
  query.clicks.push_back(EventId{1, 1, Stamp{}});
  node.on_message(context, NodeId{40}, Body::make(query));
  context.complete_all(node);
  const auto replies = context.sent_of<OutputReply>();
  require(replies.size() == 1, "a request is answered once, whatever the file");
  return node.statistics().seen > 0 ? Outcome::accepted : Outcome::refused;
}

Outcome incarnations(Input& input, FakeContext& context) {
  IncarnationRegistryOptions options;
  options.cell = kCell;
  options.fenced.push_back({20, kCell, directory_of(kOutputPrefix, NodeId{20})});
  for (std::uint32_t copy = 0; copy < kIncarnationTableCopies; ++copy) {
    context.disks[kCell][text(incarnation_table_copy(copy))] = stored_file<GrantedLives>(input);
  }
  IncarnationRegistry node(options);
  run(node, context, 2);
  node.on_message(context, NodeId{20}, Body::make(value_from<IncarnationRequest>(input)));
  for (int i = 0; i < 8 && !context.pending.empty(); ++i) context.complete(node);
  const bool granted = !context.sent_of<IncarnationGrant>().empty();
  return granted ? Outcome::accepted : Outcome::refused;
}

Outcome file_names(Input& input) {
  const std::string_view name = text_of(input.rest());
  const auto parsed = logs::LogFile::parse(name);
  if (parsed) require(view_of(parsed->name()) == name, "a log file has one name");
  if (parsed) require(logs::LogFile::from_number(parsed->number()) == *parsed, "and one number");
  const auto output = parse_output_file(name);
  if (output) require(view_of(output_file(output->node, output->life)) == name, "one name");
  const auto directory = parse_output_directory(name);
  const auto number = parse_journal_file(kDispatcherPrefix, name);
  if (number) require(view_of(partition_journal(kDispatcherPrefix, *number)) == name, "one name");
  return parsed || output || directory || number ? Outcome::accepted : Outcome::refused;
}

}  // namespace

Outcome cell_files(std::span<const std::byte> bytes) {
  Input input(bytes);
  FakeContext context(kSelf);
  switch (input.byte() % 6) {
    case 0:
      return journal(input, context);
    case 1:
      return log_file_map(input, context);
    case 2:
      return reader_offsets(input, context);
    case 3:
      return auditor(input, context);
    case 4:
      return incarnations(input, context);
    default:
      return file_names(input);
  }
}

}  // namespace photon::fuzz
