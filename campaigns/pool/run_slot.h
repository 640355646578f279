// A place of the pool where one run at a time is executed, with its reruns: here, or by a rank of a
// cluster.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "campaigns/runs/clocks.h"
#include "campaigns/runs/run_spec.h"

namespace photonsim::campaigns {

struct PoolWork;
struct PoolLimits;

struct RunOrder {
  std::uint64_t number = 0;
  bool rerun = false;  // determinism check
  // The scenario with its seed, as to_toml() writes it; empty: PoolWork::spec_of knows it.
  std::string text{};
};

class RunSlot {
 public:
  struct Heard {
    std::optional<RunResult> result{};  // the run and its reruns have ended
    bool lost = false;                  // the slot is gone, and its run was not done
  };

  RunSlot() = default;
  RunSlot(const RunSlot&) = delete;
  RunSlot& operator=(const RunSlot&) = delete;
  virtual ~RunSlot() = default;

  virtual bool is_idle() const = 0;
  virtual std::uint64_t number() const = 0;  // of the run in hand
  virtual int channel() const = 0;           // readable when listen() has something; -1: idle
  // Returns false if the run cannot be begun here, or anywhere of this kind.
  virtual bool begin(const RunOrder& order) = 0;
  // Reads what has arrived; blocks if there is nothing.
  virtual Heard listen() = 0;
  // The run exceeds its limit of wall time, or its rank gives no sign of life: give_up() returns
  // its result, or that the slot is lost. To be called often.
  virtual bool is_late(WallClock::time_point now) = 0;
  virtual Heard give_up() = 0;
  virtual RunResult cut_off() = 0;
  // For messages: "rank 2 on node7"; empty: this machine.
  virtual std::string name() const { return {}; }
};

}  // namespace photonsim::campaigns
