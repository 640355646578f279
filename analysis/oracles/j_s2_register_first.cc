#include "analysis/oracles/j_s2_register_first.h"

#include <fmt/format.h>

namespace photon::analysis {

void RegisterFirst::on_fact(const Fact& fact) {
  const auto& output = fact.as<trace::OutputRecord>();
  if (fact.source() == trace::Source::issued) return check_issued(fact, output);
  if (fact.source() != trace::Source::durable) return;
  oblige();
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  const Attempt* attempt = join_.find_attempt(fact.event, output.token);
  if (registration.owner != output.token) {
    report(
        fact, click.id,
        fmt::format("output of token {} became durable, but the registry's owner is {}",
                    describe(output.token),
                    registration.is_owned() ? describe(registration.owner) : std::string("none")));
  } else if (attempt == nullptr || !attempt->output_issued) {
    report(fact, click.id,
           fmt::format("output of token {} became durable, but no process asked to write it",
                       describe(output.token)));
  }
}

void RegisterFirst::check_issued(const Fact& fact, const trace::OutputRecord& output) {
  oblige();
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  if (registration.owner != output.token || output.token.is_empty()) {
    return report(
        fact, click.id,
        fmt::format("output of token {} was written, but the registry's owner is {}",
                    describe(output.token),
                    registration.is_owned() ? describe(registration.owner) : std::string("none")));
  }
  const Attempt* attempt = join_.find_attempt(fact.event, output.token);
  const bool own = attempt != nullptr && attempt->node == fact.header().node &&
                   attempt->life == fact.header().incarnation;
  if (!own) {
    return report(fact, click.id,
                  fmt::format("output was written with token {}, which this life never registered",
                              describe(output.token)));
  }
  if (!attempt->ok_delivered) {
    report(fact, click.id,
           fmt::format("output was written before an OK for token {} was delivered (asked at {})",
                       describe(output.token), describe(attempt->asked_at)));
  }
}

}  // namespace photon::analysis
