#include "tests/scenarios/recount/replayed.h"

#include <algorithm>

#include "core_impl/trace/pipeline.h"

namespace photonsim::tests {

namespace trace = photon::trace;
using trace::Kind;
using trace::RegistryCode;
using trace::RegistryOperation;
using trace::Source;

Place Try::answered(std::optional<RegistryCode> code) const {
  std::uint64_t wrong = 0;
  for (const Answer& answer : answers) {
    if (answer.code == RegistryCode::wrong_shard) {
      wrong = std::max(wrong, answer.request);
    } else if (answer.request > wrong && (!code || answer.code == *code)) {
      return answer.place;
    }
  }
  return kNowhere;
}

Place Try::refused() const {
  Place first = kNowhere;
  for (const RegistryCode code : {RegistryCode::already_exists, RegistryCode::too_old}) {
    first = std::min(first, answered(code));
  }
  return first < answered(RegistryCode::inserted) ? first : kNowhere;
}

Replayed::Replayed(const Records& records) {
  for (Place place = 0; place < records.size(); ++place) {
    const trace::Record& record = records[place];
    const trace::Header& header = record.header;
    switch (header.kind) {
      case Kind::click_generated: {
        const auto& click = record.as<trace::ClickGenerated>();
        clicks.try_emplace(key(click.click), click);
        break;
      }
      case Kind::registry_ask:
      case Kind::registry_answer:
        on_message(record, place);
        break;
      case Kind::join_ask:
        if (header.source == Source::delivered) joiners_.insert(header.node.value());
        break;
      case Kind::operation_applied:
        on_applied(record.as<trace::OperationApplied>(), place);
        break;
      case Kind::output_record:
      case Kind::output_lost:
        on_output(record, place);
        break;
      case Kind::process_crashed:
        ends.push_back({place,
                        {header.node.value(), header.incarnation.value()},
                        record.as<trace::ProcessCrashed>().in_order != 0,
                        joiners_.contains(header.node.value())});
        break;
      default:
        break;
    }
  }
}

void Replayed::on_message(const trace::Record& record, Place place) {
  const trace::Header& header = record.header;
  const LifeKey life{header.node.value(), header.incarnation.value()};
  if (header.kind == Kind::registry_ask) {
    const auto& ask = record.as<trace::RegistryAsk>();
    if (header.source != Source::sent || ask.operation != RegistryOperation::insert) return;
    Try& attempt = tries[{key(ask.id), key(ask.token)}];
    if (attempt.asked.empty()) attempt.life = life;
    attempt.asked.push_back(place);
    return;
  }
  const auto& answer = record.as<trace::RegistryAnswer>();
  if (answer.operation != RegistryOperation::insert) return;
  const auto found = tries.find({key(answer.id), key(answer.token)});
  if (found == tries.end()) return;
  Try& attempt = found->second;
  if (header.source == Source::sent) {
    if (answer.code == RegistryCode::inserted && !attempt.ok_sent) attempt.ok_sent = place;
  } else if (attempt.life == life &&
             (trace::is_definitive(answer.code) || answer.code == RegistryCode::wrong_shard)) {
    attempt.answers.push_back({place, answer.request, answer.code});
  }
}

void Replayed::on_applied(const trace::OperationApplied& applied, Place place) {
  if (!applied_.insert({applied.shard.value(), applied.slot, applied.index}).second) return;
  if (applied.fresh == 0) return;
  auto& list = owners[key(applied.id)];
  if (applied.operation == RegistryOperation::insert) {
    list.push_back({key(applied.token), place, kNowhere});
  } else if (applied.operation == RegistryOperation::remove) {
    ++removals;
    if (!list.empty()) list.back().until = place;
  } else if (applied.operation == RegistryOperation::clear) {
    ++clears;
  }
}

void Replayed::on_output(const trace::Record& record, Place place) {
  const std::uint32_t cell = record.header.datacenter.value();
  if (record.header.kind == Kind::output_lost) {
    const auto& lost = record.as<trace::OutputLost>();
    outputs[key(lost.click)].push_back({place, key(lost.token), cell, true});
    return;
  }
  if (record.header.source != Source::durable) return;
  const auto& output = record.as<trace::OutputRecord>();
  outputs[key(output.click)].push_back({place, key(output.token), cell, false});
  const auto attempt = tries.find({key(output.click), key(output.token)});
  if (attempt == tries.end()) return;
  attempt->second.durable = std::min(attempt->second.durable, place);
}

std::set<std::uint32_t> Replayed::cells(const Id& click, Place before) const {
  std::set<std::uint32_t> held;
  const auto list = outputs.find(click);
  if (list == outputs.end()) return held;
  for (const Output& output : list->second) {
    if (output.place >= before) break;
    if (output.lost) {
      held.erase(output.cell);
    } else {
      held.insert(output.cell);
    }
  }
  return held;
}

std::vector<Place> Replayed::joins(const Id& click) const {
  std::vector<Place> places;
  const auto list = outputs.find(click);
  if (list == outputs.end()) return places;
  for (const Output& output : list->second) {
    if (!output.lost && !joined(click, output.place)) places.push_back(output.place);
  }
  return places;
}

const Owned* Replayed::owner(const Id& click, Place before) const {
  const auto list = owners.find(click);
  if (list == owners.end()) return nullptr;
  const Owned* last = nullptr;
  for (const Owned& owned : list->second) {
    if (owned.from < before) last = &owned;
  }
  return last != nullptr && last->until >= before ? last : nullptr;
}

const Try* Replayed::find(const Id& click, const TokenKey& token) const {
  const auto found = tries.find({click, token});
  return found == tries.end() ? nullptr : &found->second;
}

Place Replayed::death(const LifeKey& life, Place after) const {
  for (const LifeEnd& end : ends) {
    if (end.life == life && end.place > after) return end.place;
  }
  return kNowhere;
}

}  // namespace photonsim::tests
