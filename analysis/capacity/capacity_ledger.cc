#include "analysis/capacity/capacity_ledger.h"

#include <algorithm>
#include <utility>

#include "core_impl/trace/pipeline.h"

namespace photon::analysis {
namespace {

// What is known of a click at a pipeline.
constexpr std::uint8_t kReadable = 1;
constexpr std::uint8_t kFinished = 2;
constexpr std::uint8_t kWithoutQuery = 4;  // its last try did not find its query
constexpr std::uint8_t kSkipped = 8;       // by an operator, and not brought back since
constexpr std::uint8_t kDamaged = 16;      // its record cannot be read in this copy
constexpr std::uint8_t kSettled = kFinished | kWithoutQuery | kSkipped | kDamaged;

bool is_settled(std::uint8_t state) { return (state & kReadable) != 0 && (state & kSettled) != 0; }

}  // namespace

CapacityLedger::CapacityLedger(const Evidence& evidence)
    : join_(evidence.join()),
      pipelines_(evidence.config().pipelines.size()),
      readable_(pipelines_),
      settled_(pipelines_),
      finished_(pipelines_) {}

void CapacityLedger::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::run_phase:
      ended_ = ended_ || fact.as<trace::RunPhase>().phase >= trace::Phase::generation_ended;
      return;
    case trace::Kind::click_generated:
      return on_generated();
    case trace::Kind::load_asked:
      ++open_[fact.header().node];
      return on_generated();
    case trace::Kind::load_done:
      ++served_;
      if (auto& open = open_[fact.header().node]; open > 0) --open;
      return;
    case trace::Kind::process_crashed:
      if (const auto client = open_.find(fact.header().node); client != open_.end()) {
        abandoned_ += std::exchange(client->second, 0);
      }
      return;
    case trace::Kind::resource_used:
      return on_used(fact);
    case trace::Kind::log_visible:
      return on_visible(fact);
    case trace::Kind::click_done:
      return on_done(fact);
    case trace::Kind::join_answer:
      return on_join_answer(fact);
    case trace::Kind::join_ask:
      return on_join_ask(fact);
    case trace::Kind::range_skipped:
      return on_skipped(fact);
    case trace::Kind::click_reinjected:
      if (fact.source() == trace::Source::durable) change(fact, 0, kSkipped);
      return;
    case trace::Kind::input_damaged:
      return change(fact, kDamaged, 0);
    default:
      return;
  }
}

void CapacityLedger::on_generated() {
  began_ = true;
  ++offered_;
}

void CapacityLedger::take_sample() {
  Sample sample{offered_,
                served_,
                {},
                {},
                static_cast<double>(unfinished_),
                static_cast<double>(readable_somewhere_)};
  for (std::size_t pipeline = 0; pipeline < pipelines_; ++pipeline) {
    sample.backlog.push_back(static_cast<double>(backlog(pipeline)));
    sample.arrived.push_back(static_cast<double>(readable_[pipeline]));
  }
  if (pipelines_ == 0) {
    sample.backlog.push_back(static_cast<double>(offered_ - served_ - abandoned_));
    sample.arrived.push_back(static_cast<double>(offered_));
  }
  samples_.push_back(std::move(sample));
}

// The records of an interval come before all others of a later time. The window begins with the
// first boundary after the first click: the interval that ends there is not part of it.
void CapacityLedger::on_used(const Fact& fact) {
  const bool next = fact.header().at > sampled_;
  sampled_ = fact.header().at;
  if (!measuring()) return;
  const auto& used = fact.as<trace::ResourceUsed>();
  interval_ = Duration(used.nanoseconds);
  if (next) take_sample();
  if (samples_.size() < 2) return;
  const bool volume = used.resource == trace::Resource::volume;
  Use& use =
      uses_[{used.resource, fact.header().node, VolumeId(volume ? fact.header().peer.value() : 0)}];
  use.datacenter = fact.header().datacenter;
  use.limit = used.limit;
  use.used_max = std::max(use.used_max, used.used_max);
  use.waiting_max = std::max(use.waiting_max, used.waiting_max);
  use.used_sum += static_cast<double>(used.used_sum);
  use.full += static_cast<double>(used.full_nanoseconds);
  use.over_time.add(samples_.size() - 2, static_cast<double>(used.used_sum),
                    static_cast<double>(used.full_nanoseconds));
  if (used.waiting_sum > 0) {
    use.waiting.emplace_back(static_cast<std::uint32_t>(samples_.size() - 1),
                             static_cast<double>(used.waiting_sum));
  }
}

