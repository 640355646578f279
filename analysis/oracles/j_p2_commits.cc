#include "analysis/oracles/j_p2_commits.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void CommitsGoOn::on_fact(const Fact& fact) {
  if (config().commit_bound == Duration::zero()) return;
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      return on_asked(fact);
    case trace::Kind::registry_answer:
      return on_answered(fact);
    case trace::Kind::operation_applied: {
      const auto& applied = fact.as<trace::OperationApplied>();
      const bool repeated = fact.event == kNoIndex;  // by another replica, or in another life
      if (applied.operation == trace::RegistryOperation::insert && !repeated) go_on(applied.shard);
      return;
    }
    default:
      if (fact.source() != trace::Source::durable) return;
      groups_[ShardId(fact.as<trace::PaxosFormatted>().group.value())].replaced.insert(
          fact.header().node);
  }
}

void CommitsGoOn::on_asked(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (fact.source() != trace::Source::sent) return;
  Group& group = groups_[ask.shard];
  const SimTime calm = evidence_.calm_since();
  if (calm == kNever) {
    group.asked.reset();
    group.silence.reset();
    return;
  }
  if (ask.operation == trace::RegistryOperation::insert) on_insert_asked(fact, calm);
  if (evidence_.phase() >= trace::Phase::faults_ended) on_question(fact, calm);
}

void CommitsGoOn::on_insert_asked(const Fact& fact, SimTime calm) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  std::optional<Asked>& asked = groups_[ask.shard].asked;
  const SimTime now = fact.header().at;
  if (!asked || asked->at < calm || !is_open(*asked, ask.shard)) {
    asked = Asked{now, fact.event, ask.token};
    ++demanded_;
  } else if (now - asked->at > config().commit_bound) {
    accuse(fact, evidence_.click(asked->click).id, asked->at, "no insert has committed there");
  }
}

// One message may be lost, and many questions be in it.
void CommitsGoOn::on_question(const Fact& fact, SimTime calm) {
  constexpr std::uint32_t kEnough = 10;
  constexpr Duration kPause = std::chrono::seconds(1);
  const auto& ask = fact.as<trace::RegistryAsk>();
  std::optional<Silence>& silence = groups_[ask.shard].silence;
  const SimTime now = fact.header().at;
  const Duration bound = config().commit_bound;
  if (!silence || silence->since < calm) {
    silence = Silence{now, now, 0};
    ++demanded_;
    return;
  }
  if (now - silence->since <= bound || now - silence->last < kPause) return;
  silence->last = now;
  if (++silence->questions < kEnough || now - silence->since <= 2 * bound) return;
  accuse(fact, ask.id, silence->since, "it has not answered anything");
}

void CommitsGoOn::accuse(const Fact& fact, EventId event, SimTime since, std::string_view what) {
  const ShardId shard = fact.as<trace::RegistryAsk>().shard;
  if (groups_[shard].reported || !has_quorum(shard)) return;
  groups_[shard].reported = true;
  report_stuck(
      fact, event,
      fmt::format("shard {} has been asked since {}, nothing has disturbed anybody since, "
                  "and {}: {} ms are allowed for a commit",
                  shard.value(), describe(since), what, config().commit_bound.count() / 1'000'000));
}

// A group may also answer that it is not the one to ask, or that the stamp lies in the future.
void CommitsGoOn::on_answered(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (fact.source() != trace::Source::sent) return;
  const bool answered = trace::is_definitive(answer.code) ||
                        answer.code == trace::RegistryCode::wrong_shard ||
                        answer.code == trace::RegistryCode::future;
  if (!answered) return;
  groups_[answer.shard].silence.reset();
  if (answer.operation == trace::RegistryOperation::insert) go_on(answer.shard);
}

void CommitsGoOn::go_on(ShardId group) {
  groups_[group].asked.reset();
  groups_[group].silence.reset();
  groups_[group].reported = false;
}

// Its client still wants it of this group.
bool CommitsGoOn::is_open(const Asked& asked, ShardId group) const {
  const Attempt* const attempt = evidence_.find_attempt(asked.click, asked.token);
  if (attempt == nullptr || attempt->shard != group || attempt->superseded) return false;
  const NodeFacts& client = evidence_.node(attempt->node);
  return attempt->answered_at == kNever && client.alive && client.life == attempt->life;
}

bool CommitsGoOn::has_quorum(ShardId group) const {
  const auto gone = std::ranges::count_if(groups_.find(group)->replaced, [&](NodeId node) {
    return !evidence_.consensus().votes(group, node);
  });
  return static_cast<std::uint64_t>(gone) + config().majority() <= config().replicas_per_group;
}

}  // namespace photon::analysis
