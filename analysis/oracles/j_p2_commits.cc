#include "analysis/oracles/j_p2_commits.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

namespace photon::analysis {

CommitsGoOn::CommitsGoOn(const OracleInput& input)
    : Oracle(input), join_(input.join()), registry_(input.registry()) {
  for (std::size_t i = 0; i < config().replicas.size(); ++i) {
    const NodeId node = config().replicas[i];
    if (std::ranges::find(config().unsound, node) == config().unsound.end()) continue;
    const ShardId group(static_cast<std::uint32_t>(i / config().replicas_per_group));
    unsound_.emplace(node, group);
    groups_[group].doubtful.emplace(node, SimTime{});
  }
}

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
    case trace::Kind::paxos_formatted:
      if (fact.source() == trace::Source::durable) on_formatted(fact);
      return;
    default:
      if (fact.source() == trace::Source::sent) on_heard(fact);
  }
}

void CommitsGoOn::on_asked(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (fact.source() != trace::Source::sent) return;
  Group& group = groups_[ask.shard];
  const SimTime fault_free = join_.fault_free_since();
  if (fault_free == kNever || majority_until(ask.shard) == SimTime::min())
    return group.begin_anew();
  if (ask.operation == trace::RegistryOperation::insert) on_insert_asked(fact, fault_free);
  if (phase() >= trace::Phase::faults_ended) on_question(fact, fault_free);
}

void CommitsGoOn::on_insert_asked(const Fact& fact, SimTime fault_free) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  std::optional<Asked>& asked = groups_[ask.shard].asked;
  const SimTime now = fact.header().at;
  const bool goes_on = asked && asked->at >= fault_free && now - asked->last <= longest_pause();
  if (!goes_on || !is_open(*asked, ask.shard)) {
    asked = Asked{now, now, fact.event, ask.token};
    oblige();
    return;
  }
  asked->last = now;
  const SimTime until = std::min(now, majority_until(ask.shard));
  if (until - asked->at > config().commit_bound) {
    accuse(fact, join_.click(asked->click).id, asked->at, "no insert has committed there");
  }
}

// One message may be lost, and it may hold many questions.
void CommitsGoOn::on_question(const Fact& fact, SimTime fault_free) {
  constexpr std::uint32_t kEnough = 10;
  constexpr Duration kPause = std::chrono::seconds(1);
  const auto& ask = fact.as<trace::RegistryAsk>();
  std::optional<Silence>& silence = groups_[ask.shard].silence;
  const SimTime now = fact.header().at;
  const Duration bound = config().commit_bound;
  const bool goes_on =
      silence && silence->since >= fault_free && now - silence->last <= longest_pause();
  if (!goes_on) {
    silence = Silence{now, now, now, 0};
    oblige();
    return;
  }
  silence->last = now;
  if (now - silence->since <= bound || now - silence->counted < kPause) return;
  silence->counted = now;
  const SimTime until = std::min(now, majority_until(ask.shard));
  if (++silence->questions < kEnough || until - silence->since <= 2 * bound) return;
  accuse(fact, ask.id, silence->since, "it has not answered anything");
}

void CommitsGoOn::accuse(const Fact& fact, EventId event, SimTime since, std::string_view what) {
  const ShardId shard = fact.as<trace::RegistryAsk>().shard;
  if (groups_[shard].reported) return;
  groups_[shard].reported = true;
  report(
      fact, event,
      fmt::format("shard {} has been asked since {}, nothing has disturbed the system since, "
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
  groups_[group].begin_anew();
  groups_[group].reported = false;
}

// Its client still waits for it at this group.
bool CommitsGoOn::is_open(const Asked& asked, ShardId group) const {
  const Attempt* const attempt = join_.find_attempt(asked.click, asked.token);
  if (attempt == nullptr || attempt->shard != group || attempt->superseded) return false;
  const NodeFacts& client = join_.node(attempt->node);
  return attempt->answered_at == kNever && client.alive && client.life == attempt->life;
}

void CommitsGoOn::on_formatted(const Fact& fact) {
  const ShardId shard(fact.as<trace::PaxosFormatted>().group.value());
  groups_[shard].doubtful.emplace(fact.header().node, kNever);
}

// A time in which there may have been no majority does not count.
void CommitsGoOn::on_heard(const Fact& fact) {
  const auto found = unsound_.find(fact.header().node);
  if (found == unsound_.end()) return;
  Group& group = groups_[found->second];
  const SimTime now = fact.header().at;
  if (between(majority_until(found->second), now) > longest_pause()) group.begin_anew();
  group.doubtful[found->first] = now;
}

SimTime CommitsGoOn::majority_until(ShardId shard) const {
  const Group* const group = groups_.find(shard);
  const std::size_t doubtful = group == nullptr ? 0 : group->doubtful.size();
  const std::size_t certain =
      config().replicas_per_group - std::min<std::size_t>(config().replicas_per_group, doubtful);
  if (certain >= config().majority()) return kNever;
  std::vector<SimTime> until;
  for (const auto& [node, heard] : group->doubtful) {
    until.push_back(registry_.consensus().votes(shard, node) ? heard : SimTime::min());
  }
  std::ranges::sort(until, std::greater{});
  return until[config().majority() - certain - 1];
}

}  // namespace photon::analysis
