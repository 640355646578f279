// The durable log of one replica: segments on its host's disk.
//
// A life never appends to a file of an earlier life. Its first append creates a new segment, whose
// first record states which segment it continues and how many bytes of that one are valid;
// everything after them is void. So
//  * a torn tail (the last append of a crashed life) is never followed by good records: the next
//    life writes elsewhere, and every later recovery stops at the length that its header states;
//  * an append of a dead life that takes effect late lands after that length, or loses the race for
//    the name of a new segment; no message ever depended on it;
//  * an append that conflicts after an unanswered attempt (its effect is unknown, in full or in
//    part) is simply written again into a new segment.
//
// A segment may begin a chain of its own. It then carries, in its first append and right after the
// header, records that stand for everything before it above slot `base`; a snapshot that is durable
// before holds the rest. It counts only if all carried records are there. Otherwise its creation
// was torn and it is void; the older chain counts, whose segments are removed only when the new one
// is durable.
//
// Recovery walks from the newest segment that counts back to the first one of its chain. Segments
// off this chain are void. A checksum that fails, a missing segment or one that is shorter than its
// successor says means that acknowledged records are gone: the log is damaged, and the replica must
// not vote (B-18). A crash alone leaves a prefix of an append and never causes this, and no wrong
// bytes make an acknowledged record look like such a prefix (log_frame.h).
//
// One append is in flight at a time, synced; records added meanwhile are in the next one.
// Assumption (runtime/volume.h): a torn append leaves a prefix; requests to one file keep order.
//
// SPEC B-12, B-18, A-23.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core_impl/base/record_codec.h"
#include "core_impl/paxos/log_record.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/volume_retry.h"
#include "core_impl/trace/record.h"

namespace photon::paxos {

enum class SegmentKind : std::uint8_t { continuation = 1, beginning = 2 };

struct SegmentHeader {
  ShardId group{};
  std::uint32_t replica = 0;
  std::uint64_t segment = 0;         // number of this segment, from 1
  std::uint64_t previous = 0;        // number of the segment it continues or replaces; 0: none
  std::uint64_t previous_valid = 0;  // bytes of that one, header included
  SegmentKind kind = SegmentKind::continuation;
  Slot base = 0;                    // beginning: the records are about slots above it
  std::uint64_t carried_bytes = 0;  // beginning: records that belong to its creation

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.replica, self.segment, self.previous, self.previous_valid, self.kind,
          self.base, self.carried_bytes);
  }
};

// "paxos/<group>/<segment>", zero-padded so that names sort as the numbers do. Segment 0:
// the prefix.
FileName segment_name(ShardId group, std::uint64_t segment);

inline constexpr std::string_view kLogPrefix = "paxos/";

// The facts of an append of `bytes` at `offset` of a segment, for the trace: which segment it
// continues, and its promises and acceptances. A torn record at the end has no facts, nor has a
// segment whose creation is torn: recovery does not see them either.
void segment_facts(std::string_view file, std::uint64_t offset, std::span<const std::byte> bytes,
                   trace::FactSink& sink);

// The facts of a removed file, for the trace; none if it is not a segment.
void removal_facts(std::string_view file, trace::FactSink& sink);

enum class LogProgress : std::uint8_t {
  waiting,    // nothing to report yet
  recovered,  // once per life: take recovered()
  persisted,  // durable_mark() has grown
  damaged,    // acknowledged records are gone; the log does nothing any more
};

class ReplicaLog {
 public:
  struct Options {
    VolumeId volume{};
    ShardId group{};
    std::uint32_t replica = 0;
    Duration retry_delay{};
    std::uint64_t segment_bytes = std::uint64_t{4} << 20U;  // a new segment from about this size
  };
  explicit ReplicaLog(const Options& options) : options_(options), retry_(options.retry_delay) {}

