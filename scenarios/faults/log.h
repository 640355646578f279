// Faults of input logs and of output (SPEC ): [[faults.log_damage]],
// [[faults.log_stall]], [[faults.log_truncation]], [[faults.output_loss]].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/config/config_kinds.h"
#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

enum class DamageKind : std::uint8_t {
  kFlip,  // "flip": one bit of the record is wrong
  kLose,  // "lose": its bytes are zeros
};

// Records of input logs cannot be read any more, in one copy or in all.
struct LogDamageFault {
  static constexpr std::string_view kTable = "faults.log_damage";
  LogKind log{LogKind::kQueries};
  std::string datacenter{};  // whose copy; "" = the same records in all copies (L-input)
  Duration at{0};            // records generated from then on
  Duration duration{0};      // key "for"
  double share{0.01};        // of them (M)
  DamageKind how{DamageKind::kFlip};
  bool operator==(const LogDamageFault&) const = default;
};

// Nothing of some logs arrives for a while.
struct LogStallFault {
  static constexpr std::string_view kTable = "faults.log_stall";
  LogKind log{LogKind::kQueries};
  std::string server{"any"};  // the number of the generating server, from 0; "any" = each of them
  std::string datacenter{};   // whose copy; "" = all
  Duration at{0};
  Duration duration{0};  // key "for"
  // mean of an exponential delay after it, drawn for each piece that was held (M)
  Duration tail{0};
  bool operator==(const LogStallFault&) const = default;
};

// The copy of some logs in one datacenter loses its end, and is filled again.
struct LogTruncationFault {
  static constexpr std::string_view kTable = "faults.log_truncation";
  LogKind log{LogKind::kQueries};
  std::string server{"any"};  // the number of the generating server, from 0; "any" = each of them
  std::string datacenter{};   // whose copy
  Duration at{0};
  // Key "for": it stays short for the first half, and is filled again in the second.
  Duration duration{0};
  std::uint64_t bytes{4096};  // off the newest file of each of them, at most all of it (M)
  bool operator==(const LogTruncationFault&) const = default;
};

// The cell of a datacenter loses joined records that were durable (L-storage).
struct OutputLossFault {
  static constexpr std::string_view kTable = "faults.output_loss";
  std::string datacenter{};
  Duration at{0};
  std::uint64_t records{1};  // number of records, drawn from those that are there
  // nullopt = "never"; else the time until they return. Photon does not tolerate that (SPEC J-S1):
  // clicks that were joined again meanwhile have two records
  std::optional<Duration> returns_after{};
  bool operator==(const OutputLossFault&) const = default;
};

}  // namespace photonsim::scenarios
