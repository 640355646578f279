#include "analysis/accounting/latency_collector.h"

#include <algorithm>

namespace photon::analysis {

std::string_view name_of(Stage stage) {
  static constexpr std::array<std::string_view, kStages> kNames{
      "shipping", "scan", "lookup", "dispatch", "event_store", "register", "output", "total"};
  return kNames[static_cast<std::size_t>(stage)];
}

// When click and query could be read there, as far as is known, and not before the click existed.
SimTime LatencyCollector::inputs_at(const Click& click, std::uint32_t pipeline, SimTime end) const {
  SimTime at = click.generated_at;
  if (pipeline == kNoIndex) return at;
  const auto await = [&](std::uint32_t file, std::uint64_t until) {
    if (file == trace::ClickGenerated::kNoFile) return;
    const SimTime readable = evidence_.join().visible_at(pipeline, file, until);
    if (readable != kNever) at = std::max(at, readable);
  };
  await(click.click_file, click.click_end);
  await(click.query_file, click.query_end);
  return std::min(at, end);
}

void LatencyCollector::on_fact(const Fact& fact) {
  const Click& click = evidence_.join().click(fact.event);
  if (!click.generated || click.is_joined()) return;
  const auto& output = fact.as<trace::OutputRecord>();
  const Attempt* attempt = evidence_.join().find_attempt(fact.event, output.token);
  if (fact.source() == trace::Source::issued) {
    // A repeated append is the same output: the first one counts.
    if (attempt != nullptr && attempt->output_issued) return;
    if (!is_measured(click)) return;
    at_output_.add(fact.header().at - click.generated_at);
    biased_.add(age_by(fact.header().local, click.id));
    return;
  }
  if (fact.source() != trace::Source::durable) return;

  // Milestones in order; one that is unknown, or that belongs to another round, is taken as
  // reached with the one before it, so that the stages always add up to the total.
  const std::uint32_t pipeline = evidence_.join().pipeline_of(fact.header().datacenter);
  std::array<SimTime, kStages - 1> reached{};
  reached.fill(kNever);
  if (pipeline != kNoIndex) {
    const AtPipeline& at = evidence_.join().at(fact.event, pipeline);
    reached[0] = evidence_.join().visible_at(pipeline, click.click_file, click.click_end);
    reached[1] = at.read_at;
    reached[2] = at.looked_up_at;
  }
  if (attempt != nullptr) {
    reached[3] = attempt->received_at;
    reached[4] = attempt->decided_at;
    reached[5] = attempt->ok_delivered ? attempt->answered_at : kNever;
  }
  const SimTime end = fact.header().at;
  reached[6] = end;
  const JoinedLatency joined{.at = end,
                             .total = end - click.generated_at,
                             .own = end - inputs_at(click, pipeline, end),
                             .pipeline = pipeline};
  keep(joined);
  if (!is_measured(click)) return;
  own_.add(joined.own);
  SimTime last = click.generated_at;
  static_assert(SlowestClicks::kStages == kStages - 1);
  std::array<Duration, SlowestClicks::kStages> stages{};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const SimTime at = reached[i] == kNever ? last : std::clamp(reached[i], last, end);
    stages[i] = at - last;
    stages_[i].add(stages[i]);
    last = at;
  }
  stages_[static_cast<std::size_t>(Stage::total)].add(joined.total);
  slowest_.add(joined.total, stages);
}

void LatencyCollector::keep(const JoinedLatency& joined) {
  constexpr Duration kTick = std::chrono::seconds(1);
  if (between(ticked_, joined.at) >= kTick) {
    ticked_ = joined.at;
    joined_.tick();
  }
  joined_.emplace_back() = joined;
}

JoinedLatencies LatencyCollector::joined() const {
  JoinedLatencies latencies;
  latencies.reserve(joined_.size());
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    if (i % Evidence::kTickRows == 0) {
      for (std::uint32_t tick = 0; tick < joined_.kIdle / 2; ++tick) joined_.tick();
    }
    latencies.push_back(joined_[i]);
  }
  return latencies;
}

}  // namespace photon::analysis
