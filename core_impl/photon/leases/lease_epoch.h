// The number under which an owner of a partition writes: (round, worker, life), in this order.
//
// Invariants:
//  * No two lives of no two workers ever use the same epoch, so two workers that try at the same
//    time cannot both win: the storage keeps the greater one (runtime/volume.h).
//  * A worker that takes a partition over uses a round above every one that it knows of, so it wins
//    against all earlier owners, and against a dead life of its own.
//
// Paper: Photon section 3.2 (workers share the file state); SPEC C-06.
#pragma once

#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"

namespace photon {

class LeaseEpoch {
  static constexpr unsigned kRoundShift = 34;
  static constexpr unsigned kWorkerShift = 24;  // as many lives as request numbers allow

 public:
  // The number of the operator that begins without state (state_operator.h), above that of any
  // worker: of two epochs with the same round the operator's wins.
  static constexpr std::uint32_t kOperator = (1U << (kRoundShift - kWorkerShift)) - 1;

  LeaseEpoch(std::uint32_t round, std::uint32_t worker, Incarnation life)
      : value_((std::uint64_t{round} << kRoundShift) | (std::uint64_t{worker} << kWorkerShift) |
               life.value()) {
    PHOTON_CHECK(worker <= kOperator, "a worker's number fits");
    PHOTON_CHECK(round < (1U << (64U - kRoundShift)), "the number of a round fits");
    PHOTON_CHECK(life.value() < (1U << kWorkerShift), "the number of a life fits");
  }
  explicit LeaseEpoch(std::uint64_t value) : value_(value) {}

  std::uint64_t value() const { return value_; }
  std::uint32_t round() const { return static_cast<std::uint32_t>(value_ >> kRoundShift); }
  std::uint32_t worker() const {
    return static_cast<std::uint32_t>(value_ >> kWorkerShift) & kOperator;
  }
  Incarnation life() const {
    return Incarnation(static_cast<std::uint32_t>(value_) & ((1U << kWorkerShift) - 1U));
  }

 private:
  std::uint64_t value_;
};

}  // namespace photon
