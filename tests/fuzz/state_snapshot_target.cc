// Snapshots of the replicated machines: the ids of a shard, and the sharding history. Invalid bytes
// are refused; what is restored is the state in the bytes, and works.
#include <algorithm>

#include "core_impl/photon/registry/id_store.h"
#include "core_impl/photon/sharding/shard_history.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {
namespace {

using namespace std::chrono_literals;

Outcome restore_ids(std::span<const std::byte> bytes) {
  IdStore store(10s);
  if (!store.restore(bytes)) return Outcome::refused;
  Bytes written;
  store.snapshot(written);
  require(std::ranges::equal(written, bytes), "a snapshot of restored state is the same");
  IdStore again(10s);
  require(again.restore(written) && again.state_hash() == store.state_hash(),
          "the same ids have the same hash");
  static_cast<void>(store.lookup(EventId{1, 1, store.boundary()}));
  StoreOperation collect;
  collect.operation = RegistryOperation::collect;
  collect.limit = 4;
  store.apply(collect);
  return Outcome::accepted;
}

Outcome restore_history(std::span<const std::byte> bytes) {
  ShardHistory history(1);
  if (!history.restore(bytes)) return Outcome::refused;
  require(std::ranges::equal(history.snapshot(), bytes), "a snapshot holds the restored state");
  static_cast<void>(history.state_hash());
  for (const auto action : {ShardingAction::announce, ShardingAction::confirm,
                            ShardingAction::extend_horizon, ShardingAction::forget}) {
    ShardingOperation operation;
    operation.action = action;
    operation.version = history.version();
    operation.start = Stamp(5s);
    operation.shards = 3;
    static_cast<void>(history.apply(operation));
  }
  require(ShardHistory(1).restore(history.snapshot()), "changed state can be restored");
  return Outcome::accepted;
}

}  // namespace

Outcome state_snapshot(std::span<const std::byte> bytes) {
  Input input(bytes);
  const bool ids = input.byte() % 2 == 0;
  return ids ? restore_ids(input.rest()) : restore_history(input.rest());
}

}  // namespace photon::fuzz
