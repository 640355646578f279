#include "analysis/oracles/j_s5_history_reads.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

HistoryReads::HistoryReads(const OracleInput& input)
    : Oracle(input), ledger_(config().first_shards), versions_{Version{}}, made_by_{0} {}

std::span<const Interest> HistoryReads::kinds() const {
  static constexpr Interest kKinds[] = {
      trace::Kind::sharding_applied,      trace::Kind::state_restored,
      sent(trace::Kind::sharding_answer), delivered(trace::Kind::sharding_answer),
      sent(trace::Kind::sharding_read),   sent(trace::Kind::registry_ask)};
  const bool changes = config().sharding_group != JudgeConfig::kNoGroup;
  return changes ? std::span(kKinds) : std::span<const Interest>();
}

void HistoryReads::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::sharding_applied:
      return on_applied(fact, fact.as<trace::ShardingApplied>());
    case trace::Kind::state_restored: {
      const auto& restored = fact.as<trace::StateRestored>();
      if (restored.group.value() == config().sharding_group) advance(fact, restored.slot);
      return;
    }
    case trace::Kind::sharding_read:
      clients_.of(fact.header()).asked = fact.as<trace::ShardingRead>().request;
      return;
    case trace::Kind::sharding_answer: {
      const auto& answer = fact.as<trace::ShardingAnswer>();
      if (fact.source() == trace::Source::delivered) return on_answer_read(fact, answer);
      return answer.code == trace::ShardingCode::not_master ? void() : on_answer_sent(fact, answer);
    }
    default:
      return on_ask(fact, fact.as<trace::RegistryAsk>());
  }
}

HistoryReads::Version HistoryReads::present() const {
  const Stamp start = ledger_.intervals().back().start;
  Version version;
  // What is forgotten is part of the first interval that is kept.
  version.newest = start <= ledger_.forgotten() ? Stamp{} : start;
  if (ledger_.is_open()) version.open = ledger_.announced().start;
  return version;
}

void HistoryReads::on_applied(const Fact& fact, const trace::ShardingApplied& applied) {
  if (applied.group.value() != config().sharding_group) return;
  advance(fact, applied.slot);
  if (applied.slot <= applied_) return;
  applied_ = applied.slot;
  if (ledger_.apply(applied) == ShardingLedger::Effect::none) return;
  versions_.push_back(present());
  made_by_.push_back(applied.slot);
}

void HistoryReads::advance(const Fact& fact, std::uint64_t slot) {
  Replica& replica = replicas_.of(fact.header());
  if (replica.at != fact.header().at) replica.before = replica.slot;
  replica.at = fact.header().at;
  replica.slot = std::max(replica.slot, slot);
}

std::size_t HistoryReads::version_after(std::uint64_t slot) const {
  const auto later = std::ranges::upper_bound(made_by_, slot);
  return static_cast<std::size_t>(later - made_by_.begin()) - 1;
}

// An answer may have been made earlier in the event that sends it, before a slot was applied.
void HistoryReads::on_answer_sent(const Fact& fact, const trace::ShardingAnswer& answer) {
  const Replica& replica = replicas_.of(fact.header());
  oblige();
  const bool now = replica.at == fact.header().at;
  const std::size_t first = version_after(now ? replica.before : replica.slot);
  const std::size_t last = version_after(replica.slot);
  if (answer.version < first || answer.version > last) {
    return report(fact, EventId{},
                  fmt::format("a replica answers with version {} of the sharding history, but the "
                              "log up to its slot {} makes version {}",
                              answer.version, replica.slot, last));
  }
  const Version& stated = versions_[answer.version];
  if (stated.newest == answer.newest) return;
  report(fact, EventId{},
         fmt::format("the newest interval of version {} of the sharding history starts at {}, but "
                     "the answer says {}",
                     answer.version, nanoseconds_of(stated.newest), nanoseconds_of(answer.newest)));
}

// A client uses the first answer to its latest read, and no older version.
void HistoryReads::on_answer_read(const Fact& fact, const trace::ShardingAnswer& answer) {
  Client& client = clients_.of(fact.header());
  if (answer.request != client.asked) return;
  client.asked = 0;
  const bool refused = answer.code == trace::ShardingCode::not_master;
  if (refused || answer.version >= versions_.size()) return;
  client.known = std::max<std::size_t>(client.known.value_or(0), answer.version);
}

void HistoryReads::on_ask(const Fact& fact, const trace::RegistryAsk& ask) {
  const trace::Header& header = fact.header();
  Client& client = clients_.of(header);
  if (ask.request > client.latest) {
    client.latest = ask.request;
    client.sent = header.at;
    client.message = header.message;
  }
  const bool first =
      ask.request == client.latest && header.at == client.sent && header.message == client.message;
  if (!client.known || !first) return;
  oblige();
  const std::optional<Stamp>& open = versions_[*client.known].open;
  if (!open || ask.id.stamp < *open) return;
  report(fact, ask.id,
         fmt::format("the id is sent to shard {}, but the client knows that the number of shards "
                     "from {} on is announced and not decided",
                     ask.shard.value(), nanoseconds_of(*open)));
}

}  // namespace photon::analysis
