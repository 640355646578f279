#include "tests/photon/registry_explorer/shard_verdict.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tests/paxos/ledger.h"

namespace photon::testing {
namespace {

// An operation of a chosen transaction, with what it means in the model.
struct ModelOperation {
  EventId id;
  Token token;
  RegistryCode code = RegistryCode::inserted;
  bool fresh = false;
  bool insert = false;
};
// A slot: its operations, and the ids that were stored before it.
struct ModelSlot {
  std::vector<ModelOperation> operations;
  std::map<EventId, Token> before;
};
using ModelLog = std::vector<ModelSlot>;  // slot s at [s - 1]

template <class T>
T take_field(std::span<const std::byte>& bytes) {
  T value{};
  if (bytes.size() < sizeof(T)) return value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return value;
}

// By the layout that transaction.h states.
std::vector<ModelOperation> operations_in(std::span<const std::byte> transaction) {
  constexpr std::size_t kBeforeCount = 16;
  std::vector<ModelOperation> operations;
  if (transaction.size() < kBeforeCount) return operations;
  transaction = transaction.subspan(kBeforeCount);
  const auto count = take_field<std::uint32_t>(transaction);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto kind = static_cast<RegistryOperation>(take_field<std::uint8_t>(transaction));
    ModelOperation operation;
    if (kind == RegistryOperation::insert) {
      operation.insert = true;
      operation.id = take_field<EventId>(transaction);
      operation.token = take_field<Token>(transaction);
    } else {
      take_field<std::int64_t>(transaction);  // the boundary, which is below every id here
    }
    operations.push_back(operation);
  }
  return operations;
}

class Judge {
 public:
  Judge(const ShardBounds& bounds, const ShardState& state)
      : bounds_(bounds), state_(state), ledger_(kExplored) {}

  ShardVerdict run() {
    count_votes();
    build_model();
    judge_winners();
    if (verdict_.violation.empty() && !is_linearizable(bounds_, state_.requests)) {
      fail("J-S4: no order of the operations explains the replies");
    }
    judge_replies();
    for (std::size_t i = 0; i < kExplored; ++i) judge_server(i, *state_.servers[i]);
    verdict_.chosen = log_.size();
    return verdict_;
  }

 private:
  void fail(std::string text) {
    if (verdict_.violation.empty()) verdict_.violation = std::move(text);
  }

  // The whole history of one acceptor orders by ballot, promise before acceptance.
  void count_votes() {
    std::vector<const Flying*> history = state_.messages;
    const auto ballot = [](const Flying* flying) {
      return std::visit([](const auto& message) { return message.ballot; }, flying->message);
    };
    std::ranges::stable_sort(history, [&](const Flying* left, const Flying* right) {
      return std::pair(ballot(left), left->message.index()) <
             std::pair(ballot(right), right->message.index());
    });
    for (const Flying* flying : history) {
      ledger_.sent(flying->from, flying->message);
      if (const auto* accept = std::get_if<paxos::Accept>(&flying->message)) {
        for (const SharedBytes& value : accept->values) values_.emplace(value.hash(), value);
      }
    }
    for (std::size_t i = 0; i < kExplored; ++i) {
      for (const trace::SlotApplied& applied : state_.servers[i]->slots) {
        ledger_.applied(static_cast<paxos::ReplicaIndex>(i), applied.slot, applied.value_hash);
      }
    }
    if (!ledger_.violation().empty()) fail("J-S6: " + ledger_.violation());
  }

  // The chosen prefix.
  void build_model() {
    std::map<EventId, Token> owners;
    for (const auto& [slot, hash] : ledger_.chosen()) {
      if (slot != log_.size() + 1) return;
      ModelSlot& entry = log_.emplace_back();
      entry.before = owners;
      const auto value = values_.find(hash);
      if (value == values_.end()) return fail("J-S6: a value is chosen that was never proposed");
      entry.operations = operations_in(paxos::command_in(value->second));
      for (ModelOperation& operation : entry.operations) {
        if (!operation.insert) continue;
        const auto [place, fresh] = owners.emplace(operation.id, operation.token);
        operation.fresh = fresh;
        operation.code = place->second == operation.token ? RegistryCode::inserted
                                                          : RegistryCode::already_exists;
      }
    }
  }

  void judge_server(std::size_t server, const ServerEvidence& evidence) {
    std::set<EventId> registered;
    for (const trace::OperationApplied& applied : evidence.operations) {
      if (applied.operation != RegistryOperation::insert) continue;
      if (applied.fresh != 0 && !registered.insert(applied.id).second) {
        fail(fmt::format("J-S3: replica {} registers an id twice", server));
      }
      if (applied.slot > log_.size()) {
        fail(fmt::format("J-S6: replica {} applies slot {} early", server, applied.slot));
        continue;
      }
      const auto& operations = log_[applied.slot - 1].operations;
      const bool same = applied.index < operations.size() &&
                        operations[applied.index].id == applied.id &&
                        operations[applied.index].code == applied.code &&
                        operations[applied.index].fresh == (applied.fresh != 0);
      if (!same) fail(fmt::format("J-S6: replica {} decides by itself", server));
    }
  }

  void judge_winners() {
    std::map<EventId, Token> winners;
    for (const Asked& asked : state_.requests) {
      if (asked.reply == nullptr) continue;
      for (const RegistryResult& result : asked.reply->results) {
        if (result.code != RegistryCode::inserted) continue;
        const auto [place, first] = winners.emplace(result.id, result.token);
        if (!first && place->second != result.token) fail("J-S3: two tokens are `inserted`");
      }
    }
  }

  void judge_replies() {
    for (const Asked& asked : state_.requests) {
      if (asked.reply == nullptr) continue;
      for (const RegistryResult& result : asked.reply->results) {
        if (trace::is_definitive(result.code)) judge_result(result, *asked.reply);
      }
    }
  }

  void judge_result(const RegistryResult& result, const SentReply& reply) {
    if (result.slot == 0 || result.slot > log_.size()) {
      return fail("J-S13: a definitive reply before its slot is chosen");
    }
    if (reply.applied < result.slot) {
      return fail("J-S13: a definitive reply before its sender has applied the slot");
    }
    const ModelSlot& slot = log_[result.slot - 1];
    if (result.operation == RegistryOperation::lookup) {
      // Before, between or after the operations of its slot.
      bool absent = !slot.before.contains(result.id);
      bool seen = !absent && result.code == RegistryCode::exists;
      seen = seen || (absent && result.code == RegistryCode::not_found);
      for (const ModelOperation& operation : slot.operations) {
        if (operation.insert && operation.id == result.id) absent = false;
        seen = seen || (result.code == RegistryCode::exists) == !absent;
      }
      if (!seen) fail("J-S13: a look-up contradicts the slot that it names");
      return;
    }
    const bool holds = std::ranges::any_of(slot.operations, [&](const ModelOperation& operation) {
      return operation.insert && operation.id == result.id && operation.token == result.token &&
             operation.code == result.code;
    });
    if (!holds) fail("J-S13: a reply contradicts the slot that it names");
  }

  const ShardBounds& bounds_;
  const ShardState& state_;
  paxos::testing::Ledger ledger_;
  std::map<std::uint64_t, SharedBytes> values_;  // by hash
  ModelLog log_;
  ShardVerdict verdict_;
};

}  // namespace

ShardVerdict judge_shard(const ShardBounds& bounds, const ShardState& state) {
  return Judge(bounds, state).run();
}

}  // namespace photon::testing
