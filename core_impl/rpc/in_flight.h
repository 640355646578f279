// The calls of one process that wait for something: a reply, or the moment to try again.
//
// Generic over the state of a call. A call has a handle that no other call of this life has or will
// have, so a reply can carry it and a reply that comes after the call has ended finds nothing
// (SPEC BC-28). Each call waits for at most one deadline; all deadlines share one timer, and a
// deadline whose call has ended or waits anew is dropped when it comes up.
//
// Usage: begin, send, await(...); on the timer: on_timer, then take_due until empty, then rearm.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/deadline_queue.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/slab.h"
#include "core_impl/runtime/alarm.h"
#include "core_impl/runtime/context.h"

namespace photon::rpc {

// What the end of a wait means: no reply arrived, or the pause before a new attempt is over.
enum class Waiting : std::uint8_t { for_reply, for_retry };

template <class Call>
class InFlight {
 public:
  using Handle = std::uint64_t;  // never 0

  struct Due {
    Handle handle;
    Waiting waiting;
  };

  // `timer` belongs to this table alone; its owner hands every firing to on_timer.
  explicit InFlight(TimerKind timer) : alarm_(timer) {}

  // The call waits for nothing until `await`. Pointers from `find` do not survive a `begin`.
  Handle begin(Call call) { return calls_.emplace(std::move(call), Wait{}); }

  // Null if the call has ended, or never was.
  Call* find(Handle handle) {
    Entry* entry = calls_.find(handle);
    return entry == nullptr ? nullptr : &entry->call;
  }

  // Requires find(handle) != nullptr.
  void end(Handle handle) {
    PHOTON_CHECK(calls_.find(handle) != nullptr, "a call ends once");
    calls_.erase(handle);
  }

  // From now on the call waits until `due`; an earlier wait of the same call is forgotten.
  void await(Context& context, Handle handle, Waiting waiting, MonotonicTime due) {
    Entry* entry = calls_.find(handle);
    PHOTON_CHECK(entry != nullptr, "only a call in flight waits");
    entry->wait = Wait{++waits_, waiting};
    deadlines_.add(due, Deadline{handle, waits_});
    alarm_.no_later_than(context, due);
  }

  void on_timer() { alarm_.fired(); }

  // The next call whose wait is over at `now`, in order of deadline; equal deadlines in the order
  // of `await`. The call stays in the table and has no deadline any more.
  std::optional<Due> take_due(MonotonicTime now) {
    while (const auto deadline = deadlines_.take_due(now)) {
      Entry* entry = live(*deadline);
      if (entry == nullptr) {
        PHOTON_MARK("rpc.deadline.dropped");
        continue;
      }
      return Due{deadline->handle, entry->wait.waiting};
    }
    return std::nullopt;
  }

  // Arms the timer for the earliest deadline that still matters.
  void rearm(Context& context) {
    while (!deadlines_.empty() && live(deadlines_.front()) == nullptr) {
      static_cast<void>(deadlines_.take_due(deadlines_.next()));
    }
    if (!deadlines_.empty()) alarm_.no_later_than(context, deadlines_.next());
  }

  std::size_t size() const { return calls_.size(); }

  // Visits (handle, call) of every call in flight, in a fixed order. No begin or end meanwhile.
  template <class Visitor>
  void for_each(Visitor&& visit) {
    calls_.for_each([&](Handle handle, Entry& entry) { visit(handle, entry.call); });
  }

 private:
  struct Wait {
    std::uint64_t number = 0;  // 0: it has not waited yet
    Waiting waiting = Waiting::for_reply;
  };
  struct Entry {
    Call call{};
    Wait wait{};
  };
  struct Deadline {
    Handle handle;
    std::uint64_t wait;
  };

  Entry* live(const Deadline& deadline) {
    Entry* entry = calls_.find(deadline.handle);
    return entry != nullptr && entry->wait.number == deadline.wait ? entry : nullptr;
  }

  Slab<Entry> calls_;
  DeadlineQueue<Deadline> deadlines_;
  Alarm alarm_;
  std::uint64_t waits_ = 0;
};

}  // namespace photon::rpc
