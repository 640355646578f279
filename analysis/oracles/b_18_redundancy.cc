#include "analysis/oracles/b_18_redundancy.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

using trace::Kind;

Redundancy::Redundancy(const OracleInput& input)
    : Oracle(input), join_(input.join()), registry_(input.registry()) {
  const JudgeConfig& config = this->config();
  const std::uint64_t replicas = std::uint64_t{config.shards} * config.replicas_per_group;
  const bool checked = config.redundancy_bound > Duration::zero() && replicas > 0 &&
                       config.replicas.size() == replicas;
  if (!checked) return;
  for (std::uint32_t i = 0; i < replicas; ++i) {
    Member& member = members_.emplace_back();
    member.node = config.replicas[i];
    member.group = i / config.replicas_per_group;
    member.sound = std::ranges::find(config.unsound, member.node) == config.unsound.end();
    place_[member.node] = i + 1;
  }
}

std::span<const Interest> Redundancy::absorbed_kinds() const {
  static constexpr Interest kKinds[] = {
      Kind::run_phase,     Kind::process_started, Kind::process_crashed, Kind::paxos_prepare,
      Kind::paxos_promise, Kind::paxos_accept,    Kind::paxos_accepted,  Kind::paxos_heartbeat,
      Kind::paxos_granted, Kind::paxos_formatted, Kind::slot_applied,    Kind::state_restored};
  return members_.empty() ? std::span<const Interest>() : std::span(kKinds);
}

void Redundancy::on_absorbed(const Fact& fact) {
  const trace::Header& header = fact.header();
  if (header.kind == Kind::run_phase) {
    if (fact.as<trace::RunPhase>().phase == trace::Phase::faults_ended) begin(header.at);
    return;
  }
  if (!healed_) return;
  if (header.source == trace::Source::delivered) return;  // it was handled when it was sent
  const std::uint32_t place = place_[header.node];
  if (place == 0) return;
  Member& member = members_[place - 1];
  if (header.source == trace::Source::sent) {
    member.heard = header.at;
    return;
  }
  const bool other_life =
      header.kind == Kind::process_started || header.kind == Kind::process_crashed;
  if (other_life) {
    member.lacks_since = member.voteless = kNever;
    member.from = header.at;
  }
  examine(member.group);
}

void Redundancy::begin(SimTime now) {
  healed_ = true;
  for (Member& member : members_) member.heard = member.from = now;
  for (std::uint32_t group = 0; group < config().shards; ++group) examine(group);
}

void Redundancy::examine(std::uint32_t number) {
  const Group* group = registry_.consensus().group(ShardId(number));
  if (group == nullptr) return;
  const std::uint64_t replicas = config().replicas_per_group;
  for (std::uint64_t i = 0; i < replicas; ++i) {
    examine(members_[number * replicas + i], group->highest_chosen);
  }
}

void Redundancy::examine(Member& member, std::uint64_t chosen) {
  if (!join_.node(member.node).alive) return;
  const std::uint64_t position = reached(member);
  member.goal = std::min(member.goal, chosen);  // votes may turn out to be void
  if (position >= member.goal) member.lacks_since = kNever;
  if (member.lacks_since == kNever && position < chosen) {
    member.lacks_since = now();
    if (member.lacks_since == member.from) oblige();
    member.goal = chosen;
    member.missing = chosen - position;
  }
  if (registry_.consensus().votes(ShardId(member.group), member.node)) {
    member.voteless = kNever;
  } else if (member.voteless == kNever) {
    member.voteless = now();
    oblige();
  }
}

std::uint64_t Redundancy::reached(const Member& member) const {
  const Replica* replica = registry_.consensus().replica(ShardId(member.group), member.node);
  const bool present = replica != nullptr && replica->life == join_.node(member.node).life;
  return present ? replica->applied : 0;
}

Duration Redundancy::moment() const { return config().redundancy_bound / 8; }

bool Redundancy::counts(const Member& member) const {
  const bool silent = now() - member.heard > moment();
  return join_.node(member.node).alive && (member.sound || !silent);
}

bool Redundancy::can_be_required(const Member& member, Lack lack) const {
  if (!counts(member)) return false;
  const JudgeConfig& config = this->config();
  const auto first = members_.begin() + std::ptrdiff_t{member.group} * config.replicas_per_group;
  const auto voters = std::count_if(
      first, first + std::ptrdiff_t{config.replicas_per_group}, [&](const Member& each) {
        const bool other = lack == Lack::slots || each.node != member.node;
        return other && counts(each) && each.voteless == kNever;
      });
  return voters >= std::ptrdiff_t{config.majority()};
}

// In doubles: a trace from anywhere may state any numbers.
Duration Redundancy::time_for(const Member& member, Lack lack) const {
  const JudgeConfig& config = this->config();
  const Group* group = registry_.consensus().group(ShardId(member.group));
  const auto spent = [](std::uint64_t count, Duration each) {
    return static_cast<double>(count) * static_cast<double>(each.count());
  };
  double time = static_cast<double>(config.redundancy_bound.count()) +
                spent(member.missing, config.catch_up_turn) +
                spent(group->operations.size(), config.fetch_turn);
  if (lack == Lack::vote) time *= 2;
  constexpr double kLongest = 4e18;
  return Duration(static_cast<std::int64_t>(std::clamp(time, 0.0, kLongest)));
}

template <class Visitor>
void Redundancy::each_lack(Visitor&& visit) const {
  for (const Member& member : members_) {
    if (!join_.node(member.node).alive) continue;
    if (member.lacks_since != kNever) visit(member, Lack::slots, member.lacks_since);
    if (member.voteless != kNever) visit(member, Lack::vote, member.voteless);
  }
}

std::uint64_t Redundancy::awaited() const {
  std::uint64_t count = 0;
  each_lack([&](const Member& member, Lack lack, SimTime since) {
    const Duration waited = now() - since;
    const bool news = lack == Lack::slots && since > member.from && waited <= moment();
    const bool in_time = waited <= time_for(member, lack);
    if (!news && in_time && can_be_required(member, lack)) ++count;
  });
  return count;
}

Duration Redundancy::longest() const {
  Duration longest{0};
  each_lack([&](const Member& member, Lack lack, SimTime) {
    longest = std::max(longest, time_for(member, lack));
  });
  return longest;
}

void Redundancy::finish(Liveness liveness) {
  if (liveness == Liveness::exempt || !healed_) return;
  held_ = static_cast<std::uint64_t>(
      std::ranges::count_if(members_, [&](const Member& member) { return counts(member); }));
  each_lack([&](const Member& member, Lack lack, SimTime since) {
    if (now() - since <= time_for(member, lack)) return;
    if (!can_be_required(member, lack)) {
      ++exempt_;
    } else {
      accuse(member, lack, since);
    }
  });
}

void Redundancy::accuse(const Member& member, Lack lack, SimTime since) {
  const std::string what =
      lack == Lack::slots
          ? fmt::format(
                "a replica of group {} has reached slot {}, and not slot {}, which was "
                "chosen by {}",
                member.group, reached(member), member.goal, describe(since))
          : fmt::format(
                "the disk of a replica of group {} was set up as new, and has had no vote "
                "again since {}",
                member.group, describe(since));
  report_at_end(member.node, EventId{},
                fmt::format("redundancy has not come back: {}; it runs in its life {}", what,
                            join_.node(member.node).life.value()));
}

}  // namespace photon::analysis
