// A worker process: it answers requests, one after the other, until it is ended or dies.
//
// What a number means is known to both sides, because the worker is a copy of the process that
// starts it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "campaigns/pool/child_process.h"
#include "campaigns/runs/determinism_check.h"
#include "core_impl/base/bytes.h"

namespace photonsim::campaigns {

struct WorkerRequest {
  enum class Kind : std::uint64_t {
    run,      // for its record
    compare,  // besides, or only, for what a determinism check compares
  };
  std::uint64_t number = 0;
  Kind kind = Kind::run;
  Watched watched{};
};

class Worker {
 public:
  using Answer = std::function<photon::Bytes(const WorkerRequest& request)>;
  enum class Reply : std::uint8_t { none_yet, whole, died };

  // `memory`: bytes of address space that the process may have; 0: no limit. Scattered: what it
  // allocates lies at other addresses and in another order than in a usual one.
  Worker(Answer answer, Layout layout, std::uint64_t memory)
      : answer_(std::move(answer)), layout_(layout), memory_(memory) {}

  // Starts the process if none runs. False if there is none to be had.
  [[nodiscard]] bool ask(const WorkerRequest& request);
  int channel() const { return process_.channel(); }  // -1: no process
  // Reads what has come, and waits if there is nothing. `whole`: the answer is in `bytes`. `died`:
  // the process ended, how is in death(), and the next ask() starts another one.
  Reply listen(photon::Bytes& bytes);
  // Asks and waits for the answer; nothing if the process died, or there is none.
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
  std::string text_{};  // read, and not yet a whole answer
  std::string death_{};
  bool out_of_memory_ = false;
};

// Moves what this process allocates from now on: to other addresses, and so that of two small
// things the one that was made later often lies before the other.
void scatter_allocations();

}  // namespace photonsim::campaigns
