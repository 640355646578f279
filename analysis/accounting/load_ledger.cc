#include "analysis/accounting/load_ledger.h"

#include <algorithm>
#include <utility>

namespace photon::analysis {

void LoadLedger::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::load_asked:
      return on_asked(fact);
    case trace::Kind::load_done:
      return on_done(fact);
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

void LoadLedger::on_asked(const Fact& fact) {
  const auto& asked = fact.as<trace::LoadAsked>();
  open_[{fact.header().node, asked.number}] = {fact.header().at, asked.id};
  ++asked_;
  first_asked_ = std::min(first_asked_, fact.header().at);
  last_asked_ = fact.header().at;
  transactions_ += std::exchange(recent_transactions_, 0);
  transaction_operations_ += std::exchange(recent_operations_, 0);
}

bool LoadLedger::is_open(NodeId client, const trace::LoadDone& done) const {
  const auto call = open_.find(RequestKey{client, done.number});
  return call != open_.end() && call->second.id == done.id;
}

void LoadLedger::on_done(const Fact& fact) {
  const auto& done = fact.as<trace::LoadDone>();
  const trace::Header& header = fact.header();
  if (!is_open(header.node, done)) return;
  const auto call = open_.find(RequestKey{header.node, done.number});
  if (trace::is_definitive(done.code)) ++codes_.at(static_cast<std::size_t>(done.code));
  ++answered_;
  if (call->second.at >= evidence_.config().measured_from) {
    const Duration latency = header.at - call->second.at;
    if (done.operation == trace::RegistryOperation::lookup) lookup_latency_.add(latency);
    if (done.operation == trace::RegistryOperation::insert) insert_latency_.add(latency);
  }
  open_.erase(call);
}

void LoadLedger::on_applied(const Fact& fact) {
  const auto& applied = fact.as<trace::SlotApplied>();
  if (applied.group.value() == evidence_.config().sharding_group || applied.operations == 0) return;
  const Slot* slot = evidence_.registry().consensus().slot(applied.group, applied.slot);
  if (slot != nullptr && slot->applied) return;  // by another replica, before
  ++recent_transactions_;
  recent_operations_ += applied.operations;
}

std::vector<LoadLedger::OpenCall> LoadLedger::open_calls() const {
  // order-free: sorted below
  std::vector<std::pair<RequestKey, Call>> open(open_.begin(), open_.end());
  std::ranges::sort(open, {}, [](const auto& call) { return call.first; });
  std::vector<OpenCall> calls;
  for (const auto& [key, call] : open) calls.push_back({key.client, call.id, call.at});
  return calls;
}

}  // namespace photon::analysis
