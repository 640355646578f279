#include "analysis/accounting/crossing.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/evidence/describe.h"
#include "analysis/evidence/time_limit.h"

namespace photon::analysis {

SimTime readable_at(const Evidence& evidence, const Click& click, std::uint32_t pipeline) {
  if (click.query_file == trace::ClickGenerated::kNoFile) return kNever;
  return std::max(evidence.join().visible_at(pipeline, click.click_file, click.click_end),
                  evidence.join().visible_at(pipeline, click.query_file, click.query_end));
}

const Crossing::Line& Crossing::line_of(std::uint32_t file, std::uint32_t pipeline) {
  const auto [found, fresh] = lines_.try_emplace((std::uint64_t{file} << 32U) | pipeline);
  Line& line = found->second;
  if (!fresh) return line;
  const std::vector<std::uint32_t>& clicks = evidence_.join().clicks_of(file);
  line.first_from.assign(clicks.size() + 1, kNever);
  for (std::size_t i = clicks.size(); i-- > 0;) {
    line.first_from[i] =
        std::min(line.first_from[i + 1], evidence_.join().at(clicks[i], pipeline).first_asked_at);
  }
  return line;
}

std::size_t Crossing::place_of(const Click& click) const {
  const std::vector<std::uint32_t>& clicks = evidence_.join().clicks_of(click.click_file);
  const auto place = std::lower_bound(clicks.begin(), clicks.end(), click.click_end,
                                      [this](std::uint32_t index, std::uint64_t end) {
                                        return evidence_.join().click(index).click_end < end;
                                      });
  return static_cast<std::size_t>(place - clicks.begin());
}

Duration Crossing::time_limit(const AtPipeline& at, std::uint32_t pipeline) const {
  const JudgeConfig& config = evidence_.config();
  return config.retry_after_tries(at.tries_in_time) +
         with_turns(config.dispatcher_time_limit, evidence_.join().most_kept(pipeline),
                    config.retry_turn);
}

std::string Crossing::sat_on(std::uint32_t index, std::uint32_t pipeline) {
  const JudgeConfig& config = evidence_.config();
  const Click& click = evidence_.join().click(index);
  const AtPipeline& at = evidence_.join().at(index, pipeline);
  const SimTime deadline = shifted(evidence_.join().expiry_of(click), -config.slack);
  const SimTime readable = readable_at(evidence_, click, pipeline);
  const std::string where = config.name_of(pipeline);
  SimTime idle_since = readable;
  if (at.last_asked_at == kNever && at.was_kept()) {
    idle_since = std::max(idle_since, at.kept_since);
  } else if (at.last_asked_at == kNever) {
    const std::size_t place = place_of(click);
    const SimTime next_from = line_of(click.click_file, pipeline).first_from[place + 1];
    if (next_from <= deadline) {
      return fmt::format(
          "{} came to a later click of the same log at {} and never to this one "
          "before it was N old",
          where, describe(next_from));
    }
    if (place > 0) {
      const std::uint32_t ahead = evidence_.join().clicks_of(click.click_file)[place - 1];
      idle_since = std::max(idle_since, evidence_.join().at(ahead, pipeline).first_asked_at);
    }
  } else {
    idle_since = std::max(idle_since, at.last_asked_at);
  }
  if (idle_since >= deadline) return {};  // also if the click ahead of it was never asked for
  const Duration time_limit = this->time_limit(at, pipeline);
  const Duration fault_free = evidence_.join().longest_fault_free(idle_since, deadline, time_limit);
  if (fault_free <= time_limit) return {};
  return fmt::format(
      "{} did nothing about it from {} until it was N old, {} ms of that without "
      "any fault",
      where, describe(idle_since), fault_free.count() / 1'000'000);
}

}  // namespace photon::analysis
