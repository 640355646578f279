#include "scenarios/world/storage_facts.h"

#include <string_view>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/dispatcher/journal.h"
#include "core_impl/photon/joiner/joined_record.h"

namespace photonsim::scenarios {

void StorageFacts::project(const photon::sim::StorageFact& fact, photon::trace::FactSink& sink) {
  if (fact.kind != photon::sim::VolumeClass::shared_cell || fact.bytes.empty()) return;
  const std::string_view name(fact.file->data(), fact.file->size());
  if (name.starts_with(photon::kOutputPrefix)) {
    photon::output_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::kUnjoinablePrefix)) {
    photon::unjoinable_facts(fact.bytes, sink);
  } else if (name.starts_with(photon::kDispatcherPrefix)) {
    photon::journal_facts(fact.bytes, sink);
  }
}

}  // namespace photonsim::scenarios
