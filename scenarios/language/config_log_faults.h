// What happens on order to logs, to output and to the clocks of the servers that write logs (SPEC
// the [[faults.log_damage]], [[faults.log_stall]], [[faults.log_truncation]],
// [[faults.output_loss]] and [[faults.truetime_outage]] of a scenario. Part of config.h, whose head
// says how fields, defaults and sources are to be read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace photonsim::scenarios {

enum class LogKind : std::uint8_t { kQueries, kClicks };
enum class DamageKind : std::uint8_t {
  kFlip,  // "flip": one bit of the record is wrong
  kLose,  // "lose": its bytes are zeros
};

// Records of input logs cannot be read any more, in one copy or in all.
struct LogDamageFault {
  LogKind log{LogKind::kQueries};
  std::string datacenter{};        // whose copy; "" = the same records in all copies (L-input)
  std::chrono::nanoseconds at{0};  // records generated from then on
  std::chrono::nanoseconds duration{0};  // key "for"
  double share{0.01};                    // of them (M)
  DamageKind how{DamageKind::kFlip};
  bool operator==(const LogDamageFault&) const = default;
};

// Nothing of some logs arrives for a while.
struct LogStallFault {
  LogKind log{LogKind::kQueries};
  std::string server{"any"};  // the number of the generating server, from 0; "any" = each of them
  std::string datacenter{};   // whose copy; "" = all
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds duration{0};  // key "for"
  // mean of an exponential delay behind it, drawn for each piece that was held (M)
  std::chrono::nanoseconds tail{0};
  bool operator==(const LogStallFault&) const = default;
};

// The copy of some logs in one datacenter loses its end, and is filled again.
struct LogTruncationFault {
  LogKind log{LogKind::kQueries};
  std::string server{"any"};  // the number of the generating server, from 0; "any" = each of them
  std::string datacenter{};   // whose copy
  std::chrono::nanoseconds at{0};
  // Key "for": it stays short for the first half, and is filled again in the second.
  std::chrono::nanoseconds duration{0};
  std::uint64_t bytes{4096};  // off the newest file of each of them, at most all of it (M)
  bool operator==(const LogTruncationFault&) const = default;
};

// The cell of a datacenter loses joined records that were durable (L-storage).
struct OutputLossFault {
  std::string datacenter{};
  std::chrono::nanoseconds at{0};
  std::uint64_t records{1};  // so many of those that are there, drawn at random
  // nullopt = "never"; else they are there again that much later, which is outside what Photon is
  // made for (SPEC J-S1): what was joined once more meanwhile is there twice
  std::optional<std::chrono::nanoseconds> returns_after{};
  bool operator==(const OutputLossFault&) const = default;
};

// Servers that generate events reach no TrueTime server: their clocks are not synchronised, and
// once e + rho * elapsed > epsilon they issue no ids until they are again (SPEC A-33). They belong
// to no datacenter.
struct TrueTimeOutageFault {
  LogKind log{LogKind::kQueries};  // servers that write these
  std::string server{"any"};       // the number of one of them, from 0; "any" = each
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds duration{0};  // key "for"
  bool operator==(const TrueTimeOutageFault&) const = default;
};

}  // namespace photonsim::scenarios
