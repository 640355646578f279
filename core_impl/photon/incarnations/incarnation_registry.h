// The incarnation registry of one datacenter: numbers the lives of its processes and fences the
// dead.
//
// Answers the question that recovery and output rest on: is that incarnation dead, and can none of
// its writes still arrive? Unreachable is not dead (SPEC F-04); only the grant of a later
// incarnation of the same address, with the files of all earlier ones fenced, is proof (F-05,
// F-06).
//
// Invariants:
//  * A grant is sent only after it is durable and after every file prefix of the address has been
//    fenced with epoch = the granted incarnation.
//  * Incarnations of an address only grow, from 1, over crashes of this registry as well.
//  * One (address, request) has one grant, however often it is asked. `request` is the number of
//    the asking life (Context::incarnation), which grows from life to life: a request with a
//    smaller number than a granted one comes from a dead life and is ignored.
//
// Durable state: the table of all (address, incarnation, request), in two copies
// (incarnation_table.h). If both are damaged, this registry grants nothing and declares no life
// dead until an operator puts one back. Fences are not recorded: a new life of this registry
// repeats them, which is idempotent, before it claims anything.
#pragma once

#include <cstdint>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/incarnations/incarnation_table.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/alarm.h"
#include "core_impl/runtime/context.h"

namespace photon {

// Files that start with `prefix` on `volume` are written by `address` alone, under its incarnation.
struct FencedFiles {
  std::uint32_t address = 0;
  VolumeId volume{};
  FileName prefix{};
};

struct IncarnationRegistryOptions {
  VolumeId cell{};
  PooledVector<FencedFiles> fenced{};  // any order; an address may have several, or none
  Duration retry_after = std::chrono::milliseconds(200);  // after a failed volume request
  Duration scrub_period = std::chrono::seconds(10);  // between two checks of the table's copies
};

class IncarnationRegistry final : public Node {
 public:
  using Inbox = Accepts<IncarnationRequest, IncarnationQuery>;

  explicit IncarnationRegistry(IncarnationRegistryOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const IncarnationRequest& request);
  void on(Context& context, NodeId from, const IncarnationQuery& query);

  const IncarnationTable& table() const { return table_; }

 private:
  static constexpr TimerKind kRetryTimer = 0;

  enum class Stage : std::uint8_t { loading, serving, deposed };

  struct Life {
    GrantedLife row{};
    std::uint32_t saved = 0;        // incarnation that is durable
    std::uint32_t fenced = 0;       // incarnation whose fences are all in place
    std::uint32_t open_fences = 0;  // of incarnation `saved`
    NodeId asker = kNoNode;         // sent row.request, unless that was to an earlier life
  };
  // Fences the files of one rule.
  struct Fence {
    Ticket ticket{};
    std::uint32_t address = 0;
    std::uint32_t incarnation = 0;  // the epoch
    std::uint32_t rule = 0;         // index into options_.fenced
  };

  void submit(Context& context, Fence fence);
  void on_table(Context& context, IncarnationTable::Event event);
  void on_loaded(Context& context);
  void on_saved(Context& context);
  void on_fenced(Context& context, Fence fence, IoStatus status);
  void arm(Context& context);
  void save(Context& context);
  void fence(Context& context, Life& life);
  void grant(Context& context, Life& life);
  Life* find(std::uint32_t address);
  Life& life_of(std::uint32_t address);

  IncarnationRegistryOptions options_;
  Alarm alarm_{kRetryTimer};
  Stage stage_ = Stage::loading;
  IncarnationTable table_;
  PooledVector<Life> lives_;  // by address
  PooledVector<Fence> submitted_;
  PooledVector<Fence> failed_;  // to be submitted again when the timer fires
  // One save of the table at a time; grants that arrive meanwhile share the next one.
  enum class Saving : std::uint8_t { idle, busy, busy_and_stale } saving_ = Saving::idle;
};

}  // namespace photon
