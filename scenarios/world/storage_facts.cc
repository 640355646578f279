#include "scenarios/world/storage_facts.h"

#include <string_view>

#include "core_impl/paxos/disk_format.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/paxos/snapshot_file.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/intake/click_source.h"
#include "core_impl/photon/intake/journal.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/trace/pipeline.h"

namespace photonsim::scenarios {

namespace {

// A journal that is replaced says only what its new content says, be that nothing at all.
void dispatcher_facts(const photon::sim::StorageFact& fact, std::string_view name,
                      photon::trace::FactSink& sink) {
  const auto journal = photon::parse_journal_file(photon::kDispatcherPrefix, name);
  if (!journal) return;
  if (fact.change == photon::sim::StorageChange::appended) {
    return photon::journal_facts(fact.bytes, *journal, sink);
  }
  sink.fact(photon::trace::JournalReplaced{fact.bytes.size(), *journal});
  photon::journal_facts(fact.bytes, *journal, sink);
  sink.fact(photon::trace::JournalRestated{fact.bytes.size(), *journal});
}

// A replica's promises and votes count once they are on its disk; what it only asked for says
// nothing.
void replica_facts(const photon::sim::StorageFact& fact, std::string_view name,
                   photon::trace::FactSink& sink) {
  const bool its_disk =
      name.starts_with(photon::paxos::kLogPrefix) && fact.source == photon::trace::Source::durable;
  if (!its_disk) return;
  switch (fact.change) {
    case photon::sim::StorageChange::appended:
      return photon::paxos::segment_facts(name, fact.offset, fact.bytes, sink);
    case photon::sim::StorageChange::removed:
      return photon::paxos::removal_facts(name, sink);
    case photon::sim::StorageChange::fenced:
      return;  // replicas own their disks
    case photon::sim::StorageChange::replaced:
      // One is no other: each knows its own by name.
      photon::paxos::format_facts(name, fact.bytes, sink);
      photon::paxos::snapshot_facts(name, fact.bytes, sink);
  }
}

void fence_facts(const photon::sim::StorageFact& fact, std::string_view prefix,
                 photon::trace::FactSink& sink) {
  const auto joiner = photon::parse_output_directory(prefix);
  if (joiner)
    sink.fact(photon::trace::OutputFenced{*joiner, static_cast<std::uint32_t>(fact.epoch)});
}

}  // namespace

// Pieces of a copy end anywhere. They become durable in file order without gaps, so each continues
// the rest of the previous one. Damage from before the copy is copied as it is, with the records
// after it: readers see the same, and so do these facts.
void StorageFacts::copied(const photon::sim::StorageFact& fact, std::string_view name,
                          photon::trace::FactSink& sink) {
  if (fact.source != photon::trace::Source::durable) return;
  Copy& copy = copies_[{fact.volume.value(), std::string(name)}];
  photon::append_bytes(fact.bytes, copy.rest);
  const std::uint64_t before = copy.reader.offset();
  copy.reader.supply(before, copy.rest);
  while (const auto item = copy.reader.next()) {
    if (item->kind == photon::logs::LogItemKind::record)
      photon::output_facts(item->record.framed(), sink);
  }
  const auto used = static_cast<std::ptrdiff_t>(copy.reader.offset() - before);
  copy.rest.erase(copy.rest.begin(), copy.rest.begin() + used);
}

void StorageFacts::project(const photon::sim::StorageFact& fact, photon::trace::FactSink& sink) {
  const std::string_view name(fact.file->data(), fact.file->size());
  if (fact.kind == photon::sim::VolumeClass::host_disk) return replica_facts(fact, name, sink);
  if (fact.kind != photon::sim::VolumeClass::shared_cell) return;
  if (fact.change == photon::sim::StorageChange::fenced) return fence_facts(fact, name, sink);
  if (name.starts_with(photon::kOutputPrefix)) {
    photon::output_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::kOutputCopyPrefix)) {
    copied(fact, name, sink);
  } else if (name.starts_with(photon::kUnjoinablePrefix)) {
    photon::unjoinable_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::logs::kReinjectedPrefix)) {
    photon::reinjected_facts(photon::logs::log_file_of(*fact.file), fact.offset, fact.bytes, sink);
  } else if (name.starts_with(photon::kDispatcherPrefix)) {
    dispatcher_facts(fact, name, sink);
  }
}

}  // namespace photonsim::scenarios
