#include "analysis/oracles/j_s13_no_premature_answer.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void NoPrematureAnswer::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      return fact.source() == trace::Source::delivered ? on_ask(fact) : void();
    default:
      return fact.source() == trace::Source::sent ? on_answer(fact) : void();
  }
}

NoPrematureAnswer::Server& NoPrematureAnswer::server_of(const trace::Header& header) {
  Server& server = servers_[header.node];
  if (server.life != header.incarnation) {
    server.life = header.incarnation;
    server.questions.clear();
  }
  return server;
}

// The boundary after `slot` was applied, as stated by the first replica to apply it; the state hash
// shows that the others agree (J-S6).
Stamp NoPrematureAnswer::boundary_at(ShardId shard, std::uint64_t slot) const {
  return registry_.boundaries().up_to(shard, slot).boundary;
}

void NoPrematureAnswer::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (!trace::is_read(ask.operation)) return;
  const trace::Header& header = fact.header();
  Question& question = server_of(header).questions[{header.peer, ask.request}];
  if (question.open++ > 0) return;
  question.lookups = ask.lookups;
  question.at_least = ask.at_least;
  const Replica* replica = registry_.consensus().replica(ask.shard, header.node);
  const bool present = replica != nullptr && replica->life == header.incarnation;
  question.position = present ? replica->applied : 0;
}

void NoPrematureAnswer::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (trace::is_read(answer.operation)) return on_read_answer(fact, answer);
  if (!trace::is_definitive(answer.code)) return;
  oblige();
  const Replica* replica = registry_.consensus().replica(answer.shard, fact.header().node);
  const bool applied = replica != nullptr && replica->life == fact.header().incarnation &&
                       replica->position() >= answer.slot;
  if (!applied) {
    return report(fact, answer.id,
                  fmt::format("the answer (`{}`) rests on slot {} of shard {}, which its sender "
                              "has not applied in this life",
                              trace::name_of(answer.code), answer.slot, answer.shard.value()));
  }
  on_outcome(fact, answer);
}

void NoPrematureAnswer::on_outcome(const Fact& fact, const trace::RegistryAnswer& answer) {
  const AppliedOutcome* applied = registry_.find_outcome(fact.event, answer);
  const bool same =
      applied != nullptr && applied->shard == answer.shard && applied->code == answer.code;
  if (same) return;
  const std::string what = applied == nullptr
                               ? std::string("no such operation was applied in that slot")
                               : fmt::format("the applied outcome is `{}` of shard {}",
                                             trace::name_of(applied->code), applied->shard.value());
  report(fact, answer.id,
         fmt::format("operation {} with token {} was answered `{}` for slot {} of shard "
                     "{}, but {}",
                     static_cast<unsigned>(answer.operation), describe(answer.token),
                     trace::name_of(answer.code), answer.slot, answer.shard.value(), what));
}

void NoPrematureAnswer::on_read_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  const trace::Header& header = fact.header();
  Server& server = server_of(header);
  const auto question = server.questions.find(RequestKey{header.peer, answer.request});
  if (question == server.questions.end()) {
    if (!trace::is_definitive(answer.code)) return;
    oblige();
    return report(fact, answer.id,
                  fmt::format("a read was answered (`{}`), but no such question was delivered "
                              "to this life of its sender",
                              trace::name_of(answer.code)));
  }
  const Question asked = question->second;
  const std::uint64_t position = asked.position;
  if (--question->second.open == 0) server.questions.erase(question);
  if (!trace::is_definitive(answer.code)) return;
  oblige();
  const Replica* replica = registry_.consensus().replica(answer.shard, header.node);
  const bool present = replica != nullptr && replica->life == header.incarnation;
  if (answer.slot > (present ? replica->applied : 0)) {
    return report(fact, answer.id,
                  fmt::format("the answer (`{}`) rests on slot {} of shard {}, which its sender "
                              "has not applied in this life",
                              trace::name_of(answer.code), answer.slot, answer.shard.value()));
  }
  if (answer.slot < position) {
    return report(
        fact, answer.id,
        fmt::format("a read was answered (`{}`) from slot {} of shard {}, but its "
                    "answerer had applied slot {} when it was asked",
                    trace::name_of(answer.code), answer.slot, answer.shard.value(), position));
  }
  check_mode(fact, answer, asked);
  judge_read(fact, answer, position);
}

void NoPrematureAnswer::check_mode(const Fact& fact, const trace::RegistryAnswer& answer,
                                   const Question& question) {
  if (answer.lookups != question.lookups) {
    report(fact, answer.id,
           fmt::format("a read that was asked in mode {} was answered in mode {}",
                       static_cast<unsigned>(question.lookups),
                       static_cast<unsigned>(answer.lookups)));
  }
  if (answer.lookups == trace::LookupMode::replica && answer.slot < question.at_least) {
    report(
        fact, answer.id,
        fmt::format("a read was answered from slot {} of shard {}, but the question names slot {}",
                    answer.slot, answer.shard.value(), question.at_least));
  }
}

// `position`: the slot that the answerer had applied when it was asked; not above answer.slot.
void NoPrematureAnswer::judge_read(const Fact& fact, const trace::RegistryAnswer& answer,
                                   std::uint64_t position) {
  const std::string_view why = untrue(fact, answer, position);
  if (why.empty()) return;
  report(
      fact, answer.id,
      fmt::format("a read was answered `{}` at slot {} of shard {} (slot {} was applied "
                  "when it was asked), but {}",
                  trace::name_of(answer.code), answer.slot, answer.shard.value(), position, why));
}

// The error of the answer; empty if it is correct.
std::string_view NoPrematureAnswer::untrue(const Fact& fact, const trace::RegistryAnswer& answer,
                                           std::uint64_t position) const {
  using trace::RegistryCode;
  // It may have been true anywhere after `from` and up to `to`.
  const std::uint64_t to = answer.slot;
  const std::uint64_t from = std::max(position, to == 0 ? 0 : to - 1);
  if (answer.code == RegistryCode::too_old) {
    const bool old = answer.id.stamp < boundary_at(answer.shard, to);
    return old ? "" : "the boundary was not above it";
  }
  if (answer.id.stamp < boundary_at(answer.shard, from)) return "the boundary was above it";
  const auto any = [&](auto&& holds) {
    return registry_.any_tenure(fact.event, [&](const Tenure& tenure) {
      return tenure.shard == answer.shard && holds(tenure);
    });
  };
  const auto met = [&](const Tenure& tenure) { return tenure.from <= to && tenure.until > from; };
  const bool token_asked = answer.operation == trace::RegistryOperation::read_token;
  switch (answer.code) {
    case RegistryCode::exists: {
      const bool so = any([&](const Tenure& tenure) {
        return met(tenure) &&
               (!token_asked || (tenure.token == answer.token && tenure.cleared > from));
      });
      return so ? "" : "that id, or that token, was not stored then";
    }
    case RegistryCode::cleared: {
      const bool so =
          any([&](const Tenure& tenure) { return met(tenure) && tenure.cleared <= to; });
      return so && token_asked ? "" : "no cleared token was stored then";
    }
    case RegistryCode::not_found: {
      const bool present =
          any([&](const Tenure& tenure) { return tenure.from <= from && tenure.until > to; });
      return present ? "the id was registered then" : "";
    }
    default:
      return "that code is for other operations";
  }
}

}  // namespace photon::analysis
