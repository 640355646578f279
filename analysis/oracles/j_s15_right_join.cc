#include "analysis/oracles/j_s15_right_join.h"

#include <fmt/format.h>

namespace photon::analysis {

void RightJoin::on_fact(const Fact& fact) {
  const bool written =
      fact.source() == trace::Source::issued || fact.source() == trace::Source::durable;
  if (!written) return;
  const auto& output = fact.as<trace::OutputRecord>();
  const Click& click = join_.click(fact.event);
  if (!click.generated) return;  // see J-S16
  oblige();
  if (output.query != click.query) {
    report(fact, click.id,
           fmt::format("joined with query {}, but the click refers to {}", describe(output.query),
                       describe(click.query)));
  } else if (output.joined_hash != click.joined_hash) {
    report(fact, click.id,
           fmt::format("the joined record hashes to {:016x}, a right join hashes to {:016x}",
                       output.joined_hash, click.joined_hash));
  }
}

}  // namespace photon::analysis
