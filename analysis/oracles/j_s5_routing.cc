#include "analysis/oracles/j_s5_routing.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void ClientRouting::on_fact(const Fact& fact) {
  if (config().history_skew < Duration::zero()) return;
  const bool sent = fact.source() == trace::Source::sent;
  switch (fact.header().kind) {
    case trace::Kind::sharding_read:
      if (!sent) return;
      readers_.of(fact.header())
          .open.insert_or_assign(fact.as<trace::ShardingRead>().request, fact.header().at);
      return;
    case trace::Kind::sharding_answer:
      return fact.source() == trace::Source::delivered ? on_answer(fact) : void();
    default:
      return sent ? on_ask(fact) : void();
  }
}

void ClientRouting::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::ShardingAnswer>();
  Reader& reader = readers_.of(fact.header());
  const auto asked = reader.open.find(answer.request);
  if (asked == reader.open.end()) return;
  if (answer.code == trace::ShardingCode::ok) {
    reader.begun = reader.begun == kNever ? asked->second : std::max(reader.begun, asked->second);
  }
  reader.open.erase(asked);
}

void ClientRouting::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const Reader& reader = readers_.of(fact.header());
  oblige();
  if (reader.begun == kNever) {
    return report(fact, ask.id,
                  fmt::format("the id is sent to shard {} by a process that has not read the "
                              "sharding history in this life",
                              ask.shard.value()));
  }
  const Stamp begun(reader.begun.time_since_epoch() + config().calendar_epoch);
  const Duration ahead = between(begun, ask.id.stamp);
  if (ahead <= config().history_skew) return;
  report(fact, ask.id,
         fmt::format("the id is sent to shard {} by a sharding history whose read began at {}: the "
                     "id's stamp is {} ns later, S is {} ns",
                     ask.shard.value(), describe(reader.begun), ahead.count(),
                     config().history_skew.count()));
}

}  // namespace photon::analysis
