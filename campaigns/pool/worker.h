// A worker process: it answers requests one by one until it is ended or dies.
//
// It is a copy of the process that starts it, so both sides know what a request's number means.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "campaigns/pool/child_process.h"
#include "campaigns/pool/frames.h"
#include "campaigns/runs/determinism_check.h"
#include "core_impl/base/bytes.h"

namespace photonsim::campaigns {

struct WorkerRequest {
  enum class Kind : std::uint64_t {
    run,      // for its record
    compare,  // also, or only, for what a determinism check compares
  };
  std::uint64_t number = 0;
  Kind kind = Kind::run;
  Watched watched{};
  std::string text{};  // RunOrder::text
};

class Worker {
 public:
  using Answer = std::function<photon::Bytes(const WorkerRequest& request)>;
  enum class Reply : std::uint8_t { none_yet, whole, died };

  // `memory`: limit of its address space in bytes; 0: none. A scattered worker allocates at other
  // addresses and in another order than a usual one.
  Worker(Answer answer, Layout layout, std::uint64_t memory)
      : answer_(std::move(answer)), layout_(layout), memory_(memory) {}

  // Starts the process if none runs. Returns false if none can be started.
  [[nodiscard]] bool ask(const WorkerRequest& request);
  int channel() const { return process_.channel(); }  // -1: no process
  // Reads what has arrived, and waits if there is nothing. `whole`: the answer is in `bytes`.
  // `died`: the process ended, death() says how, and the next ask() starts another one.
  Reply listen(photon::Bytes& bytes);
  // Sends a request and waits for the answer; nothing if the process died or cannot be started.
  std::optional<photon::Bytes> ask_and_wait(const WorkerRequest& request);

  const std::string& death() const { return death_; }  // "its process died of signal 9 (Killed)"
  // It died because an allocation failed.
  bool out_of_memory() const { return out_of_memory_; }
  void kill() { process_.kill(); }

 private:
  int live(int channel) const;

  Answer answer_;
  Layout layout_;
  std::uint64_t memory_;
  ChildProcess process_{};
  FrameReader frames_{};
  std::string death_{};
  bool out_of_memory_ = false;
};

// Moves later allocations of this process to other addresses. Of two small blocks the one that was
// allocated later often gets the lower address.
void scatter_allocations();

}  // namespace photonsim::campaigns
