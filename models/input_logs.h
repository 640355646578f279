// The input logs of one datacenter as a volume: bytes are regenerated on read, never stored.
// A request for records gets the range of a log, unless planned damage lies in it: damage shows in
// bytes.
//
// Invariant: what a process can list, stat or read is exactly what has been shipped so far; the
// owner moves that forward through `copies()` as virtual time passes.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "models/shipping.h"
#include "sim/environment.h"
#include "sim/fault_effects.h"
#include "sim/ports.h"

namespace photon::models {

class InputLogs final : public sim::ExternalVolume {
 public:
  // The arguments must outlive this object. `place` numbers the datacenters that hold copies;
  // `damage` may be null.
  InputLogs(std::vector<EventLog*> logs, const Shipping& shipping, std::uint32_t place,
            const LogDamage* damage = nullptr);

  void serve(const sim::Reader& reader, const VolumeRequest& request, IoResult& result) override;

  // From now on the faults that readers meet are reported to `effects`, which must outlive this
  // object. The readable length changes with the time of `environment`.
  void watch(sim::Environment& environment, sim::FaultEffects& effects);
  bool was_met(std::uint32_t fault) const { return met_.count(fault) > 0; }

  ShippedCopies& copies() { return copies_; }
  EventLog& log(std::uint32_t index) { return *logs_[index]; }

  // Visits the damaged records that end in (from, to] of this place's copy:
  // visit(LoggedRecord, LogDamage::Affected).
  template <class Visitor>
  void for_each_damaged(std::uint32_t index, std::uint64_t from, std::uint64_t to,
                        Visitor&& visit) {
    EventLog& log = *logs_[index];
    if (damage_ == nullptr || !damage_->concerns(log.file().type, place_)) return;
    while (from < to) {
      const LoggedRecord record = log.record_at(from);
      if (record.end > to) return;  // not whole yet
      from = record.end;
      const LogDamage::Affected affected = damage_->on(log.file(), record, place_);
      if (affected.how != RecordDamage::none) visit(record, affected);
    }
  }

 private:
  void list(const sim::Reader& reader, const VolumeRequest& request, IoResult& result);
  void read(const VolumeRequest& request, std::uint32_t log, IoResult& result);
  void meet(std::uint32_t fault);
  void meet_stall(std::uint32_t log);
  void meet_cut(const sim::Reader& reader, std::uint32_t log, std::uint64_t known);

  struct Named {
    FileName name;
    std::uint32_t log = 0;
  };
  std::vector<EventLog*> logs_;
  ShippedCopies copies_;
  const LogDamage* damage_;
  std::uint32_t place_;
  std::vector<Named> by_name_;  // in name order
  bool has_stalls_;
  bool has_cuts_;
  std::map<std::pair<sim::Reader, std::uint32_t>, std::uint64_t> reported_;  // shown lengths
  sim::Environment* environment_ = nullptr;
  sim::FaultEffects* effects_ = nullptr;
  std::set<std::uint32_t> met_;  // faults
};

}  // namespace photon::models
