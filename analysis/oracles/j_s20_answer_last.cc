#include "analysis/oracles/j_s20_answer_last.h"

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> AnswerLast::absorbed_kinds() const {
  static constexpr Interest kKinds[] = {sent(trace::Kind::join_answer),
                                        sent(trace::Kind::registry_ask)};
  return config().registry_only() ? std::span<const Interest>() : std::span(kKinds);
}

AnswerLast::Counts AnswerLast::count(const Fact& fact) const {
  const trace::Header& header = fact.header();
  const Click& click = join_.click(fact.event);
  // Where requests have no cap, the trace need not show them: what served none is not charged.
  const bool requests_shown = config().joiner_max_in_flight > 0;
  Counts counts;
  for (std::uint32_t i = click.attempts; i != kNoIndex;) {
    const Attempt& attempt = join_.attempt(i);
    i = attempt.next;
    const bool own = attempt.node == header.node && attempt.life == header.incarnation;
    const bool served = requests_shown || attempt.received_at != kNever;
    if (!own || !attempt.outstanding || !served) continue;
    ++counts.registrations;
    counts.token = attempt.token;
  }
  if (counts.registrations > 0) {
    counts.requests = join_.open_visits(fact.event, header.node, header.incarnation);
  }
  return counts;
}

void AnswerLast::on_absorbed(const Fact& fact) {
  const bool answers = fact.header().kind == trace::Kind::join_answer;
  if (!answers) {
    const auto& ask = fact.as<trace::RegistryAsk>();
    if (ask.operation != trace::RegistryOperation::insert) return;
    const Attempt* const attempt = join_.find_attempt(fact.event, ask.token);
    const bool first = attempt != nullptr && attempt->asked_at == fact.header().at;
    if (!first) return;
  }
  oblige();
  const Counts counts = count(fact);
  if (counts.registrations <= counts.requests) return;
  const EventId& click = join_.click(fact.event).id;
  if (answers) {
    report(
        fact, click,
        fmt::format("the joiner answers {} while its insert with token {}.{}.{} has no definitive "
                    "answer",
                    process(fact.header().peer), counts.token.address, counts.token.incarnation,
                    counts.token.sequence));
  } else {
    report(fact, click,
           fmt::format("the joiner registers the click {} times for {} requests that it has not "
                       "answered",
                       counts.registrations, counts.requests));
  }
}

}  // namespace photon::analysis
