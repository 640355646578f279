// Planned truncations: copies of logs that lose their end and are filled again (SPEC ).
//
// A plan cuts, for each of its servers, the newest file that has arrived at its place. In the first
// half of its time the file shows the planned number of bytes less than before; bytes shipped
// meanwhile lie after the gap and are not shown either. In the second half the source sends the
// missing bytes again, in kInstalments parts; with the last one, at `until`, the file shows
// everything that has been shipped. The parts end at arbitrary bytes, not at records. If a file has
// several truncations, each applies by itself: the shortest length is shown.
//
// Does not know shipping: shipping.h passes the shipped length of each file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/log_faults.h"

namespace photon::models {

class Truncations {
 public:
  static constexpr std::uint32_t kInstalments = 4;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  // `files`: of all logs, in the order of their numbers. Plans for other places, and those that end
  // before they begin, are ignored.
  Truncations(const std::vector<PlannedTruncation>& plan, std::uint32_t place,
              const std::vector<logs::LogFile>& files);

  struct Moment {
    SimTime at{};
    std::uint32_t order = 0;
    std::uint32_t log = 0;
    std::uint32_t step = 0;  // 0: the cut; then the instalments
  };
  // When the length that some file shows may change next.
  std::optional<SimTime> next() const;
  // Of which log. Requires next().has_value().
  std::uint32_t log_of_next() const { return moments_[taken_].log; }
  // Takes that moment; of its log `shipped` bytes have arrived. A cut takes effect only if that log
  // `is_newest` of its server.
  void advance(std::uint64_t shipped, bool is_newest);

  // The shown length of a file of which `shipped` bytes have arrived.
  std::uint64_t shown(std::uint32_t log, std::uint64_t shipped) const;
  // The fault that hides the rest; kNone if all is shown.
  std::uint32_t cut_by(std::uint32_t log, std::uint64_t shipped) const;
  bool any() const { return !moments_.empty(); }

 private:
  struct Cut {
    std::uint32_t order = 0;
    std::uint32_t log = 0;
    std::uint64_t length = 0;
  };
  const Cut* shortest(std::uint32_t log) const;

  std::vector<PlannedTruncation> plan_;
  std::vector<Moment> moments_;  // by time
  std::size_t taken_ = 0;
  std::vector<Cut> cuts_;  // in force
};

}  // namespace photon::models
