#include "analysis/oracles/j_s1_at_most_once.h"

#include <fmt/format.h>

namespace photon::analysis {

void AtMostOnce::on_fact(const Fact& fact) {
  const DatacenterId place = fact.header().datacenter;
  if (fact.header().kind == trace::Kind::output_lost) {
    lost_.emplace(fact.event, fact.as<trace::OutputLost>().token, place);
    return;
  }
  if (fact.source() != trace::Source::durable) return;
  oblige();
  const auto& output = fact.as<trace::OutputRecord>();
  const Click& click = join_.click(fact.event);
  if (lost_.erase({fact.event, output.token, place}) > 0) {
    report(fact, click.id,
           fmt::format("storage shows a joined record again that it had lost (token {})",
                       describe(output.token)));
  }
  if (!click.is_joined() || click.is_copy(output.token, fact.header().datacenter)) return;
  report(
      fact, click.id,
      fmt::format("a second output record became durable (token {}); the first one, of token {}, "
                  "was durable at {}",
                  describe(output.token), describe(click.joined_by), describe(click.joined_at)));
}

}  // namespace photon::analysis