std::uint8_t& CapacityLedger::state_of(std::uint32_t click, std::uint32_t pipeline) {
  return states_[std::size_t{click} * pipelines_ + pipeline];
}

bool CapacityLedger::is_readable_somewhere(std::uint32_t click) {
  for (std::uint32_t pipeline = 0; pipeline < pipelines_; ++pipeline) {
    if ((state_of(click, pipeline) & kReadable) != 0) return true;
  }
  return false;
}

bool CapacityLedger::is_unfinished(std::uint32_t click) {
  bool waits = false;
  for (std::uint32_t pipeline = 0; pipeline < pipelines_; ++pipeline) {
    const std::uint8_t state = state_of(click, pipeline);
    if ((state & kFinished) != 0) return false;
    waits = waits || ((state & kReadable) != 0 && !is_settled(state));
  }
  return waits;
}

void CapacityLedger::change(std::uint32_t click, std::uint32_t pipeline, std::uint8_t set,
                            std::uint8_t cleared) {
  const bool unfinished = is_unfinished(click);
  std::uint8_t& state = state_of(click, pipeline);
  const bool before = is_settled(state);
  state = static_cast<std::uint8_t>((state | set) & ~cleared);
  if (is_unfinished(click) != unfinished) {
    if (unfinished) {
      --unfinished_;
    } else {
      ++unfinished_;
    }
  }
  if (is_settled(state) == before) return;
  if (before) {
    --settled_[pipeline];
  } else {
    ++settled_[pipeline];
  }
}

void CapacityLedger::change(const Fact& fact, std::uint8_t set, std::uint8_t cleared) {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline != kNoIndex && fact.event != kNoIndex) change(fact.event, pipeline, set, cleared);
}

void CapacityLedger::on_visible(const Fact& fact) {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  const auto& visible = fact.as<trace::LogVisible>();
  const auto& clicks = join_.clicks_of(visible.file);
  std::size_t& known = known_[(std::uint64_t{pipeline} << 32U) | visible.file];
  while (known < clicks.size() && join_.click(clicks[known]).click_end <= visible.length) {
    const std::uint32_t click = clicks[known++];
    if ((state_of(click, pipeline) & kReadable) != 0) continue;
    ++readable_[pipeline];
    if (!is_readable_somewhere(click)) ++readable_somewhere_;
    change(click, pipeline, kReadable, 0);
  }
}

void CapacityLedger::on_done(const Fact& fact) {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex || fact.event == kNoIndex) return;
  if (fact.event >= served_clicks_.size()) served_clicks_.resize(fact.event + 1);
  if (!served_clicks_[fact.event]) {
    served_clicks_[fact.event] = true;
    ++served_;
  }
  if ((state_of(fact.event, pipeline) & kFinished) == 0) ++finished_[pipeline];
  change(fact.event, pipeline, kFinished, 0);
}

void CapacityLedger::on_join_answer(const Fact& fact) {
  if (fact.source() != trace::Source::delivered) return;
  const trace::JoinOutcome outcome = fact.as<trace::JoinAnswer>().outcome;
  if (measuring() && !samples_.empty()) {
    Answers& answers = answers_[fact.header().datacenter];
    ++answers.all;
    if (outcome == trace::JoinOutcome::too_many_in_flight) ++answers.too_many;
    if (outcome == trace::JoinOutcome::registry_throttled) ++answers.throttled;
  }
  if (outcome == trace::JoinOutcome::query_not_found) change(fact, kWithoutQuery, 0);
}

void CapacityLedger::on_join_ask(const Fact& fact) {
  if (fact.source() == trace::Source::sent) change(fact, 0, kWithoutQuery);
}

// No dispatcher there will come to the clicks of that range, unless they are brought back (C-32).
void CapacityLedger::on_skipped(const Fact& fact) {
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex || fact.source() != trace::Source::durable) return;
  const auto& range = fact.as<trace::RangeSkipped>();
  for (const std::uint32_t click : join_.clicks_of(range.file)) {
    if (join_.click(click).click_end > range.offset) break;
    change(click, pipeline, kSkipped, 0);
  }
}

