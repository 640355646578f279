#include "analysis/oracles/j_s11_removals_proven.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/evidence/spec_values.h"

namespace photon::analysis {

std::span<const Interest> RemovalsProven::kinds() const {
  static constexpr Interest kKinds[] = {sent(trace::Kind::output_ask),
                                        delivered(trace::Kind::output_answer),
                                        sent(trace::Kind::registry_ask)};
  return config().verified() && !config().registry_only() ? std::span(kKinds)
                                                          : std::span<const Interest>();
}

void RemovalsProven::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::output_ask:
      return on_ask(fact, fact.as<trace::OutputAsk>());
    case trace::Kind::output_answer:
      return on_answer(fact, fact.as<trace::OutputAnswer>());
    default:
      return on_removal(fact, fact.as<trace::RegistryAsk>());
  }
}

void RemovalsProven::on_ask(const Fact& fact, const trace::OutputAsk& ask) {
  if (ask.life == 0) return;
  Question& question = verifiers_.of(fact.header()).questions[ask.request];
  if (ask.place >= question.clicks.size()) {
    question.clicks.push_back({ask.click, ask.owner, ask.life});
    return;
  }
  const Asked& before = question.clicks[ask.place];
  question.alike = question.alike && before.click == ask.click && before.owner == ask.owner &&
                   before.life == ask.life;
}

// The answers about a question's clicks come together, in their order.
void RemovalsProven::on_answer(const Fact& fact, const trace::OutputAnswer& answer) {
  Verifier& verifier = verifiers_.of(fact.header());
  const auto found = verifier.questions.find(answer.request);
  if (found == verifier.questions.end()) return;
  Question& question = found->second;
  const NodeId auditor = fact.header().peer;
  if (std::ranges::find(question.answered, auditor) != question.answered.end()) return;
  if (answer.place >= question.clicks.size()) return;
  Asked& asked = question.clicks[answer.place];
  asked.found = std::max(asked.found, answer.presence);
  if (answer.place + 1 < question.clicks.size()) return;
  question.answered.push_back(auditor);
  if (question.answered.size() < config().pipelines.size()) return;
  conclude(fact.header().datacenter, question);
  verifier.questions.erase(found);
}

void RemovalsProven::conclude(DatacenterId pipeline, const Question& question) {
  for (const Asked& asked : question.clicks) {
    if (asked.found != trace::Presence::absent || !question.alike) continue;
    proven_.insert_or_assign(key_of(pipeline, asked.click, asked.owner, asked.life), 0);
  }
}

std::uint64_t RemovalsProven::key_of(DatacenterId pipeline, const EventId& click, NodeId owner,
                                     std::uint32_t life) {
  const auto stamp = static_cast<std::uint64_t>(nanoseconds_of(click.stamp));
  return spec_digest({stamp, click.server, click.process, pipeline.value(), owner.value(), life});
}

void RemovalsProven::on_removal(const Fact& fact, const trace::RegistryAsk& ask) {
  if (ask.operation != trace::RegistryOperation::remove) return;
  oblige();
  const NodeId owner(ask.token.address);
  const DatacenterId pipeline = fact.header().datacenter;
  const auto proof = proven_.find(key_of(pipeline, ask.id, owner, ask.token.incarnation));
  if (proof != proven_.end()) {
    if (proof->second == 0) proof->second = ask.token.sequence;
    if (proof->second == ask.token.sequence) return;
  }
  report(
      fact, ask.id,
      fmt::format("the removal of token {} is asked for, but not every auditor has answered that "
                  "the file of that life lacks the click",
                  describe(ask.token)));
}

}  // namespace photon::analysis
