#include "analysis/oracles/j_p3_backlog.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {

void BacklogDecreases::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  const std::uint32_t pipeline = join_.pipeline_of(header.datacenter);
  const Duration window = config().retry_time_limit;
  if (pipeline == kNoIndex || window.count() == 0) return;
  if (header.at - pipelines_[pipeline].began >= window) end_window(fact, pipeline);
  switch (header.kind) {
    case trace::Kind::log_visible:
      return on_readable(fact, pipeline);
    case trace::Kind::registry_ask:
      if (fact.as<trace::RegistryAsk>().operation != trace::RegistryOperation::lookup) return;
      return on_asked(fact, pipeline);
    case trace::Kind::range_skipped:
      return on_skipped(fact, pipeline);
    case trace::Kind::click_reinjected:
      return on_returned(fact, pipeline);
    case trace::Kind::input_damaged:
      return on_damaged(fact, pipeline);
    default:
      return on_asked(fact, pipeline);
  }
}

void BacklogDecreases::on_readable(const Fact& fact, std::uint32_t pipeline) {
  const auto& visible = fact.as<trace::LogVisible>();
  const auto& clicks = join_.clicks_of(visible.file);
  std::size_t& known = readable_[(std::uint64_t{pipeline} << 32U) | visible.file];
  while (known < clicks.size() && join_.click(clicks[known]).click_end <= visible.length) {
    ++known;
    ++pipelines_[pipeline].readable;
  }
}

void BacklogDecreases::on_asked(const Fact& fact, std::uint32_t pipeline) {
  if (fact.source() != trace::Source::sent || fact.event == kNoIndex) return;
  if (counts(fact.event, pipeline)) ++pipelines_[pipeline].asked;
}

// Of the backlog, if it is readable.
bool BacklogDecreases::counts(std::uint32_t click, std::uint32_t pipeline) const {
  const AtPipeline& at = join_.at(click, pipeline);
  return at.first_asked_at == kNever && (at.answers & kSkippedByOperator) == 0 &&
         !damaged_.contains((std::uint64_t{pipeline} << 32U) | click);
}

// A damaged click is never looked up.
void BacklogDecreases::on_damaged(const Fact& fact, std::uint32_t pipeline) {
  if (fact.event == kNoIndex || !counts(fact.event, pipeline)) return;
  damaged_.insert((std::uint64_t{pipeline} << 32U) | fact.event);
  ++pipelines_[pipeline].asked;
}

void BacklogDecreases::on_skipped(const Fact& fact, std::uint32_t pipeline) {
  if (fact.source() != trace::Source::durable) return;
  const auto& skipped = fact.as<trace::RangeSkipped>();
  for (const std::uint32_t click : join_.clicks_of(skipped.file)) {
    if (join_.click(click).click_end > skipped.offset) break;
    if (counts(click, pipeline)) ++pipelines_[pipeline].asked;
  }
}

void BacklogDecreases::on_returned(const Fact& fact, std::uint32_t pipeline) {
  if (fact.source() != trace::Source::durable) return;
  if (fact.as<trace::ClickReinjected>().removed_at != 0) ++pipelines_[pipeline].returned;
}

void BacklogDecreases::end_window(const Fact& fact, std::uint32_t pipeline) {
  Pipeline& at = pipelines_[pipeline];
  const SimTime now = fact.header().at;
  const std::uint64_t backlog = at.readable - std::min(at.asked, at.readable);
  const std::uint64_t arrived = at.readable - at.arrived;
  const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(now - at.began).count();
  const std::uint64_t certain =
      config().dispatch_rate_milli * static_cast<std::uint64_t>(seconds) / 1000;
  const std::uint64_t under_way = config().dispatcher_max_outstanding;
  const bool fault_free = join_.fault_free_since() < at.began - config().retry_time_limit;
  const std::uint64_t come = arrived + at.returned + at.returned_before;
  const bool is_owed = fault_free && come < certain / 2 && at.backlog > arrived + under_way;
  if (is_owed) {
    oblige();
    if (backlog >= at.backlog) {
      report(fact, EventId{},
             fmt::format("{} had {} clicks before it at {}, {} arrived, {} s later it "
                         "has {}; it could have done {}",
                         config().name_of(pipeline), at.backlog, describe(at.began), arrived,
                         seconds, backlog, certain));
    }
  }
  at.began = now;
  at.backlog = backlog;
  at.arrived = at.readable;
  at.returned_before = std::exchange(at.returned, 0);
}

}  // namespace photon::analysis
