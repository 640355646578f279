#include "tests/scenarios/recount/joined_clicks.h"

#include <algorithm>

#include "core_impl/trace/pipeline.h"

namespace photonsim::tests {

namespace trace = photon::trace;

void JoinedClicks::take(const trace::Record& record) {
  const trace::Header& header = record.header;
  switch (header.kind) {
    case trace::Kind::click_generated: {
      const auto& click = record.as<trace::ClickGenerated>();
      clicks_[key(click.click)] = {seconds(header.at), click};
      return;
    }
    case trace::Kind::log_visible:
      return on_visible(header, record.as<trace::LogVisible>());
    case trace::Kind::output_record:
      if (header.source == trace::Source::durable) on_output(header, record);
      return;
    case trace::Kind::output_lost:
      held_[key(record.as<trace::OutputLost>().click)].erase(header.datacenter.value());
      return;
    default:
      return;
  }
}

void JoinedClicks::on_visible(const trace::Header& header, const trace::LogVisible& visible) {
  auto& steps = visible_[{header.datacenter.value(), visible.file}];
  if (steps.empty() || visible.length > steps.back().first) {
    steps.emplace_back(visible.length, seconds(header.at));
  }
}

std::optional<double> JoinedClicks::visible_at(std::uint32_t datacenter, std::uint32_t file,
                                               std::uint64_t end) const {
  const auto found = visible_.find({datacenter, file});
  if (found == visible_.end()) return std::nullopt;
  for (const auto& [length, at] : found->second) {
    if (length >= end) return at;
  }
  return std::nullopt;
}

void JoinedClicks::on_output(const trace::Header& header, const trace::Record& record) {
  const auto& output = record.as<trace::OutputRecord>();
  const auto click = clicks_.find(key(output.click));
  if (click == clicks_.end()) return;
  // Another datacenter's copy of the one record is no second join.
  auto& holders = held_[key(output.click)];
  const std::uint32_t place = header.datacenter.value();
  const bool joined = !holders.empty();
  const bool copy = joined && holders.begin()->second == key(output.token);
  const bool known = !holders.emplace(place, key(output.token)).second;
  if (joined) {
    duplicates_ += copy && !known ? 0 : 1;
    return;
  }
  const double end = seconds(header.at);
  const Generated& made = click->second;
  const double shipped =
      visible_at(place, made.facts.click_file, made.facts.click_end).value_or(made.at);
  double ready = std::max(made.at, shipped);
  if (made.facts.query_file != trace::ClickGenerated::kNoFile) {
    const auto query = visible_at(place, made.facts.query_file, made.facts.query_end);
    ready = std::max(ready, query.value_or(ready));
  }
  all_.push_back({.generated = made.at,
                  .at = end,
                  .shipping = std::clamp(shipped, made.at, end) - made.at,
                  .own = end - std::min(ready, end),
                  .datacenter = place});
}

std::uint64_t JoinedClicks::held_at_end() const {
  std::uint64_t held = 0;
  for (const auto& [click, holders] : held_) held += holders.empty() ? 0 : 1;
  return held;
}

}  // namespace photonsim::tests
