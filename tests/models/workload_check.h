// What must hold of every workload, whatever its source: run by the tests of each kind.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core_impl/logs/event.h"
#include "models/workload.h"

namespace photon::models::testing {

// One record of a log, decoded from the bytes alone.
template <class Event>
struct Decoded {
  Event event{};
  std::uint64_t end = 0;  // offset after it
};

// The whole file, read in one piece. The workload must have ended.
Bytes read_whole(EventLog& log, SimTime end);
std::vector<Decoded<logs::PrimaryEvent>> decode_primaries(const Bytes& bytes);
std::vector<Decoded<logs::ForeignEvent>> decode_foreigns(const Bytes& bytes);

struct WorkloadSummary {
  std::uint64_t clicks = 0;
  std::uint64_t queries = 0;
  std::uint64_t referring_to_nothing = 0;    // clicks without a query in any log
  std::map<EventId, std::uint64_t> clicked;  // query -> clicks on it; only queries with clicks
  std::uint64_t stamped_before_query = 0;    // clicks whose stamp is below their query's
};

// Reads every log, draws every click and compares: each truth with the bytes it describes, ids for
// uniqueness, times for order. Uses Catch assertions.
WorkloadSummary check_workload(Workload& workload);

// Bytes read in random fragments equal the bytes read whole; lengths and times agree with them.
void check_random_reads(Workload& workload, std::uint64_t seed);

}  // namespace photon::models::testing
