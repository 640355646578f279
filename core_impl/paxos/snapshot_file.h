// The file "paxos/<group>/snapshot": the state behind a slot, from which a replica starts instead
// of the log that it replaces.
//
// The file is replaced whole, so there is one or none, and what it says only ever grows. It says
// nothing about the replica that wrote it: another one stores the same bytes (snapshot_fetcher.h).
// Layout: a framed record (SnapshotHeader), then the machine's bytes.
//
// Requests carry the number of the life as their epoch: a replacement of a dead life that arrives
// late cannot put an old snapshot in the place of a newer one.
//
// Paper: none (Photon says nothing of its logs' length). SPEC B-18.
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
// The whole file; fills in what the header says about the machine's bytes.
Bytes encode_snapshot(SnapshotHeader header, const StateMachine& machine);
// Nothing if the bytes are no snapshot of that group, down to the last one.
std::optional<SnapshotView> decode_snapshot(ShardId group, std::span<const std::byte> file);
// What such a file states, for the trace; nothing if `name` is not that of a snapshot.
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
  // What is known of the present file.
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
  // refused. The bytes are the volume's from now on, for they may be many: a write that is refused
  // is not repeated, the caller writes again, this or a later state, when `must_write` says so.
  void write(Context& context, Slot through, Bytes file);
  bool must_write() const { return must_write_; }
  const std::optional<Content>& content() const { return content_; }

  // Reads a piece for `to`; take_chunk has it when its ticket has come back. At most one per asking
  // replica at a time. While the file is being replaced who asks waits for that: where a snapshot
  // is written as often as another replica asks, it would come at a wrong time again and again.
  // Whoever had it to the end and asks for it anew makes this replica look whether its bytes are
  // right; else they are `damaged`: nobody could ever catch up with it.
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
    bool is_whole = false;  // the whole file is read, to see whether its bytes are right
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
  PooledVector<Delivery> delivered_{};  // who was sent the present file to its end
  std::optional<Served> served_{};
};

}  // namespace photon::paxos
