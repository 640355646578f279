#include "analysis/oracles/j_s14_dispatcher_durability.h"

#include <fmt/format.h>

namespace photon::analysis {

void DispatcherDurability::on_fact(const Fact& fact) {
  if (fact.source() != trace::Source::durable) return;
  const std::uint32_t pipeline = evidence_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  if (fact.header().kind == trace::Kind::offset_saved) return on_offset(fact, pipeline);
  const Click& click = evidence_.click(fact.event);
  if (evidence_.finished(fact.event, pipeline)) return;
  const bool was_there = evidence_.at(fact.event, pipeline).in_retry_store;
  report(fact, click.id,
         was_there ? "its retry entry was removed before the click was finished"
                   : "a retry entry that does not exist was removed, of an unfinished click");
}

DispatcherDurability::Covered& DispatcherDurability::covered(std::uint32_t pipeline,
                                                             std::uint32_t file) {
  const auto key = (std::uint64_t{pipeline} << 32U) | file;
  Covered& known = covered_[key];
  known.file = file;
  return known;
}

void DispatcherDurability::on_offset(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::OffsetSaved>();
  Covered& before = covered(pipeline, saved.file);
  if (saved.offset <= before.offset) return;  // a repetition, or a regress: only waste
  before.offset = saved.offset;
  const auto& clicks = evidence_.clicks_of(saved.file);
  for (; before.clicks < clicks.size(); ++before.clicks) {
    const std::uint32_t index = clicks[before.clicks];
    const Click& click = evidence_.click(index);
    if (click.click_end > saved.offset) return;
    if (evidence_.finished(index, pipeline)) continue;
    if (evidence_.at(index, pipeline).in_retry_store) continue;
    report(
        fact, click.id,
        fmt::format("offset {} of file {} was persisted, which covers this click (it ends at {}); "
                    "it is neither finished here nor in the retry store",
                    saved.offset, saved.file, click.click_end));
  }
}

}  // namespace photon::analysis
