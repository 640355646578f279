#include "scenarios/faults/output_loss.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core_impl/base/random.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "models/purposes.h"
#include "sim/tap.h"
#include "sim/volumes.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

// The first joined record in the bytes.
class FirstOutput final : public photon::trace::FactSink {
 public:
  std::optional<photon::trace::OutputLost> found{};

 private:
  void raw_fact(photon::trace::Kind kind, const void* payload, std::size_t /*size*/) override {
    if (kind != photon::trace::Kind::output_record || found) return;
    const auto& record = *static_cast<const photon::trace::OutputRecord*>(payload);
    found = photon::trace::OutputLost{record.click, record.token};
  }
};

}  // namespace

std::string LoseOutput::text(const sim::Topology& topology) const {
  return fmt::format("of {} joined records in {}{}", records, topology.datacenter(datacenter).name,
                     after == After::returned ? ", which return" : "");
}

std::vector<LoseOutput::Stored> LoseOutput::stored_in(sim::Volumes& volumes) const {
  const photon::RandomStream random(seed, photon::models::purpose::kLogFaults, key);
  std::vector<Stored> stored;
  for (const photon::FileInfo& file : volumes.durable_files(cell, photon::kOutputPrefix)) {
    std::uint64_t offset = 0;
    photon::Bytes bytes;
    volumes.read_durable(cell, file.name, offset, bytes);
    photon::logs::LogReader reader(
        offset);  // begins inside a record if the first ones were removed
    reader.supply(offset, std::move(bytes));
    while (const auto item = reader.next()) {
      if (item->kind != photon::logs::LogItemKind::record) continue;
      FirstOutput output;
      photon::output_facts(item->record.framed(), output);
      if (!output.found) continue;
      stored.push_back(
          {file.name, item->offset, item->end, *output.found, random.word(stored.size())});
    }
  }
  return stored;
}

sim::Readiness LoseOutput::ready(sim::FaultScene& scene) {
  lost = stored_in(scene.volumes);
  std::ranges::stable_sort(lost, {}, &Stored::rank);
  lost.resize(std::min<std::size_t>(lost.size(), records));
  return sim::Readiness::now;
}

void LoseOutput::begin(sim::FaultScene& scene) const {
  sim::Party about;
  about.datacenter = datacenter;
  for (const Stored& each : lost) {
    scene.volumes.lose(cell, each.file, each.begin, each.end - each.begin);
    scene.tap.record(photon::trace::Source::environment, about, each.fact);
  }
  if (!lost.empty() && after == After::gone) scene.took_effect();
}

void LoseOutput::end(sim::FaultScene& scene) const {
  if (after == After::gone) return;
  for (const Stored& each : lost) {
    if (scene.volumes.give_back(cell, each.file, each.begin, each.end - each.begin)) {
      scene.took_effect();
    }
  }
}

}  // namespace photonsim::scenarios
