// What is fuzzed: everything that reads bytes which this program did not just write.
//
// A target is one function of bytes. It must return for all of them: the code under test refuses
// invalid bytes with an error value. A target checks more than survival: accepted input is written
// and read again, and must be the same. A violation is a failed check, like every failed check of
// the code itself; in a fuzz build that aborts, which the fuzzer reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core_impl/base/check.h"

namespace photon::fuzz {

enum class Outcome : std::uint8_t { refused, accepted };

struct Target {
  std::string_view name;  // also that of its folder in corpus/ and in findings/
  Outcome (*run)(std::span<const std::byte> bytes);
};

Outcome scenario_text(std::span<const std::byte> bytes);
Outcome scenario_override(std::span<const std::byte> bytes);
Outcome trace_csv(std::span<const std::byte> bytes);
Outcome record_codec(std::span<const std::byte> bytes);
Outcome message_codec(std::span<const std::byte> bytes);
Outcome paxos_disk(std::span<const std::byte> bytes);
Outcome cell_files(std::span<const std::byte> bytes);
Outcome state_snapshot(std::span<const std::byte> bytes);
Outcome raw_trace(std::span<const std::byte> bytes);
Outcome latency_histogram(std::span<const std::byte> bytes);

// All of them, by name.
std::span<const Target> all_targets();
// Null if there is none of that name.
const Target* find_target(std::string_view name);

inline void require(bool holds, std::string_view what) { PHOTON_CHECK(holds, what); }

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace photon::fuzz
