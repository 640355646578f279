#include "analysis/accounting/chance.h"

#include <algorithm>

#include "analysis/accounting/crossing.h"

namespace photon::analysis {

Chance chance_at(const Evidence& evidence, std::uint32_t index, std::uint32_t pipeline) {
  const JudgeConfig& config = evidence.config();
  const Click& click = evidence.join().click(index);
  if (evidence.join().input_lost(index, pipeline)) return Chance::lost;
  const SimTime readable = readable_at(evidence, click, pipeline);
  if (readable == kNever) return Chance::never;
  const SimTime expires = evidence.join().expiry_of(click);
  if (readable > expires + config.slack) return Chance::too_old;
  const SimTime unjoinable_since = evidence.join().at(index, pipeline).unjoinable_since;
  const bool gave_up = unjoinable_since != kNever;
  // Its query may have been readable before, and truncated again at that moment.
  const SimTime findable =
      gave_up ? std::max(readable, evidence.join().visible_since(pipeline, click.query_file,
                                                                 click.query_end, unjoinable_since))
              : readable;
  if (gave_up && findable > unjoinable_since + config.slack) return Chance::unjoinable;
  if (readable > expires - config.slack) return Chance::borderline;
  if (gave_up && findable > unjoinable_since - config.slack) return Chance::borderline;
  return Chance::good;
}

}  // namespace photon::analysis
