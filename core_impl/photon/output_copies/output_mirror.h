// Copies the output of one datacenter's joiners to the other datacenters, and keeps their copies
// here.
//
// A joiner's record is durable, and its click joined, when it stands in the joiner's own cell: that
// is what is answered, what bounds the loss at a crash (D-15), and what verification reads. The
// mirror makes the same bytes readable elsewhere, a little later. It knows nothing of records: it
// ships each file as it grows.
//
// Invariants:
//  * a copy is at every instant a prefix of its original: a piece is appended only where the copy
//    ends (the volume's expected length), so a piece that comes twice, late or out of order changes
//    nothing, whatever lives of whatever mirrors it comes from;
//  * one piece of a file is on its way to a peer at a time; silence is repeated with a question for
//    the copy's length, so that nothing has to be remembered: a mirror that starts again asks;
//  * a copy that lags costs nothing but its lag (SPEC J.3-10).
//
// Memory and work follow history: a row for each file and peer, which is for each life of a joiner
// that ever wrote, and each poll looks at all of them.
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
  Duration patience = std::chrono::seconds(2);  // for the answer to a piece
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
  // One file on its way to one peer.
  struct Stream {
    enum class State : std::uint8_t {
      unknown,  // how long the copy is
      idle,
      reading,  // the next piece
      waiting,  // for the peer's answer
    };
    NodeId peer{};
    OutputFile file{};
    std::uint64_t copied = 0;   // what the peer has said; meaningless while unknown
    std::uint64_t request = 0;  // the latest
    Ticket read{};
    MonotonicTime due{};         // waiting: then it is asked again
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
