#include "analysis/oracles/j_s13_no_premature_answer.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void NoPrematureAnswer::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::boundary_moved:
      return on_boundary(fact.as<trace::BoundaryMoved>());
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

// As the first replica to apply the slot stated it; that the others agree is the business of the
// state hash (J-S6).
void NoPrematureAnswer::on_boundary(const trace::BoundaryMoved& moved) {
  std::vector<BoundaryAt>& steps = boundaries_[moved.shard];
  if (steps.empty() || steps.back().slot < moved.slot) {
    steps.push_back({moved.slot, moved.boundary});
  } else if (steps.back().slot == moved.slot) {
    steps.back().boundary = std::max(steps.back().boundary, moved.boundary);
  }
}

// The boundary after `slot` was applied.
Stamp NoPrematureAnswer::boundary_at(ShardId shard, std::uint64_t slot) const {
  const std::vector<BoundaryAt>* const known = boundaries_.find(shard);
  if (known == nullptr) return Stamp::min();
  const std::vector<BoundaryAt>& steps = *known;
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), slot,
                       [](std::uint64_t at, const BoundaryAt& step) { return at < step.slot; });
  return after == steps.begin() ? Stamp::min() : (after - 1)->boundary;
}

void NoPrematureAnswer::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (ask.operation != trace::RegistryOperation::lookup) return;
  const trace::Header& header = fact.header();
  Question& question = server_of(header).questions[{ask.request, header.peer}];
  if (question.open++ > 0) return;
  const Replica* replica = evidence_.consensus().replica(ask.shard, header.node);
  const bool present = replica != nullptr && replica->life == header.incarnation;
  question.position = present ? replica->applied : 0;
}

void NoPrematureAnswer::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation == trace::RegistryOperation::lookup) return on_lookup_answer(fact, answer);
  if (!trace::is_definitive(answer.code)) return;
  const Replica* replica = evidence_.consensus().replica(answer.shard, fact.header().node);
  const bool applied = replica != nullptr && replica->life == fact.header().incarnation &&
                       replica->position() >= answer.slot;
  if (!applied) {
    return report(
        fact, answer.id,
        fmt::format("the answer (code {}) rests on slot {} of shard {}, which its sender "
                    "has not applied in this life",
                    static_cast<unsigned>(answer.code), answer.slot, answer.shard.value()));
  }
  if (answer.operation == trace::RegistryOperation::insert) on_insert_answer(fact, answer);
}

void NoPrematureAnswer::on_insert_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  const AppliedInsert* applied = evidence_.find_insert(fact.event, answer.token, answer.slot);
  const bool same =
      applied != nullptr && applied->shard == answer.shard && applied->code == answer.code;
  if (same) return;
  const std::string what =
      applied == nullptr
          ? std::string("no such insert was applied in that slot")
          : fmt::format("the applied outcome is code {} of shard {}",
                        static_cast<unsigned>(applied->code), applied->shard.value());
  report(
      fact, answer.id,
      fmt::format("the insert of token {} was answered with code {} for slot {} of shard {}, but "
                  "{}",
                  describe(answer.token), static_cast<unsigned>(answer.code), answer.slot,
                  answer.shard.value(), what));
}

void NoPrematureAnswer::on_lookup_answer(const Fact& fact, const trace::RegistryAnswer& answer) {
  const trace::Header& header = fact.header();
  Server& server = server_of(header);
  const auto question = server.questions.find(RequestKey{answer.request, header.peer});
  if (question == server.questions.end()) {
    if (!trace::is_definitive(answer.code)) return;
    return report(
        fact, answer.id,
        fmt::format("a look-up was answered (code {}), but no such question was delivered "
                    "to this life of its sender",
                    static_cast<unsigned>(answer.code)));
  }
  const std::uint64_t position = question->second.position;
  if (--question->second.open == 0) server.questions.erase(question);
  if (!trace::is_definitive(answer.code)) return;
  const Replica* replica = evidence_.consensus().replica(answer.shard, header.node);
  const bool present = replica != nullptr && replica->life == header.incarnation;
  if (answer.slot > (present ? replica->applied : 0)) {
    return report(
        fact, answer.id,
        fmt::format("the answer (code {}) rests on slot {} of shard {}, which its sender "
                    "has not applied in this life",
                    static_cast<unsigned>(answer.code), answer.slot, answer.shard.value()));
  }
  if (answer.slot < position) {
    return report(fact, answer.id,
                  fmt::format("a look-up was answered (code {}) from slot {} of shard {}, but its "
                              "answerer had applied slot {} when it was asked",
                              static_cast<unsigned>(answer.code), answer.slot, answer.shard.value(),
                              position));
  }
  judge_lookup(fact, answer, position);
}

// `position`: the slot that the answerer had applied when it was asked; not above answer.slot.
void NoPrematureAnswer::judge_lookup(const Fact& fact, const trace::RegistryAnswer& answer,
                                     std::uint64_t position) {
  using trace::RegistryCode;
  const Click& click = evidence_.click(fact.event);
  const bool owned = click.is_owned() && click.owner_shard == answer.shard;
  const std::uint64_t before = answer.slot == 0 ? 0 : answer.slot - 1;
  const bool surely_old = answer.id.stamp < boundary_at(answer.shard, std::max(position, before));
  std::string truth;
  switch (answer.code) {
    case RegistryCode::exists:
      if (surely_old) truth = "the boundary was above it";
      if (!owned || click.owner_slot > answer.slot) {
        truth = click.is_owned() ? fmt::format("the id was inserted at slot {} of shard {}",
                                               click.owner_slot, click.owner_shard.value())
                                 : std::string("the id was never inserted");
      }
      break;
    case RegistryCode::not_found:
      if (surely_old) truth = "the boundary was above it";
      if (owned && (click.owner_slot < answer.slot || click.owner_slot <= position)) {
        truth = fmt::format(
            "the id was inserted at slot {}, and slot {} was applied when the "
            "question came",
            click.owner_slot, position);
      }
      break;
    case RegistryCode::too_old:
      if (answer.id.stamp >= boundary_at(answer.shard, answer.slot)) {
        truth = "the boundary was not above it";
      }
      break;
    default:
      truth = "that code is for inserts";
      break;
  }
  if (truth.empty()) return;
  report(fact, answer.id,
         fmt::format("a look-up was answered with code {} at slot {} of shard {}, but {}",
                     static_cast<unsigned>(answer.code), answer.slot, answer.shard.value(), truth));
}

}  // namespace photon::analysis
