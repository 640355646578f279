#include "analysis/accounting/load_book.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {

void LoadBook::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::load_asked:
      return on_asked(fact);
    case trace::Kind::load_done:
      return on_done(fact);
    case trace::Kind::registry_answer:
      if (asked_ > 0 && fact.source() == trace::Source::delivered) on_answer(fact);
      return;
    case trace::Kind::slot_applied:
      if (asked_ > 0) on_applied(fact);
      return;
    case trace::Kind::process_crashed: {
      const NodeId node = fact.header().node;
      // Only counted: the order of the table cannot leak.
      abandoned_ += erase_if(open_, [&](const auto& call) { return call.first.client == node; });
      return;
    }
    default:
      return;
  }
}

void LoadBook::on_asked(const Fact& fact) {
  const auto& asked = fact.as<trace::LoadAsked>();
  open_[{fact.header().node, asked.number}] = {fact.header().at, asked.id};
  ++asked_;
  first_asked_ = std::min(first_asked_, fact.header().at);
  last_asked_ = fact.header().at;
  transactions_ += std::exchange(recent_transactions_, 0);
  transaction_operations_ += std::exchange(recent_operations_, 0);
}

void LoadBook::on_answer(const Fact& fact) {
  if (fact.header().at != reached_at_) reached_.clear();
  reached_at_ = fact.header().at;
  reached_.push_back({fact.header().node, fact.as<trace::RegistryAnswer>()});
}

void LoadBook::on_done(const Fact& fact) {
  const auto& done = fact.as<trace::LoadDone>();
  const trace::Header& header = fact.header();
  const auto call = open_.find(RequestKey{header.node, done.number});
  const auto complain = [&](std::string message) {
    log_.add({"J-S18", Severity::safety, header.at, header.node, done.id, std::move(message)});
  };
  if (call == open_.end() || call->second.id != done.id) {
    return complain("a client was told the end of an operation that it did not ask for");
  }
  const bool reached =
      reached_at_ == header.at && std::ranges::any_of(reached_, [&](const Reached& each) {
        const trace::RegistryAnswer& answer = each.answer;
        return each.node == header.node && answer.id == done.id && answer.token == done.token &&
               answer.operation == done.operation && answer.code == done.code;
      });
  const bool definitive = trace::is_definitive(done.code);
  if (!reached || !definitive) {
    complain(fmt::format("an operation ended with `{}`, which no reply brought as its end",
                         trace::name_of(done.code)));
  }
  if (definitive) ++codes_.at(static_cast<std::size_t>(done.code));
  ++answered_;
  const Duration latency = header.at - call->second.at;
  if (done.operation == trace::RegistryOperation::lookup) lookup_latency_.add(latency);
  if (done.operation == trace::RegistryOperation::insert) insert_latency_.add(latency);
  open_.erase(call);
}

void LoadBook::on_applied(const Fact& fact) {
  const auto& applied = fact.as<trace::SlotApplied>();
  if (applied.group.value() == evidence_.config().sharding_group || applied.operations == 0) return;
  const Slot* slot = evidence_.consensus().slot(applied.group, applied.slot);
  if (slot != nullptr && slot->applied) return;  // by another replica, before
  ++recent_transactions_;
  recent_operations_ += applied.operations;
}

void LoadBook::finish(bool demanded) {
  if (!demanded || open_.empty()) return;
  // order-free: sorted below
  std::vector<std::pair<RequestKey, Call>> stuck(open_.begin(), open_.end());
  std::ranges::sort(stuck, {}, [](const auto& call) { return call.first; });
  for (const auto& [key, call] : stuck) {
    log_.add(
        {"J-P0", Severity::liveness, evidence_.now(), key.client, call.id,
         fmt::format("an operation asked for at {} has no definitive answer", describe(call.at))});
  }
}

}  // namespace photon::analysis
