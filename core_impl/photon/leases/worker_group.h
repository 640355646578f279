// Which workers of a group are alive, and which of them is to own which partition of their work.
//
// Each worker writes a heartbeat at every tick: it replaces a small file of its own in the cell. It
// reads those of the others, and considers a worker failed whose file was the same in several
// consecutive reads. No clocks are compared, and a worker that was stalled itself has not read
// meanwhile. A file that cannot be read does not count: while the cell is unavailable no worker is
// considered failed.
//
// The beliefs of the workers may differ for a while, and any of them may be wrong: they only decide
// how soon a worker tries to take a partition over (lease_epoch.h, C-06). At its start a worker
// takes all others for alive.
//
// Division: partition p belongs to worker p mod n. Partitions of gone workers are dealt in turn to
// those that are alive; the other partitions do not move. With at least as many partitions per
// worker as there are workers, shares differ by one for each worker that is gone.
//
// Usage: `tick` at the start and every third of the lease; pass every completion to on_io. With a
// group of one nothing is written or read.
//
// Paper: Photon section 3.2; SPEC C-06.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/flat_map.h"
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
  // After this number of reads without change, a third of the lease apart, a worker is considered
  // failed.
  static constexpr std::uint32_t kUnchangedReads = 4;

  explicit WorkerGroup(Options options);

  void start(Context& context);
  void tick(Context& context);
  // True if the completion was for this object.
  bool on_io(Ticket ticket, const IoResult& result);

  bool is_alive(NodeId worker) const;
  // The worker that is to own it now.
  NodeId owner_of(std::uint32_t partition) const;
  // The place of a worker in the group. Requires that it is one of them.
  std::uint32_t number_of(NodeId worker) const;
  std::uint32_t size() const { return narrow<std::uint32_t>(members_.size()); }

 private:
  struct Member {
    NodeId node = kNoNode;
    Bytes sign{};
    std::uint32_t unchanged = 0;  // consecutive reads
    bool busy = false;            // a read is under way
  };

  void show(Context& context);
  void look(Context& context, std::uint32_t place);
  bool is_alive(const Member& member) const;

  Options options_;
  PooledVector<Member> members_;
  FlatMap<std::uint64_t, std::uint32_t> reads_;  // under way, by ticket: the member's place
  NodeId self_ = kNoNode;
  std::uint64_t signs_ = 0;
  Ticket showing_{};
  bool show_busy_ = false;
};

}  // namespace photon
