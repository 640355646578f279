// One fault of the list of a run.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace photon::analysis {

struct TracedFault {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::uint32_t number = 0;        // as in the records
  std::string description{};       // kind, target, time, duration
  std::int64_t at_ns = 0;          // planned beginning
  std::int64_t until_ns = kNever;  // planned end; kNever also if not known beforehand
  bool effective = false;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.description, self.at_ns, self.until_ns, self.effective);
  }
  bool operator==(const TracedFault&) const = default;
};

}  // namespace photon::analysis
