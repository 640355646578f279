// The fingerprint of a run: one rolling 64-bit hash per datacenter, folded in datacenter order.
//
// It covers time, kind, target, incarnation and body digest of every dispatched event, so a changed
// body bit, draw or delivery changes it. Two equal fingerprints mean two equal executions, up to a
// hash collision. Check-points let a tool find where two runs diverge: bisect to the first
// check-point that differs, rerun while recording the events before it, compare them one by one.
//
// SPEC: J-S17, DESIGN 5.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/hash.h"
#include "sim/event.h"

namespace photon::sim {

// The state of the whole run's fingerprint after `events` dispatched events.
struct CheckPoint {
  std::uint64_t events = 0;
  SimTime at{};
  std::uint64_t fingerprint = 0;
  friend bool operator==(const CheckPoint&, const CheckPoint&) = default;
};

// One dispatched event as the fingerprint saw it.
struct WitnessedEvent {
  std::uint64_t number = 0;  // from 1
  SimTime at{};
  std::uint32_t tag = 0;
  std::uint32_t target = 0;
  std::uint32_t incarnation = 0;
  std::uint64_t digest = 0;
  DatacenterId datacenter{};
  friend bool operator==(const WitnessedEvent&, const WitnessedEvent&) = default;
};

class Fingerprints {
 public:
  // One lane per datacenter and one, the last, for the environment.
  explicit Fingerprints(std::size_t lanes) : lanes_(lanes, 0x243f6a8885a308d3ULL) {}

  // `number`: of the event, from 1. Called exactly once per dispatched event, by its target.
  void witness(const Event& event, std::uint64_t number, DatacenterId datacenter,
               std::uint32_t incarnation, std::uint64_t digest) {
    const std::uint64_t place = (std::uint64_t{event.tag} << 32U) | event.target;
    // The event's own hash is off the critical path; the chain costs one multiplication.
    const std::uint64_t own =
        fold_words(static_cast<std::uint64_t>(event.time) ^ 0x13198a2e03707344ULL,
                   place ^ 0xa4093822299f31d0ULL) ^
        fold_words(incarnation ^ 0x082efa98ec4e6c89ULL, digest ^ 0x452821e638d01377ULL);
    std::uint64_t& lane = lanes_[datacenter.value()];
    lane = ((lane << 23U) | (lane >> 41U)) * 0x9e3779b97f4a7c15ULL + own;
    if (number == next_point_) [[unlikely]]
      add_point(event, number);
    if (number - watch_first_ < watch_count_) [[unlikely]] {
      watched_.push_back({number, from_nanoseconds<SimTime>(event.time), event.tag, event.target,
                          incarnation, digest, datacenter});
    }
  }

  // The run's fingerprint: all lanes folded in datacenter order.
  std::uint64_t value() const {
    std::uint64_t hash = lanes_.size();
    for (const std::uint64_t lane : lanes_) hash = combine(hash, lane);
    return hash;
  }

  // Every 2^k events; k grows so that at most kMostPoints are kept. k is a function of the number
  // of events alone, so the points of two runs are comparable.
  const std::vector<CheckPoint>& check_points() const { return points_; }

  // Records the events numbered [first, first + count). To be called before they are dispatched.
  void watch(std::uint64_t first, std::uint64_t count) {
    watch_first_ = first;
    watch_count_ = count;
    watched_.clear();
    watched_.reserve(count);
  }
  const std::vector<WitnessedEvent>& watched() const { return watched_; }

  static constexpr std::size_t kMostPoints = 1024;

 private:
  static std::uint64_t fold_words(std::uint64_t left, std::uint64_t right) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(left) * right;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }
  void add_point(const Event& event, std::uint64_t number);

  std::vector<std::uint64_t> lanes_;
  std::vector<CheckPoint> points_;
  std::uint64_t spacing_ = 1024;
  std::uint64_t next_point_ = 1024;
  std::vector<WitnessedEvent> watched_;
  std::uint64_t watch_first_ = 0;
  std::uint64_t watch_count_ = 0;
};

}  // namespace photon::sim
