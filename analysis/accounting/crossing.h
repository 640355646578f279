// J.2, L-crossedN of clicks that were never registered: could a pipeline have come in time?
//
// A click that was readable at a pipeline before it was N old, and is answered `too old` there, is
// a loss with a class only if the trace shows that the pipeline could not come earlier. It could,
// and has neglected the click, if before the click was N old
//  * it worked on a later click of the same log, and never on this one: a log is read in order, so
//    no backlog, outage or pause explains that (a click that was saved without a request, because
//    no server could be asked, counts as worked on); or
//  * it did nothing about the click for longer than the deployment promises, although the click was
//    next in line (or its last try had begun), and no fault was in force anywhere during that time:
//    JudgeConfig::dispatcher_time_limit, a turn of each click in the retry store, and the pause for
//    the number of tries in the trace. The due time of the saved click does not count.
// Otherwise it was delayed by faults, busy with the backlog before the click, or between two tries.
#pragma once

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/evidence.h"

namespace photon::analysis {

// When a click could first be joined at a pipeline: both its records were readable there. kNever if
// they never were.
SimTime readable_at(const Evidence& evidence, const Click& click, std::uint32_t pipeline);

class Crossing {
 public:
  // The evidence must be complete and outlive it.
  explicit Crossing(const Evidence& evidence) : evidence_(evidence) {}

  // How the pipeline neglected the click, in words; empty if it did not. Requires that both records
  // of the click were readable there before it was N old.
  std::string sat_on(std::uint32_t click, std::uint32_t pipeline);

 private:
  // Clicks of one log in order, at one pipeline.
  struct Line {
    // When the first of those from that place on was asked for: place i at [i], kNever after all.
    std::vector<SimTime> first_from;
  };

  const Line& line_of(std::uint32_t file, std::uint32_t pipeline);
  std::size_t place_of(const Click& click) const;
  Duration time_limit(const AtPipeline& at, std::uint32_t pipeline) const;

  const Evidence& evidence_;
  boost::unordered_flat_map<std::uint64_t, Line, Hasher> lines_;
};

}  // namespace photon::analysis
