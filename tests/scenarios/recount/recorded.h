// What the recounts of figures share: the records of a run, and the comparison of a reported
// latency with all its values. Recounts use plain maps and sorted values, and no code of analysis/.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/reports/summary.h"
#include "core_impl/base/event_id.h"
#include "core_impl/trace/record.h"

namespace photonsim::tests {

class Recorded final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override { records.push_back(record); }
  std::vector<photon::trace::Record> records{};
};

inline double seconds(photon::SimTime at) {
  return static_cast<double>(photon::nanoseconds_of(at)) / 1e9;
}

using Id = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;
inline Id key(const photon::EventId& id) {
  return {id.server, id.process, photon::nanoseconds_of(id.stamp)};
}
using TokenKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;
inline TokenKey key(const photon::Token& token) {
  return {token.address, token.incarnation, token.sequence};
}

// A scenario with its overrides.
struct Recipe {
  std::string scenario{};
  std::vector<std::string> overrides{};
};

// Checks the mean and the ends to the nanosecond, quantiles within the histogram's relative error.
void check_latency(const std::string& name, const photon::analysis::LatencyFigures& reported,
                   std::vector<double> values);

}  // namespace photonsim::tests
