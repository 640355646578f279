// Copies of logs that lose their end and are filled again, on order (SPEC ).
//
// An order strikes the newest file of each of its servers that has come to its place. For the first
// half of its time the file shows so many bytes less than it did; what is shipped meanwhile stays
// behind the gap and is not shown either. In the second half the source sends again what is
// missing, in kInstalments parts; with the last one, at `until`, the file shows all that has been
// shipped. Where the parts end has nothing to do with records. Of several truncations of one file
// each holds for itself: the shortest is what is shown.
//
// Knows nothing of shipping: whoever does (shipping.h) tells how far each file has been shipped.
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

  // `files`: of all logs, in the order of their numbers. Orders of other places, and those that
  // end before they begin, are left out.
  Truncations(const std::vector<TruncationOrder>& orders, std::uint32_t place,
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
  // Takes that moment; of its log `shipped` bytes have come. A cut strikes only if that `is_newest`
  // of its server.
  void advance(std::uint64_t shipped, bool is_newest);

  // What is shown of a file of which so much has been shipped.
  std::uint64_t shown(std::uint32_t log, std::uint64_t shipped) const;
  // The fault because of which it is no more; kNone if it is all.
  std::uint32_t cut_by(std::uint32_t log, std::uint64_t shipped) const;
  bool any() const { return !moments_.empty(); }

 private:
  struct Cut {
    std::uint32_t order = 0;
    std::uint32_t log = 0;
    std::uint64_t length = 0;
  };
  const Cut* shortest(std::uint32_t log) const;

  std::vector<TruncationOrder> orders_;
  std::vector<Moment> moments_;  // by time
  std::size_t taken_ = 0;
  std::vector<Cut> cuts_;  // in force
};

}  // namespace photon::models
