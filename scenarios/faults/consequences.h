// What the faults of a scenario mean for the promises of its run: the bounds of the judge, what is
// exempt, how long the end takes. Each kind of fault states its share (FaultTable::consequences):
// a new kind changes none of the code that asks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

struct Consequences {
  // How long faults may hold up an answer that a process waits for, all added up: a process is
  // paused, messages or storage are slow, a client does not know which shard to ask.
  Duration answers_held{0};
  // How long appends to the cell of a datacenter may stay unanswered; outages of one cell may
  // follow one another, so they are added up.
  std::map<std::string, Duration> appends_held{};
  // How much later than usual the logs may arrive, on average.
  Duration logs_late{0};
  // A record of a click log may look incomplete for ever.
  bool incomplete_clicks = false;
  // Servers may issue ids outside the bound of the clocks, or none for a while.
  bool unsynchronised_servers = false;
  // Where stored bytes may be wrong: a process (the disk of its host) or a datacenter (its cell).
  std::vector<std::string> wrong_bytes{};
  // Processes whose host loses its disk, and when for the last time.
  struct LostDisk {
    std::string process{};
    Duration at{0};
  };
  std::vector<LostDisk> lost_disks{};
};

// Of all faults of the scenario.
Consequences consequences_of(const Config& config);

}  // namespace photonsim::scenarios
