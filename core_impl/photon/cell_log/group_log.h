// A file in a datacenter's cell to which one life of one process appends, in groups.
//
// Records are collected while an append is under way and sent together in the next one, so a busy
// writer pays one volume request per round trip, not one per record. Invariants:
//  * at most one request is under way; bytes reach the file in the order they were added;
//  * an append whose outcome is unknown is repeated with the same expected length until it is
//    known to have taken effect: `conflict` with a longer file means that (part of) it did, because
//    no other process writes under this epoch;
//  * after `fenced` nothing is ever submitted again: this life is over.
// A completion starts nothing new: the owner calls `flush` at the end of each of its callbacks.
// Positions are counted over the life of the object and never shrink, also across `rewrite`.
//
// Paper: Photon section 3.2 (state in the local GFS cell), section 3.3.1 (output); SPEC C-03, C-04,
// D-16, F-06.
#pragma once

#include <cstdint>

#include "core_impl/base/bytes.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

class GroupLog {
 public:
  struct Options {
    VolumeId volume{};
    FileName file{};
    std::uint64_t epoch = 0;  // the writer's life
    Duration retry_delay{};   // between attempts at a volume that fails
    TimerKind timer = 0;      // of this log alone; the owner hands its firings to on_timer
  };

  enum class Event : std::uint8_t {
    not_mine,  // the completion is not this log's
    waiting,   // nothing became durable
    durable,   // durable() has grown
    fenced,    // a later life owns the file; stop
  };

  // `length`: of the file as it is.
  void open(const Options& options, std::uint64_t length);
  bool is_open() const { return open_; }
  bool is_fenced() const { return fenced_; }

  // Where the caller appends framed records; call `flush` afterwards.
  Bytes& pending() { return pending_; }
  // The position after everything added so far. What was added is durable once durable() reaches
  // it.
  std::uint64_t end() const { return started_ + pending_.size(); }
  std::uint64_t durable() const { return durable_; }
  // Nothing is under way (a pause after a failure counts as under way).
  bool idle() const { return !busy_; }
  std::uint64_t file_length() const { return length_; }
  // Appends repeated because the volume did not do or did not confirm them.
  std::uint64_t retries() const { return retries_; }

  // Starts an append of what is pending, if nothing is under way.
  void flush(Context& context);
  // Replaces the whole file by `content`, which stands for everything added so far, pending records
  // included. Requires idle(). Afterwards appends continue after it.
  void rewrite(Context& context, Bytes content);

  Event on_io(Context& context, Ticket ticket, const IoResult& result);
  void on_timer(Context& context);

 private:
  void submit(Context& context);
  Event finish();
  Event retry_later(Context& context);
  Event on_conflict(Context& context, std::uint64_t length);

  Options options_;
  Bytes pending_;
  Bytes group_;  // under way, or to be repeated
  VolumeRetry retry_{};
  VolumeOperation operation_ = VolumeOperation::append;
  std::uint64_t length_ = 0;   // of the file before `group_`
  std::uint64_t started_ = 0;  // position after `group_`
  std::uint64_t durable_ = 0;
  std::uint64_t retries_ = 0;
  bool open_ = false;
  bool busy_ = false;
  bool fenced_ = false;
};

}  // namespace photon
