// Copies the output of one datacenter's joiners to the other datacenters, and keeps their copies
// here.
//
// A joiner's record is durable, and its click joined, once it is in the joiner's own cell: the
// answer reports that, the loss at a crash is bounded by it (D-15), and verification reads it. The
// mirror makes the same bytes readable elsewhere, a little later. It does not interpret records: it
// ships each file as it grows.
//
// Invariants:
//  * a copy is at every instant a prefix of its original. A piece is appended only where the copy
//    ends (the volume's expected length), so a duplicate, late or reordered piece changes nothing,
//    whichever life of whichever mirror sent it;
//  * one piece of a file is in flight to a peer at a time. After silence the mirror asks for the
//    copy's length, so it keeps no durable state: a mirror that starts again asks;
//  * a lagging copy has no other cost (SPEC J.3-10).
//
// Memory and work grow with history: there is a row for each file and peer, and a file for each
// life of a joiner that ever wrote. Each poll visits all rows.
//
// Needs in its datacenter's cell: the joiners' output/ (read), output_copy/NNNNN/IIIIIIIIII.
//
// Paper: Photon section 3.3.1 (output in the logs datacenters); SPEC D-08, D-16.
#pragma once

#include <cstdint>
#include <map>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/output_copies/copy_messages.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct OutputMirrorOptions {
  VolumeId cell{};
  PooledVector<NodeId> peers{};  // the mirrors of the other datacenters
  Duration poll = std::chrono::milliseconds(200);
  Duration time_limit = std::chrono::seconds(2);  // time limit for the answer to a piece
  std::uint32_t piece_bytes = 64 << 10;
};

struct OutputMirrorStatistics {
  std::uint64_t pieces = 0;       // sent, questions for a length included
  std::uint64_t repetitions = 0;  // after silence
  std::uint64_t appended = 0;     // bytes, to copies kept here
};

class OutputMirror final : public Node {
 public:
  using Inbox = Accepts<CopyPiece, CopyAck>;
  enum Timer : TimerKind { kPoll = 0 };

  explicit OutputMirror(OutputMirrorOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const CopyPiece& piece);
  void on(Context& context, NodeId from, const CopyAck& ack);

  const OutputMirrorStatistics& statistics() const { return statistics_; }

 private:
  // One file being shipped to one peer.
  struct Stream {
    enum class State : std::uint8_t {
      unknown,  // how long the copy is
      idle,
      reading,  // the next piece
      waiting,  // for the peer's answer
    };
    NodeId peer{};
    OutputFile file{};
    std::uint64_t copied = 0;   // the peer's last answer; meaningless while unknown
    std::uint64_t request = 0;  // the latest
    Ticket read{};
    MonotonicTime due{};         // waiting: time of the repetition
    std::uint32_t silences = 0;  // in a row
    State state = State::unknown;
  };
  // A piece that is being appended here, or a question that is being answered.
  struct Kept {
    NodeId from{};
    std::uint64_t request = 0;
    std::uint64_t bytes = 0;
  };

  void list(Context& context);
  void on_list(Context& context, const IoResult& result);
  void advance(Context& context, Stream& stream, std::uint64_t length);
  void send(Context& context, Stream& stream, Bytes data);
  void on_read(Context& context, Stream& stream, IoResult& result);
  void on_kept(Context& context, const Kept& kept, const IoResult& result);

  OutputMirrorOptions options_;
  std::map<FileName, std::uint64_t, std::less<>> lengths_;  // of the originals, as last listed
  PooledVector<Stream> streams_;                            // by file, in the order of discovery
  std::map<std::uint64_t, Kept> kept_;                      // by ticket
  Ticket listing_{};
  bool is_listing_ = false;
  std::uint64_t requests_ = 0;
  OutputMirrorStatistics statistics_;
};

}  // namespace photon
