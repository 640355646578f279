// [[faults.disk]]: a disk or a shared cell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/language/durations.h"

namespace photonsim::scenarios {

// What befalls one disk or one cell; the fault model heads sim/volumes.h.
enum class DiskFaultKind : std::uint8_t {
  kWriteError,        // writes are answered "unavailable", and have happened or not
  kFull,              // no room for what would grow
  kSlow,              // each request takes `factor` times as long
  kTornWrite,         // a crash in the middle of an append, a part of which is written
  kLostSync,          // syncs are acknowledged; a crash of the host before the end undoes them
  kBitRot,            // one stored bit is wrong from then on
  kMisdirectedWrite,  // appended bytes land on others
};
// Stored bytes are wrong afterwards, which does lasting harm.
constexpr bool corrupts(DiskFaultKind kind) {
  return kind == DiskFaultKind::kBitRot || kind == DiskFaultKind::kMisdirectedWrite;
}

// Something is wrong with one disk or one cell. That storage refuses requests is in its contract
// (runtime/volume.h), but nobody can do without what was promised to be durable: kLostSync breaks
// it, and so do kBitRot and kMisdirectedWrite on more disks of a group than it can spare.
struct DiskFault {
  static constexpr std::string_view kTable = "faults.disk";
  // a process, named as in CrashFault: the disk of its host; or a datacenter: its cell
  std::string where{};
  DiskFaultKind kind{DiskFaultKind::kWriteError};
  Duration at{0};
  // key "for"; torn_write: until the restart; of bit_rot there is no end (M)
  Duration duration{10s};
  double share{1.0};  // of the requests that it can strike (M)
  double factor{10};  // slow: so many times (M)
  bool operator==(const DiskFault&) const = default;
};

}  // namespace photonsim::scenarios
