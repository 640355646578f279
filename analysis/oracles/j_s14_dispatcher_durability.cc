#include "analysis/oracles/j_s14_dispatcher_durability.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void DispatcherDurability::on_fact(const Fact& fact) {
  if (fact.source() != trace::Source::durable) return;
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  switch (fact.header().kind) {
    case trace::Kind::offset_saved:
      return on_offset(fact, pipeline);
    case trace::Kind::journal_replaced:
      return on_replaced(fact, pipeline);
    case trace::Kind::journal_restated:
      return on_restated(fact, pipeline);
    case trace::Kind::range_skipped:
      return on_skipped(fact);
    default:
      return on_removed(fact, pipeline);
  }
}

void DispatcherDurability::on_removed(const Fact& fact, std::uint32_t pipeline) {
  oblige();
  const Click& click = join_.click(fact.event);
  if (!join_.finished(fact.event, pipeline)) {
    const bool was_there = join_.at(fact.event, pipeline).in_retry_store;
    return report(fact, click.id,
                  was_there
                      ? "its retry entry was removed before the click was finished"
                      : "a retry entry that does not exist was removed, of an unfinished click");
  }
  const std::uint32_t journal = fact.as<trace::RetryRemoved>().journal;
  const Passed* passed = unfinished_return(fact.event, pipeline, journal);
  if (passed == nullptr) return;
  report(fact, click.id,
         fmt::format("its retry entry was removed, although the click was brought back at {} and "
                     "no answer has arrived since",
                     describe(passed->back.at)));
}

const DispatcherDurability::Passed* DispatcherDurability::unfinished_return(
    std::uint32_t click, std::uint32_t pipeline, std::uint32_t journal) const {
  if (!join_.at(click, pipeline).returned) return nullptr;
  const auto found = passed_.find(key_of(pipeline, click));
  if (found == passed_.end() || join_.answered_since(found->second.back, pipeline)) return nullptr;
  const auto known = covered_.find(key_of(pipeline, found->second.file));
  const bool stands = known->second.journal == journal;
  return stands && found->second.back.end <= known->second.offset ? &found->second : nullptr;
}

DispatcherDurability::Covered& DispatcherDurability::covered(std::uint32_t pipeline,
                                                             std::uint32_t file) {
  Covered& known = covered_[key_of(pipeline, file)];
  known.pipeline = pipeline;
  known.file = file;
  return known;
}

// The offsets of the old journal are void. Where the new ones are lower, or missing, its dispatcher
// reads again the clicks after them, so these are checked again when the offsets advance.
void DispatcherDurability::on_replaced(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t journal = fact.as<trace::JournalReplaced>().journal;
  for (auto& [key, known] : covered_) {  // order-free: each is treated alike
    if (known.pipeline == pipeline && known.journal == journal) known.offset = 0;
  }
}

// Only an operator may skip unfinished clicks.
void DispatcherDurability::on_skipped(const Fact& fact) {
  oblige();
  if (is_state_operator(fact.header().node)) return;
  const auto& skipped = fact.as<trace::RangeSkipped>();
  report(fact, EventId{},
         fmt::format("file {} up to {} was skipped, by a process that is no operator", skipped.file,
                     skipped.offset));
}

void DispatcherDurability::on_restated(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t journal = fact.as<trace::JournalRestated>().journal;
  for (auto& [key, known] : covered_) {  // order-free: each is treated alike
    if (known.pipeline == pipeline && known.journal == journal) forget_later(known);
  }
  for (const std::uint32_t index : join_.journal(pipeline, journal).before_rewrite) {
    oblige();
    const AtPipeline& at = join_.at(index, pipeline);
    if (at.in_retry_store) continue;
    const Click& click = join_.click(index);
    const auto say = [&](std::uint64_t offset, std::uint32_t file, std::uint64_t end) {
      report(fact, click.id,
             fmt::format("the journal was rewritten without this unfinished click, which it held "
                         "before; its offset {} of file {} covers the click (it ends at {})",
                         offset, file, end));
    };
    const Passed* passed = unfinished_return(index, pipeline, journal);
    if (passed != nullptr) {
      say(covered(pipeline, passed->file).offset, passed->file, passed->back.end);
    } else if (at.answers == 0) {
      const auto known = covered_.find(key_of(pipeline, click.click_file));
      if (known == covered_.end() || click.click_end > known->second.offset) continue;
      say(known->second.offset, click.click_file, click.click_end);
    }
  }
}

void DispatcherDurability::on_offset(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::OffsetSaved>();
  Covered& before = covered(pipeline, saved.file);
  before.journal = saved.journal;
  if (saved.offset <= before.offset) return;  // a repetition, or a regress: only waste
  oblige();
  before.offset = saved.offset;
  // Logs of clicks are shipped; clicks brought back are written in place, record by record.
  const auto& returns = join_.returns_of(saved.file);
  const std::uint64_t readable =
      returns.empty() ? join_.visible_length(pipeline, saved.file) : returns.back().end;
  if (saved.offset > readable) {
    report(fact, EventId{},
           fmt::format("offset {} of file {} was persisted, of which only {} bytes could be read",
                       saved.offset, saved.file, readable));
  }
  forget_later(before);
  cover_clicks(fact, before);
  cover_returns(fact, before);
}

void DispatcherDurability::cover_clicks(const Fact& fact, Covered& known) {
  const auto& clicks = join_.clicks_of(known.file);
  for (; known.clicks < clicks.size(); ++known.clicks) {
    const std::uint32_t index = clicks[known.clicks];
    const Click& click = join_.click(index);
    if (click.click_end > known.offset) return;
    oblige();
    if (join_.finished(index, known.pipeline)) continue;
    if (join_.at(index, known.pipeline).in_retry_store) continue;
    if (join_.at(index, known.pipeline).damaged) continue;  // there is no click to be read
    report(
        fact, click.id,
        fmt::format("offset {} of file {} was persisted, which covers this click (it ends at {}); "
                    "it is neither finished here nor in the retry store",
                    known.offset, known.file, click.click_end));
  }
}

void DispatcherDurability::cover_returns(const Fact& fact, Covered& known) {
  const auto& returns = join_.returns_of(known.file);
  for (; known.returns < returns.size(); ++known.returns) {
    const Return& back = returns[known.returns];
    if (back.end > known.offset) return;
    oblige();
    passed_[key_of(known.pipeline, back.click)] = {back, known.file};
    if (join_.answered_since(back, known.pipeline)) continue;
    if (join_.at(back.click, known.pipeline).in_retry_store) continue;
    report(fact, join_.click(back.click).id,
           fmt::format("offset {} of file {} was persisted, which covers this click, brought back "
                       "at {}; since then it is neither finished here nor in the retry store",
                       known.offset, known.file, describe(back.at)));
  }
}

// After a rewrite: clicks after the offset are not covered any more.
void DispatcherDurability::forget_later(Covered& known) const {
  const auto& clicks = join_.clicks_of(known.file);
  while (known.clicks > 0 && join_.click(clicks[known.clicks - 1]).click_end > known.offset) {
    --known.clicks;
  }
  const auto& returns = join_.returns_of(known.file);
  while (known.returns > 0 && returns[known.returns - 1].end > known.offset) --known.returns;
}

}  // namespace photon::analysis
