// The corner cases of SPEC B.9, and how often each of them really occurred in a run (SPEC J-H4).
//
// They are counted from the trace alone, by the detectors beside this file. A row with two orders
// or halves has an entry for each. `corner_rows` defines when a row counts, in terms of the trace.
// Registry-only runs can show every row; the obligations of dispatchers, joiners and verification
// show in runs with pipelines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photon::analysis {

enum class Corner : std::uint8_t {
  bc01,
  bc02,
  bc03,
  bc04,
  bc05_before,
  bc05_after,
  bc06,
  bc07,
  bc08,
  bc09,
  bc10,
  bc11,
  bc12,
  bc13,
  bc14,
  bc15,
  bc16,
  bc17,
  bc18,
  bc19,
  bc20,
  bc21,
  bc22,
  bc23,
  bc24,
  bc25,
  bc26,
  bc27,
  bc28,
  bc29,
  bc30,
  bc31_insert,
  bc31_lookup,
  bc32,
};
inline constexpr std::size_t kCorners = static_cast<std::size_t>(Corner::bc32) + 1;

struct CornerRow {
  std::string_view name;
  std::string_view seen;      // when it counts
  std::string_view expected;  // what a correct system does then
};

// In the order of the enumeration.
const std::array<CornerRow, kCorners>& corner_rows();

class CornerCounts {
 public:
  void hit(Corner corner) { ++counts_[static_cast<std::size_t>(corner)]; }
  std::uint64_t operator[](Corner corner) const {
    return counts_[static_cast<std::size_t>(corner)];
  }
  const std::array<std::uint64_t, kCorners>& all() const { return counts_; }

 private:
  std::array<std::uint64_t, kCorners> counts_{};
};

}  // namespace photon::analysis
