#include "analysis/oracles/j_s14_dispatcher_durability.h"

#include <fmt/format.h>

namespace photon::analysis {

void DispatcherDurability::on_fact(const Fact& fact) {
  if (fact.source() != trace::Source::durable) return;
  const std::uint32_t pipeline = evidence_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  switch (fact.header().kind) {
    case trace::Kind::offset_saved:
      return on_offset(fact, pipeline);
    case trace::Kind::journal_replaced:
      return on_replaced(fact, pipeline);
    case trace::Kind::journal_restated:
      return on_restated(fact, pipeline);
    default:
      return on_removed(fact, pipeline);
  }
}

void DispatcherDurability::on_removed(const Fact& fact, std::uint32_t pipeline) {
  const Click& click = evidence_.click(fact.event);
  if (evidence_.finished(fact.event, pipeline)) return;
  const bool was_there = evidence_.at(fact.event, pipeline).in_retry_store;
  report(fact, click.id,
         was_there ? "its retry entry was removed before the click was finished"
                   : "a retry entry that does not exist was removed, of an unfinished click");
}

DispatcherDurability::Covered& DispatcherDurability::covered(std::uint32_t pipeline,
                                                             std::uint32_t file) {
  Covered& known = covered_[key_of(pipeline, file)];
  known.pipeline = pipeline;
  known.file = file;
  return known;
}

// The offsets of the old journal are void. A new one that is lower makes its dispatcher read again
// what lies behind it, so these clicks are looked at again when it advances.
void DispatcherDurability::on_replaced(const Fact& fact, std::uint32_t pipeline) {
  for (auto& [key, known] : covered_) {  // order-free: each is treated alike
    if (known.pipeline == pipeline && known.keeper == fact.header().node) known.offset = 0;
  }
}

void DispatcherDurability::on_restated(const Fact& fact, std::uint32_t pipeline) {
  for (const std::uint32_t index : evidence_.node(fact.header().node).before_rewrite) {
    const AtPipeline& at = evidence_.at(index, pipeline);
    if (at.in_retry_store || at.told != 0) continue;
    const Click& click = evidence_.click(index);
    const auto known = covered_.find(key_of(pipeline, click.click_file));
    if (known == covered_.end() || click.click_end > known->second.offset) continue;
    report(fact, click.id,
           fmt::format("the journal was rewritten without this unfinished click, which it held "
                       "before; its offset {} of file {} covers the click (it ends at {})",
                       known->second.offset, click.click_file, click.click_end));
  }
}

void DispatcherDurability::on_offset(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::OffsetSaved>();
  Covered& before = covered(pipeline, saved.file);
  before.keeper = fact.header().node;
  if (saved.offset <= before.offset) return;  // a repetition, or a regress: only waste
  before.offset = saved.offset;
  forget_behind(before);
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

// After a rewrite: clicks behind the offset are not covered any more.
void DispatcherDurability::forget_behind(Covered& known) const {
  const auto& clicks = evidence_.clicks_of(known.file);
  while (known.clicks > 0 && evidence_.click(clicks[known.clicks - 1]).click_end > known.offset) {
    --known.clicks;
  }
}

}  // namespace photon::analysis