void CapacityLedger::finish() {
  if (samples_.size() < 2) return;
  const double interval = static_cast<double>(interval_.count()) / 1e9;
  seconds_ = interval * static_cast<double>(samples_.size() - 1);
  const Sample& first = samples_.front();
  const Sample& last = samples_.back();
  offered_per_second_ = static_cast<double>(last.offered - first.offered) / seconds_;
  served_per_second_ = static_cast<double>(last.served - first.served) / seconds_;
  judge_backlogs();
  total_resources();
}

void CapacityLedger::judge_backlogs() {
  const double interval = static_cast<double>(interval_.count()) / 1e9;
  for (std::uint32_t place = 0; place < samples_.front().backlog.size(); ++place) {
    std::vector<double> backlog, arrived;
    for (const Sample& sample : samples_) {
      backlog.push_back(sample.backlog[place]);
      arrived.push_back(sample.arrived[place]);
    }
    const BacklogTrend trend = backlog_trend(backlog, arrived, interval);
    const bool worse =
        trend.verdict > trend_.verdict ||
        (trend.verdict == trend_.verdict && trend.growth_per_second > trend_.growth_per_second);
    if (place > 0 && !worse) continue;
    trend_ = trend;
    growing_ = place;
  }
  unfinished_trend_ = trend_;
  if (pipelines_ < 2) return;
  std::vector<double> unfinished, arrived;
  for (const Sample& sample : samples_) {
    unfinished.push_back(sample.unfinished);
    arrived.push_back(sample.arrived_somewhere);
  }
  unfinished_trend_ = backlog_trend(unfinished, arrived, interval);
}

void CapacityLedger::total_resources() {
  const double window = seconds_ * 1e9;
  const std::size_t intervals = samples_.size() - 1;
  for (const auto& [key, use] : uses_) {
    const UseOverTime::Sums late = use.over_time.last_quarter(intervals);
    const auto length = static_cast<double>(use.over_time.last_quarter_length(intervals)) *
                        static_cast<double>(interval_.count());
    double waiting = 0;
    for (const auto& [sample, sum] : use.waiting) waiting += sum;
    resources_.push_back({.resource = std::get<0>(key),
                          .node = std::get<1>(key),
                          .volume = std::get<2>(key),
                          .datacenter = use.datacenter,
                          .limit = use.limit,
                          .used_mean = use.used_sum / window,
                          .full = use.full / window,
                          .late_used = length > 0 ? late.used / length : 0,
                          .late_full = length > 0 ? late.full / length : 0,
                          .queue_mean = waiting / window,
                          .queue = queue_trend(use),
                          .used_max = use.used_max,
                          .queue_max = use.waiting_max});
  }
  charge_refusals();
}

void CapacityLedger::charge_refusals() {
  using trace::Resource;
  std::map<NodeId, ResourceTotals*> throttling;  // of each joiner, the fullest one
  const auto fullness = [](const ResourceTotals& each) {
    return std::max(each.full, each.utilisation());
  };
  for (ResourceTotals& each : resources_) {
    const auto answers = answers_.find(each.datacenter);
    if (answers == answers_.end()) continue;
    const auto all = static_cast<double>(answers->second.all);
    if (each.resource == Resource::joiner_clicks) {
      each.refused = static_cast<double>(answers->second.too_many) / all;
    } else if (each.resource == Resource::joiner_window ||
               each.resource == Resource::joiner_registrations ||
               each.resource == Resource::joiner_shard) {
      ResourceTotals*& fullest = throttling[each.node];
      if (fullest != nullptr && fullness(each) < fullness(*fullest)) continue;
      if (fullest != nullptr) fullest->refused = 0;
      each.refused = static_cast<double>(answers->second.throttled) / all;
      fullest = &each;
    }
  }
}

// The means of its intervals. Sample i ends interval i; the first one only begins the window.
BacklogTrend CapacityLedger::queue_trend(const Use& use) const {
  const double interval = static_cast<double>(interval_.count());
  std::vector<double> waiting(samples_.size() - 1), arrived;
  for (const auto& [sample, sum] : use.waiting) waiting[sample - 1] += sum / interval;
  const auto before = static_cast<double>(samples_.front().offered);
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    arrived.push_back(static_cast<double>(samples_[i].offered) - before);
  }
  return backlog_trend(waiting, arrived, interval / 1e9);
}

}  // namespace photon::analysis
