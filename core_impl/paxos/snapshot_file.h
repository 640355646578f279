// The file "paxos/<group>/snapshot": the state after a slot, from which a replica starts instead of
// the log that it replaces.
//
// The file is replaced whole, so there is one or none, and its slot only grows. It does not depend
// on the replica that wrote it: another one stores the same bytes (snapshot_fetcher.h). Layout: a
// framed record (SnapshotHeader), then the machine's bytes.
//
// Requests carry the number of the life as their epoch: a replacement of a dead life that arrives
// late cannot replace a newer snapshot by an older one.
//
// Paper: none (Photon does not mention the length of its logs). SPEC B-18.
#pragma once

#include <algorithm>
#include <optional>

#include "core_impl/paxos/log_record.h"
#include "core_impl/paxos/messages.h"
#include "core_impl/paxos/state_machine.h"
#include "core_impl/runtime/volume_retry.h"
#include "core_impl/trace/record.h"

namespace photon::paxos {

struct SnapshotHeader {
  ShardId group{};
  SnapshotPoint point{};
  std::uint64_t state_hash = 0;  // of the machine that made it, and of the one that restores it
  std::uint64_t machine_bytes = 0;
  std::uint64_t machine_checksum = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.point, self.state_hash, self.machine_bytes, self.machine_checksum);
  }
};

struct SnapshotView {
  SnapshotHeader header{};
  std::span<const std::byte> machine{};
};

// "paxos/<group>/snapshot".
FileName snapshot_name(ShardId group);
// Of any group.
bool is_snapshot_name(std::string_view file);
// The whole file; fills in what the header says about the machine's bytes.
Bytes encode_snapshot(SnapshotHeader header, const StateMachine& machine);
// Nothing if the bytes are no snapshot of that group, down to the last one.
std::optional<SnapshotView> decode_snapshot(ShardId group, std::span<const std::byte> file);
// The facts of such a file, for the trace; none if `name` is not that of a snapshot.
void snapshot_facts(std::string_view name, std::span<const std::byte> file, trace::FactSink& sink);

enum class SnapshotProgress : std::uint8_t {
  waiting,
  recovered,  // once per life: take_recovered
  written,    // what `write` was given is durable
  damaged,
};

class SnapshotFile {
 public:
  struct Options {
    VolumeId volume{};
    ShardId group{};
    Duration retry_delay{};
    std::uint32_t chunk_bytes = 1;
  };
  // The known facts of the present file.
  struct Content {
    Slot through = 0;
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;
  };
  explicit SnapshotFile(const Options& options)
      : options_(options), request_(options.retry_delay), write_(options.retry_delay) {}

  // Begins recovery.
  void start(Context& context);
  // The whole file; empty if there is none.
  Bytes take_recovered() { return std::move(recovered_); }

  // Replaces the file. Requires that it is recovered and not being written, unless a write was
  // refused. The volume owns the bytes from now on, because they may be many. A refused write is
  // not repeated: when `must_write` is true, the caller writes again, this or a later state.
  void write(Context& context, Slot through, Bytes file);
  bool must_write() const { return must_write_; }
  const std::optional<Content>& content() const { return content_; }

  // Reads a piece for `to`; take_chunk has it when its ticket has come back. At most one per asking
  // replica at a time. A request that arrives while the file is being replaced waits for that:
  // otherwise, where snapshots are written as often as they are asked for, each request would come
  // at a wrong time. When a replica that had the file to its end asks for it anew, this replica
  // checks whether the bytes are right; if not they are `damaged`: no replica could ever catch up
  // with them.
  void serve(Context& context, NodeId to, const SnapshotFetch& fetch);
  struct Served {
    NodeId to{};
    SnapshotChunk chunk{};
  };
  std::optional<Served> take_chunk() { return std::exchange(served_, std::nullopt); }

  bool owns(Ticket ticket) const;
  SnapshotProgress on_io(Context& context, Ticket ticket, IoResult& result);
  MonotonicTime retry_due() const { return std::min(request_.retry_due(), write_.due()); }
  void on_timer(Context& context);

 private:
  enum class Stage : std::uint8_t { recovering, ready, writing };
  struct Reading {
    Ticket ticket{};
    Served reply{};
    bool is_whole = false;  // the whole file is read, to check its bytes
  };
  struct Delivery {
    NodeId to{};
    Slot through = 0;
    friend bool operator==(const Delivery&, const Delivery&) = default;
  };
  struct Waiting {
    NodeId to{};
    SnapshotFetch fetch{};
  };

  VolumeRequest request_for(VolumeOperation operation) const;
  SnapshotProgress was_read(IoResult& result);
  SnapshotProgress was_written(Context& context, const IoResult& result);
  SnapshotProgress read_for_other(PooledVector<Reading>::iterator reading, IoResult& result);

  Options options_;
  RetriedRequest request_;
  Stage stage_ = Stage::recovering;
  std::optional<Content> content_{};
  Content writing_{};
  VolumeRetry write_;
  bool must_write_ = false;
  Bytes recovered_{};
  PooledVector<Reading> readings_{};
  PooledVector<Waiting> waiting_{};
  PooledVector<Delivery> delivered_{};  // replicas that received the present file to its end
  std::optional<Served> served_{};
};

}  // namespace photon::paxos