  // Begins recovery.
  void start(Context& context);
  // Adds a record; `mark` is reported by durable_mark() when it is durable. Requires recovery done.
  void add(const LogRecord& record, std::uint64_t mark);
  // Starts a write if records wait and none is in flight.
  void flush(Context& context);

  // No append is in flight, and none waits to be repeated: rewrite may be called.
  bool is_idle() const { return stage_ == Stage::ready; }
  // Begins a new chain with `carried`, which stands for every record added so far, all above slot
  // `base`. Needs a durable snapshot through `base` or later. Waiting records are not written any
  // more; `mark` is durable with the new chain.
  void rewrite(Context& context, Slot base, const PooledVector<LogRecord>& carried,
               std::uint64_t mark);
  // Any segment exists, perhaps one whose creation was torn.
  bool exists() const { return !existing_.empty(); }
  // Bytes of records since the chain began, without those that it carries.
  std::uint64_t chain_bytes() const { return chain_bytes_; }

  bool owns(Ticket ticket) const {
    return retry_.owns(ticket) || (removal_ && *removal_ == ticket);
  }
  LogProgress on_io(Context& context, Ticket ticket, IoResult& result);
  // When to call on_timer: a refused request waits for its retry. max(): nothing waits.
  MonotonicTime retry_due() const { return retry_.due(); }
  void on_timer(Context& context);

  Recovered take_recovered() { return std::move(recovered_); }
  std::uint64_t durable_mark() const { return durable_mark_; }

 private:
  enum class Stage : std::uint8_t { listing, reading, ready, appending, damaged };
  struct Segment {
    std::uint64_t number = 0;
    std::uint64_t length = 0;
    Bytes bytes{};
    SegmentHeader header{};
    std::uint64_t valid = 0;  // bytes to replay
  };

  void submit(Context& context);
  LogProgress listed(Context& context, IoResult& result);
  LogProgress was_read(Context& context, IoResult& result);
  LogProgress appended(Context& context, const IoResult& result);
  LogProgress replay();
  LogProgress damage();
  bool replay_segment(Segment& segment);
  RecordView header_frame(const Segment& segment) const;
  std::optional<SegmentHeader> header_of(const Segment& segment) const;
  bool counts(const Segment& segment, const SegmentHeader& header) const;
  void next_segment();
  void begin_append(Context& context);
  void remove_obsolete(Context& context);

  Options options_;
  Stage stage_ = Stage::listing;
  VolumeRetry retry_;

  // Recovery.
  PooledVector<Segment> found_{};      // ascending; reading goes downwards along the chain
  std::size_t reading_ = 0;            // index + 1 of the segment being read
  PooledVector<std::size_t> chain_{};  // indices into found_, newest first
  Recovered recovered_{};

  // Writing.
  std::uint64_t segment_ = 0;   // current segment; 0: none of this life yet
  std::uint64_t length_ = 0;    // its durable length; 0: not created
  std::uint64_t previous_ = 0;  // last segment of the chain, when segment_ is not created
  std::uint64_t previous_valid_ = 0;
  std::uint64_t highest_number_ = 0;  // of any segment known to exist
  Bytes waiting_{};                   // framed records to be written; sealed for their place then
  std::uint64_t waiting_mark_ = 0;
  Bytes in_flight_{};  // kept until the append is known durable
  std::uint64_t in_flight_mark_ = 0;
  std::uint64_t durable_mark_ = 0;
  std::uint64_t chain_bytes_ = 0;

  // A chain that is to begin with the append in flight. Its carried records are in in_flight_.
  struct Beginning {
    Slot base = 0;
    std::uint64_t carried_bytes = 0;
  };
  std::optional<Beginning> beginning_{};
  // Segments below the present chain, or off it: removed one by one when a new chain is durable.
  // A removal that fails is tried again with the next append.
  PooledVector<std::uint64_t> existing_{};  // every segment known to exist, ascending
  std::optional<Ticket> removal_{};
  std::uint64_t chain_start_ = 0;  // segments below it may be removed; 0: unknown
};

}  // namespace photon::paxos
