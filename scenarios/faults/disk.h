// [[faults.disk]]: a disk or a shared cell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// Faults of one disk or cell; sim/volumes.h describes the fault model.
enum class DiskFaultKind : std::uint8_t {
  kWriteError,        // writes answer "unavailable"; they may have happened
  kFull,              // nothing can grow
  kSlow,              // each request takes `factor` times as long
  kTornWrite,         // a crash in the middle of an append, a part of which is written
  kLostSync,          // syncs are acknowledged; a crash of the host before the end undoes them
  kBitRot,            // one stored bit is wrong from then on
  kMisdirectedWrite,  // appended bytes land on others
};
// Whether the fault leaves wrong bytes, which do lasting harm.
constexpr bool corrupts(DiskFaultKind kind) {
  return kind == DiskFaultKind::kBitRot || kind == DiskFaultKind::kMisdirectedWrite;
}

// A fault of one disk or one cell. Storage may refuse requests (runtime/volume.h). It may not lose
// what was promised to be durable: kLostSync breaks that contract, and so do kBitRot and
// kMisdirectedWrite on more disks of a group than it can spare.
struct DiskFault {
  static constexpr std::string_view kTable = "faults.disk";
  // a process, named as in CrashFault: the disk of its host; or a datacenter: its cell
  std::string where{};
  DiskFaultKind kind{DiskFaultKind::kWriteError};
  Duration at{0};
  // key "for"; torn_write: until the restart; bit_rot has no end (M)
  Duration duration{10s};
  double share{1.0};  // of the requests that it concerns (M)
  double factor{10};  // slow: the slowdown factor (M)
  bool operator==(const DiskFault&) const = default;
};

}  // namespace photonsim::scenarios
