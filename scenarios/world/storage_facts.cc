#include "scenarios/world/storage_facts.h"

#include <string_view>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/dispatcher/journal.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/trace/pipeline.h"

namespace photonsim::scenarios {

namespace {

// A journal that is replaced says only what its new content says, be that nothing at all.
void dispatcher_facts(const photon::sim::StorageFact& fact, photon::trace::FactSink& sink) {
  if (fact.change == photon::sim::StorageChange::appended) {
    return photon::journal_facts(fact.bytes, sink);
  }
  sink.fact(photon::trace::JournalReplaced{fact.bytes.size()});
  photon::journal_facts(fact.bytes, sink);
  sink.fact(photon::trace::JournalRestated{fact.bytes.size()});
}

}  // namespace

void StorageFacts::project(const photon::sim::StorageFact& fact, photon::trace::FactSink& sink) {
  if (fact.kind != photon::sim::VolumeClass::shared_cell) return;
  const std::string_view name(fact.file->data(), fact.file->size());
  if (name.starts_with(photon::kOutputPrefix)) {
    photon::output_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::kUnjoinablePrefix)) {
    photon::unjoinable_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::kDispatcherPrefix)) {
    dispatcher_facts(fact, sink);
  }
}

}  // namespace photonsim::scenarios
