// Who of a group of workers is there, and which of them ought to own which partition of their work.
//
// Each worker shows a sign of life at every tick: it replaces a small file of its own in the cell.
// It reads those of the others, and takes somebody for gone whose sign was the same in several
// looks in a row. No clocks are compared, and who was stalled itself has not looked meanwhile. A
// sign that cannot be read says nothing: while the cell is away nobody is taken for gone.
//
// What the workers believe may differ for a while, and any of it may be wrong: nothing rests on it
// but how soon somebody tries to take a partition over (lease_epoch.h, C-06). At its start a worker
// takes everybody for alive.
//
// Division: partition p belongs to worker p mod n. Partitions of those who are gone are dealt in
// turn to those who are there; nobody else's move. So with at least as many partitions a worker as
// there are workers, shares differ by one for each worker that is gone.
//
// Usage: `tick` at the start and every third of the lease; hand every completion to on_io. With a
// group of one nothing is written or read.
//
// Paper: Photon section 3.2; SPEC C-06.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/runtime/context.h"

namespace photon {

class WorkerGroup {
 public:
  struct Options {
    VolumeId cell{};
    std::string_view prefix{};       // of the signs of life
    PooledVector<NodeId> workers{};  // all of them, in the same order for each; at least one
  };
  // So many looks without change, a third of the lease apart, and somebody is gone.
  static constexpr std::uint32_t kLooks = 4;

  explicit WorkerGroup(Options options);

  void start(Context& context);
  void tick(Context& context);
  // True if the completion was for this object.
  bool on_io(Ticket ticket, const IoResult& result);

  bool is_alive(NodeId worker) const;
  // Who ought to own it now.
  NodeId owner_of(std::uint32_t partition) const;
  // The place of a worker in the group. Requires that it is one of them.
  std::uint32_t number_of(NodeId worker) const;
  std::uint32_t size() const { return narrow<std::uint32_t>(members_.size()); }

 private:
  struct Member {
    NodeId node = kNoNode;
    Bytes sign{};
    Ticket reading{};
    std::uint32_t unchanged = 0;  // looks in a row
    bool busy = false;            // a read is under way
  };

  void show(Context& context);
  void look(Context& context, Member& member);
  bool is_alive(const Member& member) const;

  Options options_;
  PooledVector<Member> members_;
  NodeId self_ = kNoNode;
  std::uint64_t signs_ = 0;
  Ticket showing_{};
  bool show_busy_ = false;
};

}  // namespace photon
